// The colour that most of an image has: fills the box of the image until it has loaded. Knows
// nothing of how the pixels were decoded.
import { loadSharp } from './image-work.ts'

/**
 * Pixels in rows: `channels` bytes each, grey or red, green, blue; the last one is alpha when there
 * are two or four.
 */
export type Samples = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** Alpha from 0 to 255; a little less than all is what rounding leaves of opaque pixels. */
const OPAQUE_MIN = 250

/**
 * The most frequent colour, as sharp counts it: in 16 steps per channel, so each is up to 8 away
 * from that of the pixels.
 *
 * @returns `#rrggbb`; empty when any pixel is see-through: a colour behind such an image would show
 */
export async function dominantColor({ data, width, height, channels }: Samples): Promise<string> {
  if (data.length === 0) return ''
  const sharp = await loadSharp()
  const stats = await sharp(data, { raw: { width, height, channels } }).stats()
  const alpha = channels === 2 || channels === 4 ? stats.channels.at(-1) : undefined
  if (alpha && alpha.min < OPAQUE_MIN) return ''
  const { r, g, b } = stats.dominant
  return `#${Buffer.from([r, g, b]).toString('hex')}`
}
