// /edit-post/:slug/versions/compare?old=&new=: the changes between two versions, in one column.
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  Children,
  type ReactNode,
  type Ref,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { PostVersionWithText } from '#contract/versions.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { getVersion, listVersions } from '../posts/history-api.ts'
import { versionsPath } from '../posts/post-paths.ts'
import { Button } from '../ui/button.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'
import { compareLines, compareTexts, type IndexedBlock, type Part } from './diff-texts.ts'
import {
  sideText,
  useOwnVersions,
  useRestoreDialog,
  VersionsFrame,
  versionTime,
} from './versions-frame.tsx'

const { comparing } = texts

type TwoVersions = { old: PostVersionWithText; current: PostVersionWithText; newestId: string }

export function ComparePage() {
  const { slug = '' } = useParams()
  const [query] = useSearchParams()
  const oldId = query.get('old') ?? ''
  const newId = query.get('new') ?? ''
  const { result, retry } = useOwnVersions(`compare ${slug} ${oldId} ${newId}`, (api) =>
    loadTwo(api, slug, [oldId, newId]),
  )
  return (
    <VersionsFrame
      title={comparing.title}
      back={{ path: versionsPath(slug), label: comparing.back }}
      result={result}
      loading={comparing.loading}
      gone={comparing.gone}
      onRetry={retry}
    >
      {(two) => <Comparison slug={slug} two={two} />}
    </VersionsFrame>
  )
}

async function loadTwo(
  api: Api,
  slug: string,
  [oldId = '', newId = '']: string[],
): Promise<Result<TwoVersions>> {
  const [old, current, list] = await Promise.all([
    getVersion(api, slug, oldId),
    getVersion(api, slug, newId),
    listVersions(api, slug),
  ])
  if (!old.ok) return old
  if (!current.ok) return current
  if (!list.ok) return list
  const newestId = list.value.versions[0]?.$id ?? ''
  return succeed({ old: old.value, current: current.value, newestId })
}

function Comparison({ slug, two: { old, current, newestId } }: { slug: string; two: TwoVersions }) {
  const restore = useRestoreDialog(slug)
  const text = useRef<HTMLElement>(null)
  const title = useMemo(() => compareLines(old.title, current.title), [old, current])
  const blocks = useMemo(() => compareTexts(old.content, current.content), [old, current])
  const isTitleChanged = old.title !== current.title
  const changes = blocks.filter(({ kind }) => kind !== 'same').length + Number(isTitleChanged)
  const go = useChanges(text)
  return (
    <>
      <p className="lead-line" dir="auto">
        {comparing.quoted(current.title)}
      </p>
      <div className="stack comparing">
        <div className="comparing__sides">
          <Side version={old} isCurrent={old.$id === newestId} />
          <Side version={current} isCurrent={current.$id === newestId} isNew />
        </div>
        <div className="row comparing__legend">
          <ins>{comparing.added}</ins>
          <del>{comparing.removed}</del>
          <span className="quiet">{comparing.changes(changes)}</span>
          <span className="row comparing__steps">
            <Button kind="ghost" aria-keyshortcuts="p" onClick={() => go(-1)}>
              <ArrowUp className="icon icon--small" aria-hidden="true" />
              {comparing.previous}
            </Button>
            <Button kind="ghost" aria-keyshortcuts="n" onClick={() => go(1)}>
              <ArrowDown className="icon icon--small" aria-hidden="true" />
              {comparing.next}
            </Button>
          </span>
        </div>
        <ComparedText ref={text} title={title} isTitleChanged={isTitleChanged} blocks={blocks} />
        {old.$id !== newestId && (
          <div className="row float sticky-actions">
            <span>{comparing.textOf(versionTime(old))}</span>
            <Button kind="primary" onClick={() => restore.ask(old)}>
              {comparing.restore}
            </Button>
          </div>
        )}
      </div>
      {restore.dialog}
    </>
  )
}

type SideProps = { version: PostVersionWithText; isCurrent: boolean; isNew?: boolean }

function Side({ version, isCurrent, isNew = false }: SideProps) {
  const time = versionTime(version)
  return (
    <div className={isNew ? 'box comparing__side comparing__side--new' : 'box comparing__side'}>
      <b>{isCurrent ? comparing.currentSide(time) : time}</b>
      <span className="quiet">{sideText(version)}</span>
    </div>
  )
}

