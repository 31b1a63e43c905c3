// The text of a comment on a screen: what contract/comment-text.ts finds in it.
import { Fragment, memo } from 'react'
import { type CommentBlock, type CommentLine, parseComment } from '#contract/comment-text.ts'

type CommentTextProps = {
  text: string
  /** Addresses are links. */
  hasLinks: boolean
}

export const CommentText = memo(function CommentText({ text, hasLinks }: CommentTextProps) {
  return <CommentBlocks blocks={parseComment(text)} hasLinks={hasLinks} />
})

type BlocksProps = { blocks: CommentBlock[]; hasLinks: boolean }

export function CommentBlocks({ blocks, hasLinks }: BlocksProps) {
  return (
    <div className="comment__text">
      {numbered(blocks).map(([block, at]) =>
        'quoted' in block ? (
          <blockquote key={at}>
            {numbered(block.quoted).map(([lines, inside]) => (
              <Paragraph key={inside} lines={lines} hasLinks={hasLinks} />
            ))}
          </blockquote>
        ) : (
          <Paragraph key={at} lines={block.lines} hasLinks={hasLinks} />
        ),
      )}
    </div>
  )
}

function Paragraph({ lines, hasLinks }: { lines: CommentLine[]; hasLinks: boolean }) {
  return (
    <p dir="auto">
      {numbered(lines).map(([line, at]) => (
        <Fragment key={at}>
          {at > 0 && <br />}
          {numbered(line).map(([piece, inside]) => {
            if (typeof piece === 'string') return piece
            if ('code' in piece) return <code key={inside}>{piece.code}</code>
            return hasLinks ? (
              <a className="link" key={inside} href={piece.href} rel="nofollow ugc">
                {piece.text}
              </a>
            ) : (
              piece.text
            )
          })}
        </Fragment>
      ))}
    </p>
  )
}

/** With their places, which are their keys: a text never changes its order. */
function numbered<Item>(items: Item[]): [Item, number][] {
  return items.map((item, at) => [item, at])
}
