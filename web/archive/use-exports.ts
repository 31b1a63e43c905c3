// The exports of a page: those that are stored, and the one that is being made.
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ExportPart, ExportRun } from '#contract/archive.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { type ArchiveScope, createExport, listExports } from './archive-api.ts'
import { usePollingWhile } from './poll-while.ts'

const words = texts.exporting

export type Exports = ReturnType<typeof useExports>

/** @param nameOf names an export, for what is announced when it is ready */
export function useExports(
  scope: ArchiveScope,
  initial: ExportRun[],
  nameOf: (run: ExportRun) => string,
) {
  const api = useApi()
  const { refresh } = useViewer()
  const announce = useAnnounce()
  const [runs, setRuns] = useState(initial)
  const [problem, setProblem] = useState<string>()
  /** The parts that are being requested. */
  const [requested, setRequested] = useState<readonly ExportPart[]>()
  const active = runs.find(({ state }) => state === 'waiting' || state === 'running')

  async function fail(failure: Failure) {
    setProblem(problemText(failure))
    if ([401, 403].includes(failure.code)) await refresh()
  }
  async function reload() {
    const exports = await listExports(api, scope)
    if (exports.ok) keepFocus(() => setRuns(exports.value))
    else if (exports.failure.code >= 400 && exports.failure.code < 500) await fail(exports.failure)
    return exports.ok
  }
  usePollingWhile(active?.$id, () => reload())

  const wasActive = useRef<string>(undefined)
  useEffect(() => {
    const ended = runs.find(({ $id }) => $id === wasActive.current)
    if (ended?.state === 'done') announce(words.isReady(nameOf(ended)))
    if (ended?.state === 'failed') announce(words.failed)
    wasActive.current = active?.$id
  }, [runs, active, announce, nameOf])

  async function create(parts: ExportPart[], hasPeople = false) {
    if (active || requested) return
    setRequested(parts)
    setProblem(undefined)
    const created = await createExport(api, scope, { parts, hasPeople })
    if (created.ok) setRuns((current) => [created.value, ...current])
    else {
      await fail(created.failure)
      if (created.failure.type === 'export_active') await reload()
    }
    setRequested(undefined)
  }
  return { scope, runs, active, requested, problem, create }
}

/** When a focused button becomes a link, the link gets the focus. */
function keepFocus(update: () => void): void {
  const row = document.activeElement?.closest<HTMLElement>('.export-card')
  flushSync(update)
  if (row && !row.contains(document.activeElement)) row.querySelector<HTMLElement>('.btn')?.focus()
}

function problemText(failure: Failure): string {
  if (failure.type === 'archive_no_room') return texts.importing.problems.noRoom
  if (failure.type === 'export_active') return words.active
  return texts.importing.callFailed(reasonText(failure))
}