/** Moves to the next or the previous change, by button or by the keys n and p. */
function useChanges(text: RefObject<HTMLElement | null>): (step: 1 | -1) => void {
  function go(step: 1 | -1) {
    const changes = [...(text.current?.querySelectorAll<HTMLElement>('[data-sign]') ?? [])]
    const index = changes.indexOf(document.activeElement as HTMLElement)
    const next = index < 0 ? (step > 0 ? 0 : changes.length - 1) : index + step
    changes[Math.max(0, Math.min(next, changes.length - 1))]?.focus()
  }
  // Runs before the site's shortcuts, where n means "new post".
  const isCapturing = true
  usePageEvent(
    'keydown',
    (event) => {
      const { target, key } = event
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select')
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
      if (isTyping || !isPlain || document.querySelector('dialog[open]')) return
      if (key !== 'n' && key !== 'p') return
      event.preventDefault()
      go(key === 'n' ? 1 : -1)
    },
    isCapturing,
  )
  return go
}

// The text of two versions in one column: changed blocks are marked +, − or ±, unchanged ones are
// folded.

const CLASSES: Partial<Record<IndexedBlock['tag'], string>> = {
  li: 'diff__item',
  blockquote: 'diff__quote',
}
const SIGNS = { added: '+', removed: '−', changed: '±' } as const
/** A single unchanged block is shown: it gives the next change its context. */
const FOLDED_FROM = 2

type ComparedTextProps = {
  ref: Ref<HTMLElement>
  title: Part[]
  isTitleChanged: boolean
  blocks: IndexedBlock[]
}

function ComparedText({ ref, title, isTitleChanged, blocks }: ComparedTextProps) {
  return (
    <article className="box stack diff" aria-label={comparing.text} ref={ref}>
      <Changed
        Tag="h2"
        kind={isTitleChanged ? 'changed' : 'same'}
        announcements={comparing.titleSigns}
        parts={title}
      />
      {groupSame(blocks).map(({ index, run }) =>
        run.length >= FOLDED_FROM && run[0]?.kind === 'same' ? (
          <Folded key={index} blocks={run} />
        ) : (
          run.map((block) => <Block key={block.index} block={block} />)
        ),
      )}
    </article>
  )
}

/**
 * Groups each run of unchanged blocks; any other block is a group of its own. `index` is that of
 * the group's first block.
 */
function groupSame(blocks: IndexedBlock[]): { index: number; run: IndexedBlock[] }[] {
  const groups: { index: number; run: IndexedBlock[] }[] = []
  for (const [index, block] of blocks.entries()) {
    const last = groups.at(-1)
    if (block.kind === 'same' && last?.run[0]?.kind === 'same') last.run.push(block)
    else groups.push({ index, run: [block] })
  }
  return groups
}

function Folded({ blocks }: { blocks: IndexedBlock[] }) {
  const [isShown, setShown] = useState(false)
  if (isShown) return blocks.map((block) => <Block key={block.index} block={block} />)
  return (
    <p className="diff__same">
      {comparing.same(blocks.length)}{' '}
      <Button kind="ghost" onClick={() => setShown(true)}>
        {comparing.showSame}
      </Button>
    </p>
  )
}

function Block({ block: { tag, kind, parts } }: { block: IndexedBlock }) {
  const Tag = tag === 'li' || tag === 'blockquote' ? 'p' : tag
  return (
    <Changed
      Tag={Tag}
      kind={kind}
      announcements={comparing.signs}
      parts={parts}
      className={CLASSES[tag]}
    />
  )
}

type ChangedProps = {
  Tag: 'h2' | 'h3' | 'h4' | 'p' | 'pre'
  kind: IndexedBlock['kind']
  announcements: Record<keyof typeof SIGNS, string>
  parts: Part[]
  className?: string | undefined
}

/** A changed block gets the focus by the keys n and p, so that screen readers announce it. */
function Changed({ Tag, kind, announcements, parts, className }: ChangedProps) {
  if (kind === 'same') {
    return (
      <Tag className={className} dir="auto">
        {parts.map(({ text }) => text).join('')}
      </Tag>
    )
  }
  return (
    <Tag className={className} dir="auto" data-sign={SIGNS[kind]} tabIndex={-1}>
      <span className="visually-hidden">{announcements[kind]}</span>
      {Children.toArray(parts.map(wordsOf))}
    </Tag>
  )
}

function wordsOf({ kind, text }: Part): ReactNode {
  if (kind === 'added') return <ins>{text}</ins>
  return kind === 'removed' ? <del>{text}</del> : text
}
