// The text of two versions in one column: changed blocks with their sign, unchanged ones folded.
import { type ReactNode, type Ref, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import type { Part, PlacedBlock } from './compare-texts.ts'

const { comparing } = texts
const CLASSES: Partial<Record<PlacedBlock['tag'], string>> = {
  li: 'diff__item',
  blockquote: 'diff__quote',
}
const SIGNS = { added: '+', removed: '−', changed: '±' } as const
/** One block that is the same is shown: it says where the next change stands. */
const FOLDED_FROM = 2

type ComparedTextProps = {
  ref: Ref<HTMLElement>
  title: Part[]
  isTitleChanged: boolean
  blocks: PlacedBlock[]
}

export function ComparedText({ ref, title, isTitleChanged, blocks }: ComparedTextProps) {
  return (
    <article className="diff" aria-label={comparing.text} ref={ref}>
      <Changed
        Tag="h2"
        kind={isTitleChanged ? 'changed' : 'same'}
        says={comparing.titleSigns}
        parts={title}
      />
      {groupSame(blocks).map(({ at, run }) =>
        run.length >= FOLDED_FROM && run[0]?.kind === 'same' ? (
          <Folded key={at} blocks={run} />
        ) : (
          run.map((block) => <Block key={block.place} block={block} />)
        ),
      )}
    </article>
  )
}

/** Runs of blocks that are the same, and all others one by one; `at` is the place of the first. */
function groupSame(blocks: PlacedBlock[]): { at: number; run: PlacedBlock[] }[] {
  const groups: { at: number; run: PlacedBlock[] }[] = []
  for (const [at, block] of blocks.entries()) {
    const last = groups.at(-1)
    if (block.kind === 'same' && last?.run[0]?.kind === 'same') last.run.push(block)
    else groups.push({ at, run: [block] })
  }
  return groups
}

function Folded({ blocks }: { blocks: PlacedBlock[] }) {
  const [isShown, setShown] = useState(false)
  if (isShown) return blocks.map((block) => <Block key={block.place} block={block} />)
  return (
    <p className="diff__same">
      {comparing.same(blocks.length)}{' '}
      <Button kind="ghost" onClick={() => setShown(true)}>
        {comparing.showSame}
      </Button>
    </p>
  )
}

function Block({ block: { tag, kind, parts } }: { block: PlacedBlock }) {
  const Tag = tag === 'li' || tag === 'blockquote' ? 'p' : tag
  return (
    <Changed Tag={Tag} kind={kind} says={comparing.signs} parts={parts} className={CLASSES[tag]} />
  )
}

type ChangedProps = {
  Tag: 'h2' | 'h3' | 'h4' | 'p' | 'pre'
  kind: PlacedBlock['kind']
  says: Record<keyof typeof SIGNS, string>
  parts: Part[]
  className?: string | undefined
}

/** Takes the focus from the keys n and p, which makes a screen reader read it out. */
function Changed({ Tag, kind, says, parts, className }: ChangedProps) {
  if (kind === 'same') {
    return (
      <Tag className={className} dir="auto">
        {parts.map(({ text }) => text).join('')}
      </Tag>
    )
  }
  return (
    <Tag className={className} dir="auto" data-sign={SIGNS[kind]} tabIndex={-1}>
      <span className="visually-hidden">{says[kind]}</span>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
        <Words key={at} part={part} />
      ))}
    </Tag>
  )
}

function Words({ part: { kind, text } }: { part: Part }): ReactNode {
  if (kind === 'added') return <ins>{text}</ins>
  return kind === 'removed' ? <del>{text}</del> : text
}
