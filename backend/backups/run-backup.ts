// Makes one backup in a thread, within a limit of time.
import { Worker } from 'node:worker_threads'
import type { BackupReason } from '#contract/operator.ts'
import { CopyProblem } from './backup-io.ts'
import type { BlobStores } from './blog-contents.ts'

/** A PostgreSQL that falls silent would block this backup, and all later ones, for ever. */
const LIMIT_MS = 12 * 60 * 60 * 1000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }

export type BackupTask = {
  places: BlobStores
  folder: string
  /** How many backups stay, the new one included. */
  keep: number
  nowMs: number
}

type MadeBackup = {
  path: string
  sizeBytes: number
  /** In one line, for the log. */
  holds: string
  linkedFiles: number
  copiedFiles: number
}
/** How far the thread is, or how it ended. */
export type BackupMessage =
  | { doneBytes: number; totalBytes: number }
  | { made: MadeBackup }
  | { problem: string; reason: BackupReason }

/** Why a backup failed, also in a word for the page. */
export class BackupFailure extends CopyProblem {
  readonly reason: BackupReason
  constructor(message: string, reason: BackupReason) {
    super(message)
    this.reason = reason
  }
}

type RunOptions = {
  stop: AbortSignal
  limitMs?: number | undefined
  onProgress?: (doneBytes: number, totalBytes: number) => void
}

/** @throws BackupFailure, also when it is stopped: the next backup removes what it has written */
export async function runBackup(task: BackupTask, options: RunOptions): Promise<MadeBackup> {
  const { stop, limitMs = LIMIT_MS, onProgress } = options
  const places = {
    dataDir: task.places.dataDir,
    databaseUrl: task.places.databaseUrl,
    s3: task.places.s3,
  }
  const program = new URL('backup-thread.ts', import.meta.url)
  const workerData: BackupTask = { ...task, places }
  const limit = AbortSignal.timeout(limitMs)
  const { promise, resolve, reject } = Promise.withResolvers<MadeBackup>()
  const end = () =>
    reject(
      limit.aborted
        ? new BackupFailure('The backup took too long and was ended', 'tooLong')
        : new BackupFailure('The server stopped during the backup', 'interrupted'),
    )
  const ended = AbortSignal.any([limit, stop])
  if (ended.aborted) end()
  ended.addEventListener('abort', end, { once: true })
  const thread = new Worker(program, { workerData, resourceLimits: THREAD_LIMITS })
  thread.on('message', (message: BackupMessage) => {
    if ('made' in message) resolve(message.made)
    else if ('reason' in message) reject(new BackupFailure(message.problem, message.reason))
    else onProgress?.(message.doneBytes, message.totalBytes)
  })
  thread.on('error', (error: Error) => reject(new BackupFailure(error.message, 'other')))
  thread.on('exit', () => reject(new BackupFailure('The backup ended too early', 'other')))
  try {
    return await promise
  } finally {
    ended.removeEventListener('abort', end)
    await thread.terminate()
  }
}
