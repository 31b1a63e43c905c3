// Draws initials, and share cards: title, date and author on the blog's colours, for posts without
// an image. Runs in an image process.
import type { OverlayOptions } from 'sharp'
import { SHARE_CARD } from '#contract/limits.ts'
import { initialsOf } from '#contract/plain-text.ts'
import {
  drawInk,
  fitText,
  isRightToLeft,
  type TextImage,
  type TextStyle,
  toWritable,
} from './draw-text.ts'
import { sharp } from './images.ts'
import { AVATAR_SIDE, backgroundOf, inkOn } from './initials.ts'

/** The texts of a card, and its colour. */
export type CardTexts = {
  title: string
  author: string
  siteName: string
  /** Date and reading time; may be empty. */
  dateLine: string
  /** The colour of the light at the top, `#rrggbb`. */
  light: string
}

const BACKGROUND = '#081c22'
const TEXT = '#f2f0ea'
const MUTED = '#bbc6ca'
const EDGE = 72
const AVATAR_TOP = 502
const TITLE_ROOM = { width: 792, lines: 4 } as const
/** The baseline of the last line of the title. */
const TITLE_BASELINE = 430
const LONG_TITLE_CHARS = 60
const TITLE = { font: 'serif', size: 72, lineHeight: 84, spacing: -1.6, color: TEXT } as const
const LONG_TITLE = { ...TITLE, size: 56, lineHeight: 66, spacing: -1.2 } as const
const FOOT_BASELINE = 550
const FOOT_GAP = 40
const AUTHOR = { font: 'sans', size: 30, lineHeight: 40, color: TEXT } as const
const AUTHOR_LEFT = 170
const SITE = { ...AUTHOR, font: 'serif' } as const
const SITE_RIGHT = 142
const SITE_WIDTH = 360
const DATE_LINE = { ...AUTHOR, size: 25, color: MUTED } as const
const DATE_LINE_BASELINE = 92
const LOGO =
  '<rect width="32" height="32" rx="9" fill="#17444f"/><path d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" fill="#f6dc8f"/><rect x="8" y="22" width="16" height="3.5" rx="1.75" fill="#f6dc8f"/>'
const LOGO_SIDE = 54.4
const LOGO_TOP = 511
const LOGO_START = SHARE_CARD.width - EDGE - LOGO_SIDE
/** Head and shoulders in a 100 x 100 view box, for names that our fonts cannot write. */
const PERSON = '<circle cx="50" cy="36" r="17"/><path d="M14 100c0-28 16-42 36-42s36 14 36 42z"/>'
const INITIALS_WIDTH_MAX = 0.8
const PNG = { compressionLevel: 9 } as const

type Size = { width: number; height: number }

/**
 * @param pictures `avatar` is round
 * @param width the width of the card in pixels; its height is in proportion
 */
export async function drawCard(
  { title, author, siteName, dateLine, light }: CardTexts,
  { avatar, logo }: { avatar?: Buffer | undefined; logo?: Buffer | '' | undefined },
  width: number = SHARE_CARD.width,
): Promise<Buffer> {
  const heading = toWritable(title) ?? toWritable(siteName)
  const isMirrored = heading !== undefined && isRightToLeft(heading)
  const overlays: OverlayOptions[] = []
  /** Places an image at a distance from the side where lines begin. */
  const put = (image: OverlayOptions, start: number, width: number, top: number) => {
    const left = Math.round(isMirrored ? SHARE_CARD.width - start - width : start)
    overlays.push({ ...image, left, top })
  }
  const putText = (text: TextImage | undefined, start: number, baseline: number) => {
    if (text) put(text.overlay, start, text.width, baseline - text.baseline)
  }
  const inOneLine = async (text: string, style: TextStyle, width: number) => {
    const writable = toWritable(text)
    if (writable !== undefined) return await fitText(writable, style, { width, lines: 1 })
  }
  if (heading !== undefined) putText(await fitTitle(heading), EDGE, TITLE_BASELINE)
  putText(await inOneLine(dateLine, DATE_LINE, TITLE_ROOM.width), EDGE, DATE_LINE_BASELINE)
  const site = await inOneLine(siteName, SITE, SITE_WIDTH)
  const siteStart = SHARE_CARD.width - SITE_RIGHT - (site?.width ?? 0)
  putText(site, siteStart, FOOT_BASELINE)
  const name = await inOneLine(author, AUTHOR, siteStart - FOOT_GAP - AUTHOR_LEFT)
  putText(name, AUTHOR_LEFT, FOOT_BASELINE)
  put({ input: avatar ?? (await drawAvatar(author)) }, EDGE, AVATAR_SIDE, AVATAR_TOP)
  if (logo) put({ input: await fitLogo(logo) }, LOGO_START, LOGO_SIDE, LOGO_TOP)
  const card = sharp(Buffer.from(backgroundSvg(isMirrored, light, !logo))).composite(overlays)
  if (width === SHARE_CARD.width) return await card.png(PNG).toBuffer()
  // In one pipeline the library would scale before it composites.
  const fullSizeCard = await card.png({ compressionLevel: 1 }).toBuffer()
  const height = Math.round((width / SHARE_CARD.width) * SHARE_CARD.height)
  return await sharp(fullSizeCard).resize({ width, height }).png(PNG).toBuffer()
}

