// Makes one backup in a thread, and ends it after a time limit.
import { Worker } from 'node:worker_threads'
import type { BackupReason } from '#contract/operator.ts'
import { CopyProblem } from './backup-io.ts'
import type { StorageConfig } from './blog-contents.ts'

/** A PostgreSQL that stops responding would block this backup, and all later ones, for ever. */
const LIMIT_MS = 12 * 60 * 60 * 1000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }

export type BackupTask = {
  storage: StorageConfig
  folder: string
  /** How many backups the folder keeps, the new one included. */
  keep: number
  nowMs: number
}

type FinishedBackup = {
  path: string
  sizeBytes: number
  /** One line for the log. */
  holds: string
  linkedFiles: number
  copiedFiles: number
}
/** The progress of the thread, or its outcome. */
export type BackupMessage =
  | { doneBytes: number; totalBytes: number }
  | { backup: FinishedBackup }
  | { problem: string; reason: BackupReason }

/** A failed backup; `reason` selects the text on the page of operators. */
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

/** @throws BackupFailure, also after `stop`: the next backup removes the unfinished one */
export async function runBackup(task: BackupTask, options: RunOptions): Promise<FinishedBackup> {
  const { stop, limitMs = LIMIT_MS, onProgress } = options
  const storage = {
    dataDir: task.storage.dataDir,
    databaseUrl: task.storage.databaseUrl,
    s3: task.storage.s3,
  }
  const script = new URL('backup-thread.ts', import.meta.url)
  const workerData: BackupTask = { ...task, storage }
  const limit = AbortSignal.timeout(limitMs)
  const { promise, resolve, reject } = Promise.withResolvers<FinishedBackup>()
  const rejectEnded = () =>
    reject(
      limit.aborted
        ? new BackupFailure('The backup took too long and was ended', 'tooLong')
        : new BackupFailure('The server stopped during the backup', 'interrupted'),
    )
  const ended = AbortSignal.any([limit, stop])
  if (ended.aborted) rejectEnded()
  ended.addEventListener('abort', rejectEnded, { once: true })
  const thread = new Worker(script, { workerData, resourceLimits: THREAD_LIMITS })
  thread.on('message', (message: BackupMessage) => {
    if ('backup' in message) resolve(message.backup)
    else if ('reason' in message) reject(new BackupFailure(message.problem, message.reason))
    else onProgress?.(message.doneBytes, message.totalBytes)
  })
  thread.on('error', (error: Error) => reject(new BackupFailure(error.message, 'other')))
  thread.on('exit', () => reject(new BackupFailure('The backup ended too early', 'other')))
  try {
    return await promise
  } finally {
    ended.removeEventListener('abort', rejectEnded)
    await thread.terminate()
  }
}
