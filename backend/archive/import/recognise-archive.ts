// Recognises an archive of this program, and a blog that is empty enough to become the same blog.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openRawDatabase, SQLITE_FILE, type StorageConfig } from '../../backups/blog-contents.ts'
import { findFilledTable } from '../../backups/copy-rows.ts'
import { MANIFEST, type Manifest, readManifest } from '../manifest.ts'
import type { FileTree } from '../sources/source.ts'

const MARK = /^\s*\{\s*"archive":\s*"lamplight"/
const MARK_MAX_BYTES = 256

/**
 * @returns undefined for files that are no archive
 * @throws CopyProblem for an archive of a newer program, and a damaged one
 */
export async function findManifest(tree: FileTree): Promise<Manifest | undefined> {
  const beginning = await tree.open(MANIFEST)
  if (!beginning) return undefined
  // Other programs have files of this name, too.
  let start = ''
  for await (const piece of beginning) {
    start += piece.toString('latin1')
    if (start.length >= MARK_MAX_BYTES) break
  }
  const stream = MARK.test(start) ? await tree.open(MANIFEST) : undefined
  return stream && (await readManifest(stream))
}

/** Whether the blog of these settings has no rows, or does not exist yet. */
export async function isEmptyBlog(storage: StorageConfig): Promise<boolean> {
  const { dataDir, databaseUrl } = storage
  if (databaseUrl === undefined && !existsSync(join(dataDir, SQLITE_FILE))) return true
  await using database = await openRawDatabase(storage)
  return (await findFilledTable(database)) === undefined
}
