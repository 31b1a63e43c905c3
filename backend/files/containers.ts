// Reads the container formats png, jpeg and gif and selects the bytes of the image itself: no
// metadata, nothing after its end. images.ts decodes the pixels. Every length in the file is
// untrusted, and checked against the number of bytes. In one piece because the three formats share
// the functions that read bytes and collect ranges.
import { crc32 } from 'node:zlib'

export type ImageType = 'png' | 'jpeg' | 'gif'
/**
 * `pieces`, joined, are the clean file. The other fields come from its headers: the sides of a
 * frame in pixels, the number of frames, and the number of scans (jpeg).
 */
export type CleanContainer = {
  pieces: Buffer[]
  width: number
  height: number
  frames: number
  scans: number
}

/** The bytes end early or do not follow the format. */
export class BrokenImage extends Error {}

/** Limit of chunks, segments and blocks in one file; real images have fewer. */
const PARTS_MAX = 10_000
const TOO_MANY_PARTS = 'The file has too many parts'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/**
 * The chunks of the image and its colour space, without text, time, EXIF, private chunks and APNG
 * frames.
 */
const PNG_KEPT_CHUNKS = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'bKGD',
  'hIST',
  'pHYs',
])

/** The jpeg segments from C0 to CF that are not frame headers, and so do not state the size. */
const TABLES = [0xc4, 0xc8, 0xcc]
/** Frames whose scans hold all coefficients at once. */
const SEQUENTIAL_FRAMES = [0xc0, 0xc1, 0xc9]
/** First and last coefficient, and precision, of a correct scan in such a frame. */
const WHOLE_SCAN = Buffer.from([0, 63, 0])
const JPEG_END = Buffer.from([0xff, 0xd9])

/** The type by the first bytes; only decoding proves it. */
export function findImageType(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  return undefined
}

/** Not an upload, but converted to one when it is the picture of an imported post. */
export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/**
 * Removes everything that is not the image: EXIF, XMP, IPTC, comments, thumbnails, anything after
 * the end. Corrects faults of cameras that browsers tolerate in a jpeg: stray bytes between its
 * segments, a missing end marker, wrong parameters of a sequential scan.
 *
 * @throws BrokenImage when the end is missing, a length exceeds the file, or there are more parts
 *   than `PARTS_MAX`
 * @source threat-model.md §8 "Uploads"
 */
export function cleanContainer(bytes: Buffer, type: ImageType): CleanContainer {
  return { png: cleanPng, jpeg: cleanJpeg, gif: cleanGif }[type](bytes)
}

/**
 * Collects the ranges to keep and joins adjacent ones, so that a clean file is a single piece.
 */
function makeRanges(bytes: Buffer) {
  const ranges: ([start: number, end: number] | Buffer)[] = []
  return {
    keep(start: number, end: number): void {
      const last = ranges.at(-1)
      if (Array.isArray(last) && last[1] === start) last[1] = end
      else ranges.push([start, end])
    },
    /** Adds bytes that are missing from the file here. */
    add: (piece: Buffer) => void ranges.push(piece),
    pieces: () => ranges.map((range) => (Array.isArray(range) ? bytes.subarray(...range) : range)),
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new BrokenImage('The file ends early')
  return byte
}

function cleanPng(bytes: Buffer): CleanContainer {
  const ranges = makeRanges(bytes)
  ranges.keep(0, PNG_SIGNATURE.length)
  for (let at = PNG_SIGNATURE.length, parts = 0; parts < PARTS_MAX; parts++) {
    if (at + 12 > bytes.length) throw new BrokenImage('The file ends early')
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new BrokenImage('The file ends early')
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (at === PNG_SIGNATURE.length && name !== 'IHDR')
      throw new BrokenImage('The header is missing')
    if (PNG_KEPT_CHUNKS.has(name)) {
      if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
        throw new BrokenImage('A checksum is wrong')
      ranges.keep(at, end)
    }
    if (name === 'IEND') {
      const width = bytes.readUInt32BE(16)
      const height = bytes.readUInt32BE(20)
      return { pieces: ranges.pieces(), width, height, frames: 1, scans: 1 }
    }
    at = end
  }
  throw new BrokenImage(TOO_MANY_PARTS)
}

function cleanJpeg(bytes: Buffer): CleanContainer {
  const ranges = makeRanges(bytes)
  ranges.keep(0, 2)
  const scans = makeScans()
  const sides = { width: 0, height: 0 }
  for (let at = 2, parts = 0; parts < PARTS_MAX; parts++) {
    at = nextMarker(bytes, at)
    const marker = bytes[at + 1]
    if (marker === 0xd9) ranges.keep(at, at + 2)
    else if (marker === undefined) {
      if (!scans.areWhole()) throw new BrokenImage('The file ends early')
      ranges.add(JPEG_END)
    }
    if (marker === undefined || marker === 0xd9)
      return { pieces: ranges.pieces(), ...sides, frames: 1, scans: scans.count() }
    if (marker < 0xc0 || marker === 0xd8) throw new BrokenImage('A marker is not allowed here')
    if (at + 4 > bytes.length) throw new BrokenImage('The file ends early')
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) throw new BrokenImage('The file ends early')
    const body = bytes.subarray(at + 4, end)
    if (marker === 0xda) {
      const isSequential = scans.addScan(body)
      if (!isSequential || bytes.subarray(end - 3, end).equals(WHOLE_SCAN)) ranges.keep(at, end)
      else {
        ranges.keep(at, end - 3)
        ranges.add(WHOLE_SCAN)
      }
      at = endOfScan(bytes, end)
      ranges.keep(end, at)
      continue
    }
    if (isKeptSegment(marker, body)) ranges.keep(at, end)
    if (marker <= 0xcf && !TABLES.includes(marker) && body.length >= 6) {
      sides.height = body.readUInt16BE(1)
      sides.width = body.readUInt16BE(3)
      scans.addFrame(marker, body)
    }
    at = end
  }
  throw new BrokenImage(TOO_MANY_PARTS)
}

