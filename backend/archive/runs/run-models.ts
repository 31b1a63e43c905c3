// What the API shows of imports and exports, and the JSON that their rows hold.

import type {
  ExportPart,
  ExportRun,
  ImportCheck,
  ImportChoices,
  ImportCounts,
  ImportProgress,
  ImportRun,
  ImportState,
} from '#contract/archive.ts'
import { wireTime } from '#contract/ids.ts'
import { NO_COUNTS } from '../import/import-options.ts'
import type { Run } from './runs-store.ts'

/** How long an upload, a dry run or a paused import waits for the next step. */
export const WAITING_SECONDS = 2 * 24 * 60 * 60

/** The request of an import; `choices` once it was started. */
export type ImportRequest = { fileName: string; oldAddress: string; choices?: ImportChoices }
export type ImportResult = { check?: ImportCheck; imported?: ImportCounts; kept?: number }
export type ExportRequest = { parts: ExportPart[]; hasPeople: boolean }
export type ExportProgress = ExportRun['progress']

export const importRequest = (run: Run): ImportRequest => JSON.parse(run.request)
export const exportRequest = (run: Run): ExportRequest => JSON.parse(run.request)
export const importResult = (run: Run): ImportResult => JSON.parse(run.result || '{}')

/** Whether an import may have made posts. */
export const hasStarted = (run: Run): boolean => run.startedAt !== ''

/** @param pieces the number of stored pieces */
export function toImportRun(run: Run, pieces: number): ImportRun {
  const { fileName, oldAddress, choices = null } = importRequest(run)
  const { check = null, imported = NO_COUNTS, kept = 0 } = importResult(run)
  const state = run.state as ImportState
  const isUndoable = hasStarted(run) && ['done', 'failed'].includes(state)
  const noProgress: ImportProgress = { phase: 'upload', done: 0, total: 0, name: '', imported }
  return {
    $id: run.id,
    $createdAt: wireTime(run.createdAt),
    state,
    fileName,
    sizeBytes: run.sizeBytes,
    pieces,
    oldAddress,
    progress: run.progress ? JSON.parse(run.progress) : noProgress,
    check,
    choices,
    problem: run.problem,
    startedAt: timeOrEmpty(run.startedAt),
    endedAt: timeOrEmpty(run.endedAt),
    undoUntil: isUndoable ? wireTime(run.expiresAt) : '',
    expire: isWorking(run) ? '' : wireTime(run.expiresAt),
    kept,
  }
}

export function toExportRun(run: Run): ExportRun {
  const { parts, hasPeople } = exportRequest(run)
  const state = run.state as ExportRun['state']
  return {
    $id: run.id,
    $createdAt: wireTime(run.createdAt),
    state,
    parts,
    hasPeople,
    progress: run.progress ? JSON.parse(run.progress) : { done: 0, total: 0 },
    sizeBytes: run.sizeBytes,
    endedAt: timeOrEmpty(run.endedAt),
    expire: state === 'done' ? wireTime(run.expiresAt) : '',
    problem: run.problem,
  }
}

const isWorking = ({ state }: Run) =>
  state === 'checking' || state === 'waiting' || state === 'running' || state === 'undoing'

function timeOrEmpty(time: string): string {
  return time === '' ? '' : wireTime(time)
}
