// Draws the logo of the blog from an operator's upload, or a smaller one from the stored logo. Runs
// in an image process.
import { LOGO } from '#contract/site-settings.ts'
import { findImageType } from './containers.ts'
import { openImage, sharp } from './images.ts'

/** Sharp's default and maximum density of an SVG, in pixels per inch. */
const SVG_DENSITY = { standard: 72, max: 100_000 } as const
/** Limit of the size that an SVG declares, before it is drawn at the size of the logo. */
const SVG_MAX_PIXELS = 4096 ** 2
/**
 * Matches forbidden parts of an SVG, from which whitespace has been removed: entity declarations,
 * scripts, other documents and addresses. A second defence: the library loads nothing anyway.
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

/** @throws Error when the bytes are no image, not square, too small or too large */
export async function drawLogo(bytes: Buffer, { side }: { side: number }) {
  const image = (await openRaster(bytes)) ?? (await openSvg(bytes))
  const resized = image.resize({ width: side, height: side, fit: 'fill' })
  // A palette takes at most one byte for each pixel, which bounds the size.
  return { bytes: await resized.png({ palette: true, compressionLevel: 9 }).toBuffer() }
}

async function openRaster(bytes: Buffer) {
  const type = findImageType(bytes)
  if (type === undefined) return undefined
  if (type === 'gif') throw new Error('a gif')
  const image = openImage(bytes)
  const { width, height } = await image.metadata()
  const isAllowedSize = width === height && width >= LOGO.minPixels && width <= LOGO.maxPixels
  if (!isAllowedSize) throw new Error('not square, too small or too large')
  return image.autoOrient()
}

/** Checks the text with its XML references replaced, and also with its CSS escapes replaced. */
function isPlain(text: string): boolean {
  const asXml = text.replace(/<!--.*?-->/gs, '').replace(REFERENCE, readReference)
  const asCss = asXml.replace(CSS_ESCAPE, (_match, hex: string | undefined, character = '') =>
    hex === undefined ? character : characterOf(Number.parseInt(hex, 16)),
  )
  return [asXml, asCss].every((variant) => !SVG_REFUSED.test(variant.replace(/\s+/g, '')))
}

const REFERENCE = /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi
const CSS_ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(.))/gis
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function readReference(match: string, decimal?: string, hex?: string, name = ''): string {
  if (decimal !== undefined) return characterOf(Number(decimal))
  return hex === undefined ? (ENTITIES[name] ?? match) : characterOf(Number.parseInt(hex, 16))
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Opens an SVG to draw it: only its pixels leave this process. */
async function openSvg(bytes: Buffer) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (!/^\s*</.test(text) || !isPlain(text)) throw new Error('not a plain drawing')
  const limits = { failOn: 'error', limitInputPixels: SVG_MAX_PIXELS } as const
  const { format, width, height } = await sharp(bytes, limits).metadata()
  if (format !== 'svg' || Math.abs(width - height) > 1) throw new Error('no square drawing')
  const density = Math.min(SVG_DENSITY.max, (SVG_DENSITY.standard * LOGO.side) / width)
  return sharp(bytes, { ...limits, density: Math.max(1, density) })
}
