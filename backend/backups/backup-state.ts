// What a folder of backups holds, for who looks at it while the server runs.
import { join } from 'node:path'
import { readNames } from './backup-io.ts'
import { listBackups, lockFolder, momentOf, newestBy } from './folders.ts'
import { listParts, readManifest } from './manifest.ts'

/** Bytes of the newest one by its name: a complete one never changes. */
let known = { name: '', sizeBytes: 0 }

/** @param isMaking this process makes one; another one may, too */
export async function readBackupState(folder: string, now: Date, isMaking: boolean) {
  const names = await readNames(folder)
  const partial = names.find((name) => name.endsWith('.partial'))
  const isRunning = isMaking || (partial !== undefined && (await isLocked(folder)))
  const done = isRunning && partial ? await readNames(join(folder, partial, 'files')) : []
  const complete = await listBackups(folder)
  const newest = newestBy(complete, now)
  if (newest !== undefined && known.name !== newest) known = await measure(folder, newest)
  return {
    ...{ isRunning, doneFiles: done.length, count: complete.length },
    at: newest === undefined ? undefined : momentOf(newest),
    sizeBytes: newest === undefined ? 0 : known.sizeBytes,
  }
}

async function measure(folder: string, name: string) {
  // A damaged one is for doctor to tell.
  const manifest = await readManifest(join(folder, name)).catch(() => undefined)
  const entries = manifest ? listParts(manifest).flatMap((part) => part.entries) : []
  return { name, sizeBytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}

async function isLocked(folder: string): Promise<boolean> {
  try {
    using _lock = await lockFolder(folder)
    return false
  } catch {
    return true
  }
}
