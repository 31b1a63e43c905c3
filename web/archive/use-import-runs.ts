// The stored imports of a page, which one is shown, and the calls that change it.
import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImportRun } from '#contract/archive.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, type Result, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { type ArchiveScope, readArchives } from './archive-api.ts'

const words = texts.importing
/** An import that ended longer ago is one of the earlier ones when the page is opened. */
const RECENT_MS = 24 * 60 * 60 * 1000
/** Shown instead of an import: a new one. */
const NEW = ''

/** When the state was read, and how often the import was continued since the page was opened. */
export type Reading = { atMs: number; continued: number }

export type ImportsOptions = {
  scope: ArchiveScope
  /** The stored imports, the newest first. */
  initial: ImportRun[]
  /** Keeps the focus: when what had it is gone, its heading gets it. */
  section: RefObject<HTMLElement | null>
}

export type ImportRuns = ReturnType<typeof useImportRuns>

export function useImportRuns({ scope, initial, section }: ImportsOptions) {
  const api = useApi()
  const { refresh } = useViewer()
  const announce = useAnnounce()
  const [runs, setRuns] = useState(initial)
  const [shownId, setShownId] = useState(() => findCurrent(initial)?.$id ?? NEW)
  const [problem, setProblem] = useState<string>()
  const [reading, setReading] = useState<Reading>({ atMs: 0, continued: 0 })
  const run = runs.find(({ $id }) => $id === shownId)

  /** Shows a change, and moves the focus to the heading when the focused element is gone. */
  function change(update: () => void) {
    const hadFocus = section.current?.contains(document.activeElement)
    flushSync(update)
    if (hadFocus && !section.current?.contains(document.activeElement)) focusHeading(section)
  }
  function show(newRun: ImportRun, isContinued = false) {
    if (newRun.$id === shownId && newRun.state !== run?.state) announceState(newRun, announce)
    change(() => {
      setRuns((current) => withRun(current, newRun))
      setShownId(newRun.$id)
      setReading(({ continued }) => ({
        atMs: performance.now(),
        continued: continued + (isContinued ? 1 : 0),
      }))
    })
  }
  function showNew() {
    change(() => setShownId(NEW))
    focusHeading(section)
  }
  async function fail(failure: Failure) {
    setProblem(problemText(failure))
    if ([401, 403].includes(failure.code)) await refresh()
    // Another tab was faster: what it has done is shown.
    if (failure.code === 404 || failure.code === 409) await reload()
  }
  async function reload() {
    const archives = await readArchives(api, scope)
    if (!archives.ok) return
    change(() => {
      setRuns(archives.value.imports)
      setShownId(findCurrent(archives.value.imports)?.$id ?? NEW)
    })
  }
  const { pending, attempt } = useCalls({ onBegin: () => setProblem(undefined), onFailure: fail })
  return {
    runs,
    run,
    problem,
    pending,
    reading,
    change,
    show,
    showNew,
    setProblem,
    fail,
    attempt,
    remove: (id: string) => setRuns((current) => current.filter(({ $id }) => $id !== id)),
  }
}

type CallsOptions = { onBegin(): void; onFailure(failure: Failure): Promise<void> }

/** Makes calls one after the other: what is confirmed while one is unanswered is not lost. */
function useCalls({ onBegin, onFailure }: CallsOptions) {
  /** Names the button whose call has not been answered yet. */
  const [pending, setPending] = useState<string>()
  const last = useRef(Promise.resolve())
  /** @param name identifies the button that is busy meanwhile */
  function attempt<Value>(
    name: string,
    call: () => Promise<Result<Value>>,
    onDone: (value: Value) => void,
  ): Promise<void> {
    async function run() {
      setPending(name)
      onBegin()
      const result = await call()
      setPending(undefined)
      if (result.ok) onDone(result.value)
      else await onFailure(result.failure)
    }
    last.current = last.current.then(run, run)
    return last.current
  }
  return { pending, attempt }
}

/** The import that the page shows when it is opened. */
export function findCurrent(
  [newest]: readonly ImportRun[],
  nowMs = Date.now(),
): ImportRun | undefined {
  if (!newest || newest.state === 'undone') return undefined
  const isRecent = newest.endedAt === '' || nowMs - Date.parse(newest.endedAt) < RECENT_MS
  return isRecent ? newest : undefined
}

/** The newest first. */
function withRun(runs: ImportRun[], run: ImportRun): ImportRun[] {
  const others = runs.filter(({ $id }) => $id !== run.$id)
  return [run, ...others].toSorted((a, b) => Date.parse(b.$createdAt) - Date.parse(a.$createdAt))
}

export function focusHeading(section: RefObject<HTMLElement | null>): void {
  section.current?.querySelector<HTMLElement>('h2')?.focus()
}

/** An error announces itself. */
function announceState({ state, progress, kept }: ImportRun, announce: (text: string) => void) {
  const { posts, drafts } = progress.imported
  if (state === 'checked') announce(words.checked)
  if (state === 'done') announce(texts.importDone.title(posts + drafts))
  if (state === 'undone') announce(texts.importDone.undone(kept))
}

function problemText(failure: Failure): string {
  const { problems } = words
  if (failure.type === 'storage_invalid_file_size') return problems.tooLarge
  if (failure.type === 'archive_no_room') return problems.noRoom
  if (failure.type === 'import_active') return problems.active
  if (failure.type === 'import_at_another_step' || failure.type === 'import_not_found')
    return problems.changed
  return words.callFailed(reasonText(failure))
}
