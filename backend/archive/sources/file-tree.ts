// Opens the files of an export: one file, a folder, or the contents of a zip. Nothing outside the
// folder or the zip is read, and links are not followed out of it.
import { createReadStream } from 'node:fs'
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { type FileTree, SourceProblem } from './source.ts'
import { openZipTree } from './zip-tree.ts'

/** What systems and programs put into folders beside the files of a person. */
const FOREIGN =
  /(?:^|\/)(?:__MACOSX|\.git|node_modules|\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)(?:\/|$)/
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06']
const ZIP_START_BYTES = 4
const PATH_MAX_CHARS = 4096
const FILES_MAX = 1_000_000

/** @throws SourceProblem when there is no such file, or the zip is damaged or dangerous */
export async function openFileTree(path: string, tempFolder = tmpdir()): Promise<FileTree> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new SourceProblem(`There is no file or folder ${path}.`)
  const name = basename(path)
  if (stats.isDirectory()) return folderTree(name, await realpath(path))
  if (!stats.isFile()) throw new SourceProblem(`${name} is neither a file nor a folder.`)
  if (await isZip(path)) return openZipTree(name, path, { toTreePath, isZip, tempFolder })
  return {
    name,
    async *list() {
      yield { path: name, sizeBytes: stats.size }
    },
    open: async (wanted) => (wanted === name ? createReadStream(path) : undefined),
    close: async () => {},
  }
}

/**
 * A name of a folder or a zip in normal form.
 *
 * @returns undefined for files that are none of the export, such as `.DS_Store`
 * @throws SourceProblem for a name outside the folder or zip
 */
function toTreePath(name: string): string | undefined {
  const path = normaliseUnicode(name.replaceAll('\\', '/')).replace(/^(?:\.\/)+/, '')
  if (path.length > PATH_MAX_CHARS) throw new SourceProblem('A file has a name that is too long.')
  if (/^\/|^[a-z]:|(?:^|\/)\.\.(?:\/|$)/i.test(path) || path.includes('\0'))
    throw new SourceProblem(`A file is outside the folder that the zip is for: ${path}`)
  return FOREIGN.test(path) ? undefined : path.replace(/\/{2,}/g, '/').replaceAll('/./', '/')
}

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(ZIP_START_BYTES),
    0,
    ZIP_START_BYTES,
    0,
  )
  return ZIP_STARTS.includes(buffer.toString('latin1', 0, bytesRead))
}

function folderTree(name: string, root: string): FileTree {
  return {
    name,
    list: () => listFolder(root),
    async open(path) {
      if (/(?:^|\/)\.\.?(?:\/|$)|^\//.test(path) || path.includes('\0')) return undefined
      // macOS stores names in decomposed form.
      for (const form of ['NFC', 'NFD'] as const) {
        const file = await findInside(root, join(root, normaliseUnicode(path, form)))
        if (file) return createReadStream(file.path)
      }
      return undefined
    },
    close: async () => {},
  }
}

async function* listFolder(root: string): AsyncGenerator<{ path: string; sizeBytes: number }> {
  let files = 0
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    const inside: string[] = []
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (FOREIGN.test(path)) continue
      if (entry.isDirectory()) inside.push(path)
      const file = entry.isDirectory() ? undefined : await findInside(root, join(root, path))
      if (!file) continue
      if (++files > FILES_MAX) throw new SourceProblem('The folder has more than a million files.')
      yield { path: normaliseUnicode(path), sizeBytes: file.sizeBytes }
    }
    folders.push(...inside.toReversed())
  }
}

/** @returns undefined unless it is a file in the folder; a link may lead to another file in it */
async function findInside(root: string, path: string) {
  const real = await realpath(path).catch(() => undefined)
  if (!real?.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const stats = await lstat(real).catch(() => undefined)
  return stats?.isFile() ? { path: real, sizeBytes: stats.size } : undefined
}

/** @throws SourceProblem when the file is longer */
export async function readWhole(tree: FileTree, path: string, maxBytes: number): Promise<Buffer> {
  const stream = await tree.open(path)
  if (!stream) throw new SourceProblem(`There is no file ${path}.`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new SourceProblem(`${path} is longer than ${Math.round(maxBytes / 1_000_000)} MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The first bytes of a file. */
export async function readBeginning(tree: FileTree, path: string, bytes: number): Promise<Buffer> {
  const stream = (await tree.open(path)) ?? Readable.from([])
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}
