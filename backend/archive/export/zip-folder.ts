// A finished export as one zip.
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ArchiveEntry, makeArchive } from '../../process/zip-archive.ts'

/** Compressing these again would only take time. */
const COMPRESSED = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.woff2', '.zip', '']

/** All files of a folder, in one order on every system, one open at a time. */
export async function zipFolder(folder: string): Promise<Readable> {
  const entries: ArchiveEntry[] = []
  for await (const path of listPaths(folder, ''))
    entries.push({
      path,
      changedAt: (await stat(join(folder, path))).mtime,
      isCompressible: !COMPRESSED.includes(extname(path).toLowerCase()),
      open: async () => createReadStream(join(folder, path)),
    })
  return makeArchive(entries)
}

async function* listPaths(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* listPaths(root, path)
    else if (entry.isFile()) yield path
  }
}