/** Draws the title, in smaller letters if it does not fit. */
async function fitTitle(text: string): Promise<TextImage> {
  if ([...text].length <= LONG_TITLE_CHARS) {
    const large = await fitText(text, TITLE, TITLE_ROOM)
    if (!large.isCut) return large
  }
  return await fitText(text, LONG_TITLE, TITLE_ROOM)
}

/** The round initials of an author without an avatar. */
async function drawAvatar(author: string): Promise<Buffer> {
  const initials = initialsOf(author)
  const size = { width: AVATAR_SIDE, height: AVATAR_SIDE }
  const square = await drawInitials(initials, size, backgroundOf(initials))
  const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="${AVATAR_SIDE}" height="${AVATAR_SIDE}"><circle cx="50%" cy="50%" r="50%"/></svg>`
  const round = sharp(square).composite([{ input: Buffer.from(circle), blend: 'dest-in' }])
  return await round.png(PNG).toBuffer()
}

/**
 * Draws the letters in the middle, half the shorter side high, or smaller if two wide ones would
 * not fit. The outline of a person replaces them if our fonts lack one of them.
 */
export async function drawInitials(initials: string, size: Size, color: string): Promise<Buffer> {
  const side = Math.min(size.width, size.height)
  const letters = toWritable(initials)
  const shape = letters
    ? await drawLetters(letters, { size, color: inkOn(color) })
    : Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${side}" height="${side}" fill="${inkOn(color)}">${PERSON}</svg>`,
      )
  const background = sharp({ create: { ...size, channels: 3, background: color } })
  return await background
    .composite([{ input: shape }])
    .png({ palette: true })
    .toBuffer()
}

async function drawLetters(letters: string, { size, color }: { size: Size; color: string }) {
  const em = Math.min(size.width, size.height) / 2
  const { input, raw } = await drawInk(letters, { font: 'serif', size: em, color })
  const room = { width: Math.ceil(size.width * INITIALS_WIDTH_MAX), height: size.height }
  return await sharp(input, { raw })
    .resize({ ...room, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function fitLogo(logo: Buffer): Promise<Buffer> {
  const side = Math.round(LOGO_SIDE)
  return sharp(logo).resize({ width: side, height: side }).png(PNG).toBuffer()
}

function backgroundSvg(isMirrored: boolean, color: string, hasDefaultLogo: boolean): string {
  const { width, height } = SHARE_CARD
  const lightPath = isMirrored
    ? 'M320 0H0V320A320 320 0 0 0 320 0Z'
    : 'M880 0H1200V320A320 320 0 0 1 880 0Z'
  const logoLeft = isMirrored ? EDGE : width - EDGE - LOGO_SIDE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${BACKGROUND}"/><path d="${lightPath}" fill="${color}"/>${hasDefaultLogo ? `<g transform="translate(${logoLeft} ${LOGO_TOP}) scale(1.7)">${LOGO}</g>` : ''}</svg>`
}
