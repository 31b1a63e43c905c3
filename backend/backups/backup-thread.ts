// The thread that makes the scheduled backups, so that hashing and copying do not block requests.
// It sends its progress, then its outcome, to run-backup.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { makeBackup, NotEnoughSpace } from './backup.ts'
import { CopyProblem, describeProblem } from './backup-io.ts'
import { describeBackup, listParts } from './manifest.ts'
import type { BackupMessage, BackupTask } from './run-backup.ts'

const PROGRESS_EVERY_MS = 500
const { storage, folder, keep, nowMs } = workerData as BackupTask
const send = (message: BackupMessage) => parentPort?.postMessage(message)
let sentAtMs = 0

function onProgress(doneBytes: number, totalBytes: number): void {
  if (performance.now() - sentAtMs < PROGRESS_EVERY_MS) return
  sentAtMs = performance.now()
  send({ doneBytes, totalBytes })
}

/** Error codes of a full disk, and of a folder that cannot be used. */
const FULL = ['ENOSPC', 'EDQUOT']
const NO_ACCESS = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']

function reasonOf(error: unknown) {
  if (error instanceof NotEnoughSpace) return 'full'
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (FULL.includes(code) || code === 'SQLITE_FULL') return 'full'
    if (NO_ACCESS.includes(code) || code === 'SQLITE_CANTOPEN') return 'noAccess'
    if (code === 'SQLITE_BUSY') return 'busy'
  }
  return error instanceof CopyProblem ? 'unsound' : 'other'
}

try {
  const now = () => new Date(nowMs)
  const backup = await makeBackup(storage, folder, { now, withFiles: true, keep, onProgress })
  const { path, manifest, figures } = backup
  const entries = listParts(manifest).flatMap((part) => part.entries)
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  send({ backup: { path, sizeBytes, holds: describeBackup(manifest), ...figures } })
} catch (error) {
  send({ problem: describeProblem(error), reason: reasonOf(error) })
}
