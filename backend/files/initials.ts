// Draws the initials of a name as an image. The letters are outlines from the bundled fonts, so no
// font has to be installed.
import { createHash } from 'node:crypto'
import { INITIALS_SIDE_DEFAULT_PIXELS } from '#contract/limits.ts'
import { initialsPrice } from './image-price.ts'
import { type ImageAsker, workPaid } from './image-queue.ts'
import { decodeOrRefuse, loadSharp, type WorkTime } from './image-work.ts'
import { backgroundOf, INK, initialsOf, PAPER, PERSON } from './initials-look.ts'
import { type FoundLetter, isRightToLeft, makeLetters } from './letters.ts'
import type { DrawingNeeds } from './previews.ts'

/** Sides are pixels, 0 means the default; `background` is `#rrggbb`. */
export type InitialsLook = {
  name: string
  width: number
  height: number
  background: string | undefined
}
export type Initials = { bytes: Buffer; etag: string }
export type DrawInitials = (look: InitialsLook, asker: ImageAsker) => Promise<Initials>

const CONTRAST_MIN = 4.5
const TEXT_WIDTH_MAX = 0.8

/** Stored like previews; a font is loaded when a letter first needs it. */
export function makeInitials({ imageQueue, findOrMake }: DrawingNeeds): DrawInitials {
  const findLetter = makeLetters()

  return async ({ name, width, height, background }, asker) => {
    const size = {
      width: width || INITIALS_SIDE_DEFAULT_PIXELS,
      height: height || INITIALS_SIDE_DEFAULT_PIXELS,
    }
    const initials = initialsOf(name)
    const color = background ?? backgroundOf(initials)
    const look = JSON.stringify(['initials', initials, size, color])
    const key = createHash('sha256').update(look).digest('hex')
    const { bytes } = await findOrMake(key, asker, async (own) => {
      const price = initialsPrice(size)
      return await workPaid(imageQueue, price.isLarge ? 'large' : 'ordinary', own, {
        kind: 'preview',
        price,
        work: async (time) => {
          const glyphs = await Promise.all([...initials].map(findLetter))
          return await decodeOrRefuse(time, () => draw(glyphs, size, color, time))
        },
      })
    })
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` }
  }
}

/** @param glyphs undefined are those without a letter in our fonts: a person stands for them all */
async function draw(
  glyphs: (FoundLetter | undefined)[],
  size: Size,
  color: string,
  time: WorkTime,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const found = glyphs.filter((one) => one !== undefined)
  const shape =
    found.length > 0 && found.length === glyphs.length ? lettersSvg(found, size) : personSvg(size)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${color}"/><g fill="${inkOn(color)}" stroke="${inkOn(color)}" stroke-width="0">${shape}</g></svg>`
  return await time
    .timed(sharp(Buffer.from(svg)))
    .png({ palette: true })
    .toBuffer()
}

type Size = { width: number; height: number }

/**
 * The font size is half the shorter side, less when two wide letters would not fit. The letters are
 * centred.
 */
function lettersSvg(found: FoundLetter[], { width, height }: Size): string {
  const inOrder = isRightToLeft(found[0]?.letter ?? '') ? found.toReversed() : found
  const textEms = inOrder.reduce((total, { widthEms }) => total + widthEms, 0)
  const size = Math.min(Math.min(width, height) / 2, (width * TEXT_WIDTH_MAX) / textEms)
  const [top, bottom] = [
    Math.max(...found.map(({ topEms }) => topEms)),
    Math.min(...found.map(({ bottomEms }) => bottomEms)),
  ]
  const baseline = height / 2 + ((top + bottom) / 2) * size
  let x = (width - textEms * size) / 2
  return inOrder
    .map(({ path, unitsPerEm, widthEms, strokeEms }) => {
      const scale = size / unitsPerEm
      const svg = `<path stroke-width="${strokeEms * unitsPerEm}" transform="translate(${x} ${baseline}) scale(${scale} ${-scale})" d="${path}"/>`
      x += widthEms * size
      return svg
    })
    .join('')
}

function personSvg({ width, height }: Size): string {
  const side = Math.min(width, height)
  return `<g transform="translate(${(width - side) / 2} ${(height - side) / 2}) scale(${side / 100})">${PERSON}</g>`
}

/**
 * The colour of letters on a background: our light or dark one, whichever has more contrast; pure
 * white or black when neither reaches 4.5:1 (WCAG 2, AA).
 */
export function inkOn(background: string): string {
  const [ours = INK, pure = '#000000'] = [
    [PAPER, INK],
    ['#ffffff', '#000000'],
  ].map((inks) => inks.toSorted((a, b) => contrastOf(b, background) - contrastOf(a, background))[0])
  return contrastOf(ours, background) >= CONTRAST_MIN ? ours : pure
}

/** The contrast ratio of two colours `#rrggbb`, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