/** Skips stray and fill bytes, and markers that are not allowed between segments. */
function nextMarker(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    const isStray = marker === 0 || marker === 1 || marker === 0xff
    if (marker !== undefined && !isStray && !isRestart(marker)) return at
  }
  return bytes.length
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/** Records which coefficients the scans of a jpeg contain. */
function makeScans() {
  let isSequential = false
  let components = 0
  let count = 0
  /** The number of coefficients at full precision, by component. */
  const finished = new Map<number | undefined, number>()
  return {
    count: () => count,
    addFrame(marker: number, body: Buffer): void {
      isSequential = SEQUENTIAL_FRAMES.includes(marker)
      components = body[5] ?? 0
    },
    /** @returns whether the image is sequential */
    addScan(body: Buffer): boolean {
      count++
      const [first = 0, last = 0, precision = 0] = body.subarray(-3)
      const coefficients = isSequential ? 64 : (precision & 15) === 0 ? last - first + 1 : 0
      for (let at = 0; at < (body[0] ?? 0); at++) {
        const component = body[1 + 2 * at]
        finished.set(component, (finished.get(component) ?? 0) + coefficients)
      }
      return isSequential
    },
    areWhole(): boolean {
      const whole = [...finished.values()].filter((coefficients) => coefficients >= 64)
      return components > 0 && whole.length === components
    },
  }
}

/**
 * Keeps frames, tables and scans. Of the application segments, keeps JFIF without a thumbnail, the
 * colour profile, and Adobe's colour flag if the decoder knows its value.
 */
function isKeptSegment(marker: number, body: Buffer): boolean {
  if (marker === 0xe0)
    return body.toString('latin1', 0, 5) === 'JFIF\0' && body.length === 14 && body[5] === 1
  if (marker === 0xe2) return body.toString('latin1', 0, 12) === 'ICC_PROFILE\0'
  if (marker === 0xee) return body.toString('latin1', 0, 5) === 'Adobe' && (body[11] ?? 0) <= 2
  return marker >= 0xc0 && marker <= 0xdf
}

/**
 * The index of the next marker, or of the end of the file: in scan data 0xff is followed by 0 or
 * begins a restart marker.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) return at
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

function cleanGif(bytes: Buffer): CleanContainer {
  const ranges = makeRanges(bytes)
  let at = 13 + tableBytes(byteAt(bytes, 10))
  if (at > bytes.length) throw new BrokenImage('The file ends early')
  ranges.keep(0, at)
  let frames = 0
  let graphicControl: [start: number, end: number] | undefined
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    const start = at
    const kind = byteAt(bytes, at)
    if (kind === 0x3b) {
      if (frames === 0) throw new BrokenImage('No image')
      ranges.keep(at, at + 1)
      const width = bytes.readUInt16LE(6)
      const height = bytes.readUInt16LE(8)
      return { pieces: ranges.pieces(), width, height, frames, scans: 1 }
    }
    if (kind === 0x2c) {
      at = endOfBlocks(bytes, at + 11 + tableBytes(byteAt(bytes, at + 9)))
      if (graphicControl) ranges.keep(...graphicControl)
      ranges.keep(start, at)
      graphicControl = undefined
      frames++
    } else if (kind === 0x21) {
      const label = byteAt(bytes, at + 1)
      at = endOfBlocks(bytes, at + 2)
      // Delay and transparency of the next block: kept for a frame, dropped for plain text.
      if (label === 0xf9) graphicControl = [start, at]
      else if (label === 0x01) graphicControl = undefined
      else if (
        label === 0xff &&
        ['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(bytes.toString('latin1', start + 3, start + 14))
      )
        ranges.keep(start, at)
    } else throw new BrokenImage('An unknown block')
  }
  throw new BrokenImage(TOO_MANY_PARTS)
}

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

function endOfBlocks(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const length = byteAt(bytes, at)
    at += 1 + length
    if (length === 0) return at
  }
}
