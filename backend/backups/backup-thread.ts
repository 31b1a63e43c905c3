// The thread in which the server makes its own backups, so that hashing and SQLite's copying do not
// hold up answers. Speaks to own-backups.ts alone.
import { parentPort, workerData } from 'node:worker_threads'
import { makeBackup } from './backup.ts'
import { describeBackup } from './describe.ts'
import type { BackupTask, ThreadAnswer } from './own-backups.ts'
import { describeProblem } from './problem.ts'

async function run({ places, folder, keep, nowMs }: BackupTask): Promise<ThreadAnswer> {
  try {
    const { path, manifest, figures } = await makeBackup(places, folder, {
      now: () => new Date(nowMs),
      withFiles: true,
      keep,
    })
    return { isMade: true, path, holds: describeBackup(manifest), ...figures }
  } catch (error) {
    return { isMade: false, problem: describeProblem(error) }
  }
}

parentPort?.postMessage(await run(workerData as BackupTask))
