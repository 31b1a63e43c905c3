// The thread in which the server makes its own backups, so that hashing and copying do not block
// requests. Says how far it is, then how it ended (run-backup.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { makeBackup, NoRoom } from './backup.ts'
import { CopyProblem, describeProblem } from './backup-io.ts'
import { describeBackup, listParts } from './manifest.ts'
import type { BackupMessage, BackupTask } from './run-backup.ts'

const PROGRESS_EVERY_MS = 500
const { places, folder, keep, nowMs } = workerData as BackupTask
const say = (message: BackupMessage) => parentPort?.postMessage(message)
let saidAtMs = 0

function onProgress(doneBytes: number, totalBytes: number): void {
  if (performance.now() - saidAtMs < PROGRESS_EVERY_MS) return
  saidAtMs = performance.now()
  say({ doneBytes, totalBytes })
}

/** Codes of the system for a disk without room, and for a folder that cannot be used. */
const FULL = ['ENOSPC', 'EDQUOT']
const NO_ACCESS = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']

function reasonOf(error: unknown) {
  if (error instanceof NoRoom) return 'full'
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one ? String(one.code) : ''
    if (FULL.includes(code) || code === 'SQLITE_FULL') return 'full'
    if (NO_ACCESS.includes(code) || code === 'SQLITE_CANTOPEN') return 'noAccess'
    if (code === 'SQLITE_BUSY') return 'busy'
  }
  return error instanceof CopyProblem ? 'unsound' : 'other'
}

try {
  const now = () => new Date(nowMs)
  const made = await makeBackup(places, folder, { now, withFiles: true, keep, onProgress })
  const { path, manifest, figures } = made
  const sizes = listParts(manifest).flatMap(({ entries }) => entries)
  const sizeBytes = sizes.reduce((sum, one) => sum + one.sizeBytes, 0)
  say({ made: { path, sizeBytes, holds: describeBackup(manifest), ...figures } })
} catch (error) {
  say({ problem: describeProblem(error), reason: reasonOf(error) })
}
