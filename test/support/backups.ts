// Backups and restores of a test blog, with the commands that operators use.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTestBlog, type TestBlog } from './blog.ts'
import { type Outcome, runScript } from './run-script.ts'

export type Folders = AsyncDisposable & { backups: string; restored: string }

/** A folder for backups and one to restore into, both missing at first. */
export async function makeFolders(): Promise<Folders> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-backups-'))
  return {
    backups: join(folder.path, 'backups'),
    restored: join(folder.path, 'restored'),
    [Symbol.asyncDispose]: () => folder.remove(),
  }
}

export function backUp(
  blog: Pick<TestBlog, 'dataDir'>,
  folder: string,
  env: Record<string, string> = {},
): Promise<Outcome> {
  return runScript('backup.ts', [folder], { BLOG_DATA_DIR: blog.dataDir, ...env })
}

/** @param from one backup or a folder of them */
export function restore(
  from: string,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Outcome> {
  return runScript('restore.ts', [from], { BLOG_DATA_DIR: dataDir, ...env })
}

/** Paths of the complete backups of a folder, oldest first. */
export async function listBackupPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('Z'))
    .toSorted()
    .map((name) => join(folder, name))
}

/** A blog on a restored data folder. */
export function openRestored(
  { restored }: Folders,
  env: Record<string, string> = {},
): Promise<TestBlog> {
  return makeTestBlog({ BLOG_DATA_DIR: restored, ...env })
}
