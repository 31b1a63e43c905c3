// The text of a comment on a screen, as contract/comment-text.ts renders it; head/fold-comments.ts
// puts a button below a long one.
import { ChevronDown } from 'lucide-react'
import { memo, useEffect, useMemo } from 'react'
import { renderComment, withoutLinks } from '#contract/comment-text.ts'
import type { CommentDocument } from '#contract/comments.ts'
import { UNFOLD_BUTTON_ID } from '../head/fold-comments.ts'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button.tsx'

type CommentTextProps = Pick<CommentDocument, 'content' | 'hasLinks' | 'html'>

export const CommentText = memo(function CommentText(props: CommentTextProps) {
  const { content, hasLinks, html: renderedHtml } = props
  const html = useMemo(
    () => renderedHtml ?? withAllowedLinks(renderComment(content).html, hasLinks),
    [renderedHtml, content, hasLinks],
  )
  useEffect(() => window.foldComments?.(), [html])
  const bodyHtml = `<div class="comment__text">${html}</div>`
  return <div className="comment__body" key={html} dangerouslySetInnerHTML={{ __html: bodyHtml }} />
})

/** The button that head/fold-comments.ts copies to each long comment. */
export function UnfoldButton() {
  return (
    <button
      className={buttonClass('ghost', 'comment__unfold')}
      id={UNFOLD_BUTTON_ID}
      type="button"
      aria-expanded="false"
      hidden
    >
      <ChevronDown className="icon icon--small" aria-hidden="true" />
      <span>{texts.comments.showAll}</span>
      <span>{texts.comments.showLess}</span>
    </button>
  )
}

function withAllowedLinks(html: string, hasLinks: boolean): string {
  return hasLinks ? html : withoutLinks(html)
}

/** @param props.html the result of {@link renderComment}, which contains only safe elements */
export function CommentHtml({ html }: { html: string }) {
  return <div className="comment__text" dangerouslySetInnerHTML={{ __html: html }} />
}
