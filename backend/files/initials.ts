// Which letters and colour stand for a name, and their image, drawn in a process that draws.
import { normalised } from '#contract/plain-text.ts'
import { drawInk, toWritable } from './draw-text.ts'
import { loadSharp } from './image-work.ts'

type Size = { width: number; height: number }

/** Each at least 5:1 against the paper colour of the letters (WCAG AA); petrol first. */
const BACKGROUNDS = ['#1d5866', '#8a3b2a', '#5b4a8c', '#2f6140', '#7a4a12'] as const
const PAPER = '#fffaf0'
const INK = '#17262b'
/** Head and shoulders in a 100 x 100 view box, for names without a letter of our fonts. */
const PERSON = '<circle cx="50" cy="36" r="17"/><path d="M14 100c0-28 16-42 36-42s36 14 36 42z"/>'
const CONTRAST_MIN = 4.5
const TEXT_WIDTH_MAX = 0.8

/**
 * The letters are in the middle, half the shorter side high, less when two wide ones would not fit.
 * A person stands for them when one of them is in none of our fonts.
 */
export async function drawInitials(initials: string, size: Size, color: string): Promise<Buffer> {
  const sharp = await loadSharp()
  const side = Math.min(size.width, size.height)
  const letters = toWritable(initials)
  const shape = letters
    ? await drawLetters(letters, { size, color: inkOn(color) })
    : Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${side}" height="${side}" fill="${inkOn(color)}">${PERSON}</svg>`,
      )
  const ground = sharp({ create: { ...size, channels: 3, background: color } })
  return await ground
    .composite([{ input: shape }])
    .png({ palette: true })
    .toBuffer()
}

async function drawLetters(
  letters: string,
  { size, color }: { size: Size; color: string },
): Promise<Buffer> {
  const sharp = await loadSharp()
  const em = Math.min(size.width, size.height) / 2
  const { input, raw } = await drawInk(letters, { font: 'serif', size: em, color })
  const room = { width: Math.ceil(size.width * TEXT_WIDTH_MAX), height: size.height }
  return await sharp(input, { raw })
    .resize({ ...room, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/**
 * The letters that stand for a name: the first letter or digit of its first two words, in capitals.
 *
 * @source api.md §5 "Initials"
 */
export function initialsOf(name: string): string {
  const text = normalised(name).trim()
  const words = text.split(/\s/u.test(text) ? /\s+/u : /_+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0].toUpperCase() ?? '')][0] ?? '')
    .join('')
}

/** The colour behind a pair of letters; the same letters always get the same one. */
export function backgroundOf(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return BACKGROUNDS[(sum % 10) % BACKGROUNDS.length] ?? BACKGROUNDS[0]
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
