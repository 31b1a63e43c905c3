// The files of a zip (yauzl), without unpacking it. Refuses what would not end: bombs, entries that
// share their bytes, sizes that are not true. The directory of a zip may be larger than memory.
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { type FileTree, SourceProblem } from './source.ts'

const ENTRIES_MAX = 1_000_000
/** Texts compress to a twentieth at most; deflate itself goes to a thousandth. */
const RATIO_MAX = 200
const RATIO_FREE_BYTES = 50_000_000
const PATH_MAX_CHARS = 4096
const FILE_TYPE_SHIFT = 28
const SYMBOLIC_LINK = 0o12
const STORED = 0
const DEFLATED = 8
/** What systems and programs put into folders beside the files of a person. */
const FOREIGN =
  /(?:^|\/)(?:__MACOSX|\.git|node_modules|\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)(?:\/|$)/

/** What reading an entry needs, and when it was changed. */
type Location = Pick<
  Entry,
  | 'relativeOffsetOfLocalHeader'
  | 'compressedSize'
  | 'uncompressedSize'
  | 'compressionMethod'
  | 'crc32'
> & { modifiedAt: string }

export function isForeign(path: string): boolean {
  return FOREIGN.test(path)
}

export async function openZipTree(name: string, path: string): Promise<FileTree> {
  const entries = makeDiskMap<Location>()
  let zip: ZipFile | undefined
  const close = async () => {
    zip?.close()
    entries[Symbol.dispose]()
  }
  try {
    zip = await openPromise(path, { autoClose: false, decodeStrings: false })
    await readDirectory(zip, entries)
    return treeOf(name, zip, entries, close)
  } catch (cause) {
    await close()
    if (cause instanceof SourceProblem) throw cause
    throw new SourceProblem(`${name} is damaged, or no complete zip.`, 0, { cause })
  }
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
      for (const [path, { uncompressedSize, modifiedAt }] of entries.entries())
        yield { path, sizeBytes: uncompressedSize, modifiedAt }
    },
    async open(path) {
      const location = entries.get(normaliseUnicode(path))
      return location && Readable.from(readEntry(zip, path, location), { objectMode: false })
    },
    close,
  }
}

async function readDirectory(zip: ZipFile, entries: DiskMap<Location>) {
  let compressedBytes = 0
  if (zip.entryCount > ENTRIES_MAX)
    throw new SourceProblem('The zip has more than a million files.')
  for await (const entry of zip.eachEntry()) {
    const path = toTreePath(nameOf(entry))
    const isLink = entry.externalFileAttributes >>> FILE_TYPE_SHIFT === SYMBOLIC_LINK
    compressedBytes += entry.compressedSize
    if (compressedBytes > zip.fileSize)
      throw new SourceProblem('The zip is a bomb: its files share their bytes.')
    if (isForeign(path) || path.endsWith('/') || isLink) continue
    requireReadable(entry, path)
    const { relativeOffsetOfLocalHeader, compressionMethod, crc32: checksum } = entry
    const { compressedSize, uncompressedSize } = entry
    const location = {
      relativeOffsetOfLocalHeader,
      compressedSize,
      uncompressedSize,
      compressionMethod,
      crc32: checksum,
      modifiedAt: new Date(entry.getLastModDate().getTime() || 0).toISOString(),
    }
    if (!entries.add(path, location))
      throw new SourceProblem(`The zip has two files named ${path}.`)
  }
}

/**
 * A name in normal form.
 *
 * @throws SourceProblem for a name outside the zip
 */
function toTreePath(name: string): string {
  const path = normaliseUnicode(name.replaceAll('\\', '/')).replace(/^(?:\.\/)+/, '')
  if (path.length > PATH_MAX_CHARS) throw new SourceProblem('A file has a name that is too long.')
  if (/^\/|^[a-z]:|(?:^|\/)\.\.(?:\/|$)/i.test(path) || path.includes('\0'))
    throw new SourceProblem(`A file is outside the folder that the zip is for: ${path}`)
  return path.replace(/\/{2,}/g, '/').replaceAll('/./', '/')
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
  const entry = Object.assign(new Entry(), location, { generalPurposeBitFlag: 0 })
  let checksum = 0
  /** While the reader has a chunk, an error is the reader's own. */
  let isReading = true
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(chunk as Buffer, checksum)
      isReading = false
      yield chunk as Buffer
      isReading = true
    }
  } catch (cause) {
    if (!isReading) return
    throw new SourceProblem(`${path} in the zip is damaged.`, 0, { cause })
  }
  if (checksum !== location.crc32) throw new SourceProblem(`${path} in the zip is damaged.`)
}
