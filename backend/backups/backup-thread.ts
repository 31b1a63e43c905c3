// The thread in which the server makes its own backups, so that hashing and copying do not block
// requests. Errors reach scheduled-backups.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { makeBackup } from './backup.ts'
import { describeBackup } from './manifest.ts'
import type { BackupTask } from './scheduled-backups.ts'

const { places, folder, keep, nowMs } = workerData as BackupTask
const made = await makeBackup(places, folder, { now: () => new Date(nowMs), withFiles: true, keep })
const { path, manifest, figures } = made
parentPort?.postMessage({ path, holds: describeBackup(manifest), ...figures })
