// Detects the type of an image file by its content: its name and its declared type may be wrong.
// Reads only small parts of a file, except to find out whether a GIF is animated.

export type ImageKind =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'bmp'
  | 'tiff'
  | 'jxl'
  | 'ico'
  | 'svg'

/**
 * `width` and `height` are known for the types that the site stores, unless the file is broken;
 * `isCut`: the end is missing, which only the header of a WebP file reveals.
 */
export type ImageFacts = { kind: ImageKind; width?: number; height?: number; isCut?: boolean }

type Bytes = Pick<Blob, 'size' | 'slice'>

const HEAD_BYTES = 64
const SVG_BYTES = 1024
/** The header of a WebP file, which gives the length of the rest; a last byte may be padding. */
const RIFF_BYTES = 8
const AVIF_BRANDS = ['avif', 'avis']
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']
/** The first bytes of files of each kind. */
const BEGINNINGS: readonly (readonly [ImageKind, readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['bmp', [0x42, 0x4d]],
  ['tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['ico', [0x00, 0x00, 0x01, 0x00]],
  ['jxl', [0xff, 0x0a]],
  ['jxl', [0x00, 0x00, 0x00, 0x0c, 0x4a, 0x58, 0x4c, 0x20]],
]

/** @returns undefined if the file is not an image */
export async function findImageFacts(file: Bytes): Promise<ImageFacts | undefined> {
  const head = await readBytes(file, 0, HEAD_BYTES)
  const kind = kindOf(head) ?? ((await isSvg(file)) ? 'svg' : undefined)
  if (kind === 'png' && head.byteLength >= 24)
    return { kind, width: head.getUint32(16), height: head.getUint32(20) }
  if (kind === 'gif' && head.byteLength >= 10)
    return { kind, width: head.getUint16(6, true), height: head.getUint16(8, true) }
  if (kind === 'webp') return { kind, isCut: head.getUint32(4, true) + RIFF_BYTES > file.size + 1 }
  if (kind === 'jpeg') return { kind, ...(await findJpegSize(file)) }
  return kind && { kind }
}

function kindOf(head: DataView): ImageKind | undefined {
  const beginning = BEGINNINGS.find(
    ([, bytes]) =>
      bytes.length <= head.byteLength &&
      bytes.every((byte, offset) => head.getUint8(offset) === byte),
  )
  if (beginning) return beginning[0]
  if (textAt(head, 0) === 'RIFF' && textAt(head, 8) === 'WEBP') return 'webp'
  if (textAt(head, 4) !== 'ftyp') return undefined
  const brands: string[] = []
  const endOfBox = Math.min(head.getUint32(0), head.byteLength)
  for (let offset = 8; offset + 4 <= endOfBox; offset += 4)
    if (offset !== 12) brands.push(textAt(head, offset))
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif'
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : undefined
}

async function isSvg(file: Bytes): Promise<boolean> {
  const text = await new Response(file.slice(0, SVG_BYTES)).text()
  // Comments are removed by splitting: a pattern with several comments could backtrack for ever.
  const [before = '', ...comments] = text.split('<!--')
  const behind = comments.map((comment) => comment.split('-->').slice(1).join('-->'))
  const uncommented = before + behind.join('')
  return /^(?:<\?xml[^>]*>|<!DOCTYPE[^>]*>|\s)*<svg[\s>]/i.test(uncommented)
}

/** Goes from marker to marker up to the one that begins the picture and names its size. */
async function findJpegSize(file: Bytes): Promise<{ width?: number; height?: number }> {
  let offset = 2
  while (offset + 10 <= file.size) {
    const view = await readBytes(file, offset, 10)
    if (view.getUint8(0) !== 0xff) return {}
    const marker = view.getUint8(1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(5), width: view.getUint16(7) }
    if (marker === 0xff) offset += 1
    else if (marker === 0xda) return {}
    else offset += 2 + Math.max(2, view.getUint16(2))
  }
  return {}
}

/** Whether a GIF has more than one picture. */
export async function isAnimatedGif(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const afterTable = (flagsAt: number, next: number): number => {
    const flags = bytes[flagsAt] ?? 0
    return flags & 0x80 ? next + 3 * 2 ** ((flags & 7) + 1) : next
  }
  const afterBlocks = (start: number): number => {
    let next = start
    while (next < bytes.length && bytes[next] !== 0) next += 1 + (bytes[next] ?? 0)
    return next + 1
  }
  let frames = 0
  let offset = afterTable(10, 13)
  while (offset < bytes.length && frames < 2) {
    if (bytes[offset] === 0x21) offset = afterBlocks(offset + 2)
    else if (bytes[offset] === 0x2c) {
      frames += 1
      offset = afterBlocks(afterTable(offset + 9, offset + 10) + 1)
    } else break
  }
  return frames > 1
}

async function readBytes(file: Bytes, start: number, length: number): Promise<DataView> {
  return new DataView(await new Response(file.slice(start, start + length)).arrayBuffer())
}

function textAt(view: DataView, offset: number): string {
  if (view.byteLength < offset + 4) return ''
  return String.fromCharCode(...new Uint8Array(view.buffer, offset, 4))
}
