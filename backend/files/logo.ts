// Draws the logo of the blog from what an operator chose, or smaller from what was drawn. Runs in
// an image process.
import { LOGO } from '#contract/site-settings.ts'
import { findImageType } from './containers.ts'
import { openImage, sharp } from './images.ts'

/** Sharp's own: how many pixels an inch of a drawing has, without and at most. */
const SVG_DENSITY = { usual: 72, most: 100_000 } as const
/** Of a drawing before it is drawn at the size of the logo. */
const SVG_MAX_PIXELS = 4096 ** 2
/**
 * What a picture does not need, spaces left out: declarations that make words of words, scripts,
 * other documents, other addresses. The library reaches nothing outside by itself; this is the
 * first of two walls.
 */
const SVG_REFUSED = new RegExp(
  [
    '<!',
    '<\\?(?!xmlversion)',
    '<(?:[^<>:="\'/]+:)?(?:script|foreignobject|image|feimage|iframe|include)',
    '(?:href|src)=["\']?[^"\'#]',
    'attributename=["\'](?:[^"\':]+:)?(?:href|src)',
    'xml:base=',
    'url\\(["\']?[^"\'#]',
    '(?:image-set|image|cross-fade|src)\\(',
    '@(?:import|font-face)',
    'encoding=["\'](?!utf-8["\'])',
  ].join('|'),
  'i',
)

/** @throws Error for what is no picture, not square, too small or too large */
export async function drawLogo(bytes: Buffer, { side }: { side: number }) {
  const image = (await openRaster(bytes)) ?? (await openSvg(bytes))
  const drawn = image.resize({ width: side, height: side, fit: 'fill' })
  // At most a byte for each pixel: its size is bounded.
  return { bytes: await drawn.png({ palette: true, compressionLevel: 9 }).toBuffer() }
}

async function openRaster(bytes: Buffer) {
  const type = findImageType(bytes)
  if (type === undefined) return undefined
  if (type === 'gif') throw new Error('a gif')
  const image = openImage(bytes)
  const { width, height } = await image.metadata()
  const isFine = width === height && width >= LOGO.minPixels && width <= LOGO.maxPixels
  if (!isFine) throw new Error('not square, too small or too large')
  return image.autoOrient()
}

/** Looks at the drawing as XML reads it, and as CSS reads that. */
function isPlain(text: string): boolean {
  const asXml = text.replace(/<!--.*?-->/gs, '').replace(REFERENCE, readReference)
  const asCss = asXml.replace(CSS_ESCAPE, (_all, hex: string | undefined, sign = '') =>
    hex === undefined ? sign : characterOf(Number.parseInt(hex, 16)),
  )
  return [asXml, asCss].every((reading) => !SVG_REFUSED.test(reading.replace(/\s+/g, '')))
}

const REFERENCE = /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi
const CSS_ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(.))/gis
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function readReference(all: string, decimal?: string, hex?: string, name = ''): string {
  if (decimal !== undefined) return characterOf(Number(decimal))
  return hex === undefined ? (ENTITIES[name] ?? all) : characterOf(Number.parseInt(hex, 16))
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Drawn as a picture: nothing of it but pixels leaves this process. */
async function openSvg(bytes: Buffer) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (!/^\s*</.test(text) || !isPlain(text)) throw new Error('not a plain drawing')
  const limits = { failOn: 'error', limitInputPixels: SVG_MAX_PIXELS } as const
  const { format, width, height } = await sharp(bytes, limits).metadata()
  if (format !== 'svg' || Math.abs(width - height) > 1) throw new Error('no square drawing')
  const density = Math.min(SVG_DENSITY.most, (SVG_DENSITY.usual * LOGO.side) / width)
  return sharp(bytes, { ...limits, density: Math.max(1, density) })
}
