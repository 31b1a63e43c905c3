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
const SVG_REFUSED =
  /<!(?!--)|<\?(?!xmlversion)|<(?:\w+:)?(?:script|foreignobject|image|feimage|iframe)|(?:href|src)=["']?[^"'#]|url\(["']?[^"'#]|@import|encoding=["'](?!utf-8["'])/i

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

/** Drawn as a picture: nothing of it but pixels leaves this process. */
async function openSvg(bytes: Buffer) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (!/^\s*</.test(text) || SVG_REFUSED.test(text.replace(/\s+/g, '')))
    throw new Error('not a plain drawing')
  const limits = { failOn: 'error', limitInputPixels: SVG_MAX_PIXELS } as const
  const { format, width, height } = await sharp(bytes, limits).metadata()
  if (format !== 'svg' || Math.abs(width - height) > 1) throw new Error('no square drawing')
  const density = Math.min(SVG_DENSITY.most, (SVG_DENSITY.usual * LOGO.side) / width)
  return sharp(bytes, { ...limits, density: Math.max(1, density) })
}
