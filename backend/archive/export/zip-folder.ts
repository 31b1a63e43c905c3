// A finished export as one zip.
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { type ArchiveEntry, makeArchive } from '../../process/zip-archive.ts'

/** Compressing these again would only take time. */
const COMPRESSED = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.woff2', '.zip', '']

/** All files of a folder, in one order on every system, one open at a time. */
export async function zipFolder(folder: string): Promise<Readable> {
  const entries: ArchiveEntry[] = []
  for await (const path of listFiles(folder))
    entries.push({
      path,
      changedAt: (await stat(join(folder, path))).mtime,
      isCompressible: !COMPRESSED.includes(extname(path).toLowerCase()),
      open: async () => createReadStream(join(folder, path)),
    })
  return makeArchive(entries)
}

/** The paths of all files below a folder, relative to `root`, in one order on every system. */
export async function* listFiles(root: string, folder = ''): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* listFiles(root, path)
    else if (entry.isFile()) yield path
  }
}
