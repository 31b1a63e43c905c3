// Reads the container formats png, jpeg and gif and selects the bytes of the image itself: no
// metadata, nothing after its end. Decodes no pixel (images.ts does). Every length in the file is
// untrusted and is checked against the bytes that are there. In one piece because the three formats
// share the reading of bytes and the collecting of ranges.
import { crc32 } from 'node:zlib'

export type ImageType = 'png' | 'jpeg' | 'gif'
/**
 * `pieces` joined are the clean file. The rest is what its parts say, without decoding: the sides
 * of a frame in pixels, how many frames there are, and how many scans (jpeg).
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

/** Chunks, segments and blocks of one file; the longest images that programs write have fewer. */
const PARTS_MAX = 10_000
const TOO_MANY_PARTS = 'The file has too many parts'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/**
 * The image and its colour space; text, time, EXIF, private chunks and APNG frames are left out.
 */
const PNG_KEPT_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT'],
  ...['sRGB', 'cICP', 'mDCV', 'cLLI', 'bKGD', 'hIST', 'pHYs'],
])

/** Segments of a jpeg from C0 to CF tell its sides, but for these. */
const TABLES = [0xc4, 0xc8, 0xcc]

/** The type that the first bytes claim; only decoding proves it. */
export function findImageType(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  return undefined
}

/**
 * Removes everything that is not the image: EXIF, XMP, IPTC, comments, thumbnails, anything after
 * the end.
 *
 * @throws BrokenImage when the end marker is missing, a length leads beyond the bytes, or there are
 *   more parts than `PARTS_MAX`
 * @source threat-model.md §8 "Uploads"
 */
export function cleanContainer(bytes: Buffer, type: ImageType): CleanContainer {
  return { png: cleanPng, jpeg: cleanJpeg, gif: cleanGif }[type](bytes)
}

/**
 * Collects the ranges to keep and joins adjacent ones, so that a file already clean is one piece.
 */
function makeRanges(bytes: Buffer) {
  const ranges: [start: number, end: number][] = []
  return {
    keep(start: number, end: number): void {
      const last = ranges.at(-1)
      if (last && last[1] === start) last[1] = end
      else ranges.push([start, end])
    },
    pieces: () => ranges.map(([start, end]) => bytes.subarray(start, end)),
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new BrokenImage('The file ends early')
  return byte
}

function cleanPng(bytes: Buffer): CleanContainer {
  const kept = makeRanges(bytes)
  kept.keep(0, PNG_SIGNATURE.length)
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
      kept.keep(at, end)
    }
    if (name === 'IEND') {
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
      return { pieces: kept.pieces(), width, height, frames: 1, scans: 1 }
    }
    at = end
  }
  throw new BrokenImage(TOO_MANY_PARTS)
}

function cleanJpeg(bytes: Buffer): CleanContainer {
  const kept = makeRanges(bytes)
  kept.keep(0, 2)
  const found = { width: 0, height: 0, frames: 1, scans: 0 }
  for (let at = 2, parts = 0; parts < PARTS_MAX; parts++) {
    if (byteAt(bytes, at) !== 0xff) throw new BrokenImage('A marker is missing')
    const marker = byteAt(bytes, at + 1)
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    if (marker === 0xd9) {
      kept.keep(at, at + 2)
      return { pieces: kept.pieces(), ...found }
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8))
      throw new BrokenImage('A marker is not allowed here')
    if (at + 4 > bytes.length) throw new BrokenImage('The file ends early')
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) throw new BrokenImage('The file ends early')
    if (isKeptSegment(marker, bytes.subarray(at + 4, end))) kept.keep(at, end)
    if (marker <= 0xcf && !TABLES.includes(marker) && end >= at + 9) {
      found.height = bytes.readUInt16BE(at + 5)
      found.width = bytes.readUInt16BE(at + 7)
    }
    at = end
    if (marker === 0xda) {
      found.scans++
      at = endOfScan(bytes, end)
      kept.keep(end, at)
    }
  }
  throw new BrokenImage(TOO_MANY_PARTS)
}

/**
 * Frames, tables and scans; of the application segments JFIF without a thumbnail, the colour
 * profile and Adobe's colour flag.
 */
function isKeptSegment(marker: number, body: Buffer): boolean {
  if (marker === 0xe0) return body.toString('latin1', 0, 5) === 'JFIF\0' && body.length === 14
  if (marker === 0xe2) return body.toString('latin1', 0, 12) === 'ICC_PROFILE\0'
  if (marker === 0xee) return body.toString('latin1', 0, 5) === 'Adobe'
  return marker >= 0xc0 && marker <= 0xdf
}

/** Where the next marker starts: in scan data 0xff is followed by 0 or is a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = byteAt(bytes, at + 1)
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at
  }
  throw new BrokenImage('The file ends early')
}

function cleanGif(bytes: Buffer): CleanContainer {
  const kept = makeRanges(bytes)
  let at = 13 + tableBytes(byteAt(bytes, 10))
  if (at > bytes.length) throw new BrokenImage('The file ends early')
  kept.keep(0, at)
  let frames = 0
  let graphicControl: [start: number, end: number] | undefined
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    const start = at
    const kind = byteAt(bytes, at)
    if (kind === 0x3b) {
      if (frames === 0) throw new BrokenImage('No image')
      kept.keep(at, at + 1)
      const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
      return { pieces: kept.pieces(), width, height, frames, scans: 1 }
    }
    if (kind === 0x2c) {
      at = endOfBlocks(bytes, at + 11 + tableBytes(byteAt(bytes, at + 9)))
      if (graphicControl) kept.keep(...graphicControl)
      kept.keep(start, at)
      graphicControl = undefined
      frames++
    } else if (kind === 0x21) {
      const label = byteAt(bytes, at + 1)
      at = endOfBlocks(bytes, at + 2)
      // Delay and transparency of the next block: kept with a frame, dropped with plain text.
      if (label === 0xf9) graphicControl = [start, at]
      else if (label === 0x01) graphicControl = undefined
      else if (
        label === 0xff &&
        ['NETSCAPE2.0', 'ANIMEXTS1.0'].includes(bytes.toString('latin1', start + 3, start + 14))
      )
        kept.keep(start, at)
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
