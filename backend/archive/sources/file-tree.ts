// Opens the files of an export: one file, a folder, or the contents of a zip. Nothing outside the
// folder or the zip is read, and links are not followed out of it.
import { createReadStream } from 'node:fs'
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { type FileTree, SourceProblem, type TreeFile } from './source.ts'
import { isForeign, openZipTree } from './zip-tree.ts'

const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06']
const ZIP_START_BYTES = 4
const MARK_BYTES = 16_384
const FILES_MAX = 1_000_000

/** @throws SourceProblem when there is no such file, or the zip is damaged or dangerous */
export async function openFileTree(path: string): Promise<FileTree> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new SourceProblem(`There is no file or folder ${path}.`)
  const name = basename(path)
  if (stats.isDirectory()) return folderTree(name, await realpath(path))
  if (!stats.isFile()) throw new SourceProblem(`${name} is neither a file nor a folder.`)
  if (await isZip(path)) return openZipTree(name, path)
  return {
    name,
    async *list() {
      yield { path: name, sizeBytes: stats.size, modifiedAt: stats.mtime.toISOString() }
    },
    open: async (wanted) => (wanted === name ? createReadStream(path) : undefined),
    close: async () => {},
  }
}

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(ZIP_START_BYTES) })
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

async function* listFolder(root: string): AsyncGenerator<TreeFile> {
  let files = 0
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    const inside: string[] = []
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isForeign(path)) continue
      if (entry.isDirectory()) inside.push(path)
      const file = entry.isDirectory() ? undefined : await findInside(root, join(root, path))
      if (!file) continue
      if (++files > FILES_MAX) throw new SourceProblem('The folder has more than a million files.')
      const { sizeBytes, modifiedAt } = file
      yield { path: normaliseUnicode(path), sizeBytes, modifiedAt }
    }
    folders.push(...inside.toReversed())
  }
}

/** @returns undefined unless it is a file in the folder; a link may lead to another file in it */
async function findInside(root: string, path: string) {
  const real = await realpath(path).catch(() => undefined)
  if (!real?.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const stats = await lstat(real).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  return { path: real, sizeBytes: stats.size, modifiedAt: stats.mtime.toISOString() }
}

export async function openFile(tree: FileTree, path: string): Promise<AsyncIterable<Buffer>> {
  const stream = await tree.open(path)
  if (!stream) throw new SourceProblem(`There is no file ${path}.`)
  return stream
}

/** The first bytes of a file. */
export async function readBeginning(tree: FileTree, path: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of await openFile(tree, path)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

/** @throws SourceProblem when the file is longer */
export async function readWhole(tree: FileTree, path: string, maxBytes: number): Promise<Buffer> {
  const bytes = await readBeginning(tree, path, maxBytes + 1)
  if (bytes.length <= maxBytes) return bytes
  throw new SourceProblem(`${path} is longer than ${Math.round(maxBytes / 1_000_000)} MB.`)
}

/** In UTF-8 or UTF-16; bytes that are neither are those of Windows. */
export async function readText(tree: FileTree, path: string, maxBytes: number): Promise<string> {
  const bytes = await readWhole(tree, path, maxBytes)
  try {
    return new TextDecoder(findUtf16(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** By the mark of the byte order, or by a `<` at the beginning. */
export function findUtf16([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  return isBigEndian ? 'utf-16be' : undefined
}

/** The files of such a name whose first bytes have the mark, in UTF-8 or UTF-16. */
export async function* findMarked(tree: FileTree, name: RegExp, mark: RegExp) {
  for await (const file of tree.list()) {
    if (!name.test(file.path)) continue
    const beginning = await readBeginning(tree, file.path, MARK_BYTES)
    if (mark.test(beginning.toString('latin1').replaceAll('\0', ''))) yield file
  }
}
