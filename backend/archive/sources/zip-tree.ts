// The files of a zip (yauzl), without unpacking it. Refuses what would not end: bombs, entries that
// share their bytes, sizes that are not true. The directory of a zip may be larger than memory.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { type FileTree, SourceProblem } from './source.ts'

const ENTRIES_MAX = 1_000_000
/** Texts compress to a twentieth at most; deflate itself goes to a thousandth. */
const RATIO_MAX = 200
const RATIO_FREE_BYTES = 50_000_000
/** Of a small zip, whose directory compresses well. */
const ZIP_GROWS_BYTES = 16 * 1024 * 1024
const FILE_TYPE_SHIFT = 28
const SYMBOLIC_LINK = 0o12
const STORED = 0
const DEFLATED = 8

/** The numbers of an entry that reading it needs, in this order. */
type Location = [offset: number, compressed: number, size: number, method: number, crc: number]
type Names = {
  toTreePath: (name: string) => string | undefined
  isZip: (path: string) => Promise<boolean>
  /** Where a zip within the zip is unpacked. */
  tempFolder: string
}

export async function openZipTree(
  name: string,
  path: string,
  names: Names,
  isInner = false,
): Promise<FileTree> {
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch((cause) => {
    throw new SourceProblem(`${name} is damaged, or no complete zip.`, 0, { cause })
  })
  const entries = makeDiskMap<Location>()
  const close = async () => {
    zip.close()
    entries[Symbol.dispose]()
  }
  try {
    await readDirectory(zip, entries, names)
  } catch (error) {
    await close()
    if (error instanceof SourceProblem) throw error
    throw new SourceProblem(`${name} is damaged, or no complete zip.`, 0, { cause: error })
  }
  const tree = treeOf(name, zip, entries, close)
  const [only] = entries.size === 1 && !isInner ? entries.entries() : []
  return only && isLikeZip(only[1]) ? openInner(tree, names) : tree
}

/** A zip is compressed already, so it stays about as large in another one. */
function isLikeZip([, compressed, size]: Location): boolean {
  return size <= 2 * compressed + ZIP_GROWS_BYTES
}

function treeOf(
  name: string,
  zip: ZipFile,
  entries: DiskMap<Location>,
  close: () => Promise<void>,
): FileTree {
  return {
    name,
    async *list() {
      for (const [path, [, , sizeBytes]] of entries.entries()) yield { path, sizeBytes }
    },
    async open(path) {
      const location = entries.get(normaliseUnicode(path))
      return location && Readable.from(readEntry(zip, path, location), { objectMode: false })
    },
    close,
  }
}

async function readDirectory(zip: ZipFile, entries: DiskMap<Location>, { toTreePath }: Names) {
  let compressedBytes = 0
  if (zip.entryCount > ENTRIES_MAX)
    throw new SourceProblem('The zip has more than a million files.')
  for await (const entry of zip.eachEntry()) {
    const path = toTreePath(nameOf(entry))
    const isLink = entry.externalFileAttributes >>> FILE_TYPE_SHIFT === SYMBOLIC_LINK
    compressedBytes += entry.compressedSize
    if (compressedBytes > zip.fileSize)
      throw new SourceProblem('The zip is a bomb: its files share their bytes.')
    if (path === undefined || path.endsWith('/') || isLink) continue
    requireReadable(entry, path)
    const { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize } = entry
    const isNew = entries.add(path, [
      relativeOffsetOfLocalHeader,
      compressedSize,
      uncompressedSize,
      entry.compressionMethod,
      entry.crc32,
    ])
    if (!isNew) throw new SourceProblem(`The zip has two files named ${path}.`)
  }
}

function requireReadable(entry: Entry, path: string): void {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (entry.isEncrypted())
    throw new SourceProblem('The zip needs a password. Unpack it, and import the folder.')
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new SourceProblem(`${path} in the zip is compressed in a way that cannot be read.`)
  if (uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > RATIO_MAX * compressedSize)
    throw new SourceProblem(`${path} in the zip is a bomb: it would be ${uncompressedSize} bytes.`)
}

/** Many programs write UTF-8 without saying so. Other bytes are the old code page of DOS. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw)
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

async function* readEntry(zip: ZipFile, path: string, location: Location) {
  const [offset, compressed, size, method, crc] = location
  const entry = Object.assign(new Entry(), {
    relativeOffsetOfLocalHeader: offset,
    compressedSize: compressed,
    uncompressedSize: size,
    compressionMethod: method,
    generalPurposeBitFlag: 0,
  })
  let actual = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      actual = crc32(chunk as Buffer, actual)
      yield chunk as Buffer
    }
  } catch (cause) {
    throw new SourceProblem(`${path} in the zip is damaged.`, 0, { cause })
  }
  if (actual !== crc) throw new SourceProblem(`${path} in the zip is damaged.`)
}

/** A zip with nothing but another zip: a mail program or a browser has packed it once more. */
async function openInner(outer: FileTree, names: Names): Promise<FileTree> {
  const folder = await mkdtemp(join(names.tempFolder, 'import-'))
  const path = join(folder, 'inner.zip')
  const leave = async () => {
    await outer.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (!(await copyIfZip(outer, path, names))) {
      await rm(folder, { recursive: true, force: true })
      return outer
    }
    const inner = await openZipTree(outer.name, path, names, true)
    const close = async () => {
      await inner.close()
      await leave()
    }
    return { ...inner, close }
  } catch (error) {
    await leave()
    throw error
  }
}

async function copyIfZip(outer: FileTree, path: string, { isZip }: Names): Promise<boolean> {
  for await (const file of outer.list()) {
    const beginning = await outer.open(file.path)
    if (!beginning) return false
    let isFirst = true
    await pipeline(
      beginning,
      async function* (chunks) {
        for await (const chunk of chunks as AsyncIterable<Buffer>) {
          if (isFirst && chunk.toString('latin1', 0, 2) !== 'PK') return
          isFirst = false
          yield chunk
        }
      },
      createWriteStream(path),
    )
  }
  return (await stat(path)).size > 0 && isZip(path)
}
