// The imports of a page: which one is shown, its upload, and what the viewer does with it. While the
// server works on it, its state is read again every moment.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImportChoices, ImportRun, ImportState, SourceKind } from '#contract/archive.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, type Result, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import {
  type ArchiveScope,
  changeImport,
  checkImport,
  createImport,
  discardImport,
  readArchives,
  readImport,
  startImport,
} from './archive-api.ts'
import { usePollingWhile } from './poll-while.ts'
import { isSameFile, uploadExport } from './upload-export.ts'

const words = texts.importing
/** An import that ended longer ago is one of the earlier ones when the page is opened. */
const RECENT_MS = 24 * 60 * 60 * 1000
/** Shown instead of an import: a new one. */
const NEW = ''

const WORKING: readonly ImportState[] = ['checking', 'waiting', 'running', 'undoing']

export type Upload = { file: File; sentBytes: number; isLost: boolean; cancel: () => void }

/** A new import, as it was chosen. `kind` is only a hint: the content decides. */
export type NewExportFile = { file: File; oldAddress: string; kind: SourceKind }

/** When the state was read, and how often the import was continued since the page was opened. */
export type Reading = { atMs: number; continued: number }

type ImportsOptions = {
  scope: ArchiveScope
  /** The stored imports, the newest first. */
  initial: ImportRun[]
  /** Keeps the focus: when what had it is gone, its heading gets it. */
  section: RefObject<HTMLElement | null>
}

export type Imports = ReturnType<typeof useImports>

export function useImports({ scope, initial, section }: ImportsOptions) {
  const api = useApi()
  const { refresh } = useViewer()
  const announce = useAnnounce()
  const [runs, setRuns] = useState(initial)
  const [shownId, setShownId] = useState(() => findCurrent(initial)?.$id ?? NEW)
  const [upload, setUpload] = useState<Upload>()
  const [chosenKind, setChosenKind] = useState<SourceKind>()
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState<string>()
  const [reading, setReading] = useState<Reading>({ atMs: 0, continued: 0 })
  const abort = useRef<AbortController>(undefined)
  const run = runs.find(({ $id }) => $id === shownId)

  /** Shows a state, and moves the focus to the heading when the focused element is gone. */
  function change(update: () => void) {
    const hadFocus = section.current?.contains(document.activeElement)
    flushSync(update)
    if (hadFocus && !section.current?.contains(document.activeElement)) focusHeading(section)
  }

  function show(newRun: ImportRun, isContinued = false) {
    if (newRun.state !== run?.state) announceState(newRun, announce)
    change(() => {
      setRuns((current) => [newRun, ...current.filter(({ $id }) => $id !== newRun.$id)].toSorted(newestFirst))
      setShownId(newRun.$id)
      setReading((current) => ({
        atMs: performance.now(),
        continued: current.continued + (isContinued ? 1 : 0),
      }))
    })
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

  /** @param name identifies the button that is busy meanwhile */
  async function attempt(name: string, call: () => Promise<Result<ImportRun>>, isContinued = false) {
    if (pending) return false
    setPending(name)
    setProblem(undefined)
    const result = await call()
    setPending(undefined)
    if (result.ok) show(result.value, isContinued)
    else await fail(result.failure)
    return result.ok
  }

  async function begin({ file, oldAddress, kind }: NewExportFile) {
    setProblem(undefined)
    setChosenKind(kind)
    abort.current = new AbortController()
    const { signal } = abort.current
    const cancel = () => abort.current?.abort()
    change(() => setUpload({ file, sentBytes: 0, isLost: false, cancel }))
    const sent = await send(file, oldAddress, signal)
    change(() => setUpload(undefined))
    if (sent.ok) show(sent.value)
    else if (!signal.aborted) await fail(sent.failure)
  }

  async function send(
    file: File,
    oldAddress: string,
    signal: AbortSignal,
  ): Promise<Result<ImportRun>> {
    const unfinished = runs.find(({ state }) => state === 'uploading')
    const isContinued = unfinished !== undefined && isSameFile(unfinished, file)
    if (unfinished && !isContinued) await discardImport(api, scope, unfinished.$id)
    const created = isContinued
      ? await readImport(api, scope, unfinished.$id)
      : await createImport(api, scope, { fileName: file.name, sizeBytes: file.size, oldAddress })
    if (!created.ok) return created
    const options = { scope, run: created.value, file, signal }
    const sent = await uploadExport(api, {
      ...options,
      onSent: (sentBytes) => setUpload((current) => current && { ...current, sentBytes }),
      onLost: (isLost) => setUpload((current) => current && { ...current, isLost }),
    })
    if (signal.aborted && signal.reason !== LEFT) await discardImport(api, scope, created.value.$id)
    if (!sent.ok || sent.value.state !== 'uploading') return sent
    return await checkImport(api, scope, sent.value.$id, oldAddress)
  }

  /** Leaves the shown import. What has imported nothing yet is discarded. */
  async function showNew() {
    setProblem(undefined)
    if (run && run.startedAt === '' && run.state !== 'undone') {
      setPending('another')
      const discarded = await discardImport(api, scope, run.$id)
      setPending(undefined)
      if (!discarded.ok && discarded.failure.code !== 404) return fail(discarded.failure)
      setRuns((current) => current.filter(({ $id }) => $id !== run.$id))
    }
    change(() => setShownId(NEW))
    focusHeading(section)
  }

  const isWorking = run !== undefined && WORKING.includes(run.state)
  usePollingWhile(isWorking ? run.$id : undefined, async (wasLost) => {
    const latest = await readImport(api, scope, shownId)
    if (latest.ok) show(latest.value, wasLost)
    else if (latest.failure.code >= 400 && latest.failure.code < 500) await fail(latest.failure)
    return latest.ok
  })
  useEffect(() => () => abort.current?.abort(LEFT), [])

  return {
    scope,
    run,
    runs,
    upload,
    chosenKind,
    problem,
    pending,
    reading,
    begin,
    showNew,
    show: (earlier: ImportRun) => {
      show(earlier)
      focusHeading(section)
    },
    check: (oldAddress: string) =>
      attempt('check', () => checkImport(api, scope, shownId, oldAddress)),
    start: (choices: ImportChoices) =>
      attempt('start', () => startImport(api, scope, shownId, choices)),
    act: (action: 'pause' | 'resume') =>
      attempt(action, () => changeImport(api, scope, shownId, action), action === 'resume'),
    /** For a confirmation. If it fails, the page says so. */
    async undo() {
      await attempt('undo', () => changeImport(api, scope, shownId, 'undo'))
      afterDialogs(() => focusHeading(section))
      return undefined
    },
  }
}

/** The reason of an upload that stops because its page is left: what is stored stays. */
const LEFT = 'left'

/** The import that the page shows when it is opened. */
export function findCurrent(runs: ImportRun[], nowMs = Date.now()): ImportRun | undefined {
  const [newest] = runs
  const isRecent =
    newest?.endedAt === '' || nowMs - Date.parse(newest?.endedAt ?? '') < RECENT_MS
  return newest && newest.state !== 'undone' && isRecent ? newest : undefined
}

function newestFirst(a: ImportRun, b: ImportRun): number {
  return Date.parse(b.$createdAt) - Date.parse(a.$createdAt)
}

function focusHeading(section: RefObject<HTMLElement | null>): void {
  section.current?.querySelector<HTMLElement>('h2')?.focus()
}

function announceState({ state, progress }: ImportRun, announce: (text: string) => void): void {
  const { posts, drafts } = progress.imported
  if (state === 'checked') announce(words.checked)
  if (state === 'done') announce(texts.importDone.title(posts + drafts))
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
