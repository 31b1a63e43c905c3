// Draws the card of a post without an image: its title, date and author on the blog's colours, all
// letters as outlines (design of the share card). Knows nothing of posts.
import { SHARE_CARD } from '#contract/limits.ts'
import type { FontFiles } from './fonts.ts'
import { LITERATA } from './fonts.ts'
import { backgroundOf, initialsOf, PAPER, PERSON } from './initials-look.ts'
import { breakLines, fitLine } from './text-lines.ts'
import {
  cleanText,
  type FoundText,
  findFonts,
  INTER,
  type SetLine,
  setLine,
  type TextStyle,
} from './text-paths.ts'

/** What a card says. */
export type CardTexts = {
  title: string
  author: string
  siteName: string
  /** Date and reading time; may be empty. */
  line: string
  /** The author's face is laid over the card; without it their initials stand there. */
  hasFace: boolean
}
export type CardDrawing = { svg: string; isRightToLeft: boolean }

/** Everything below is measured in it. */
export const CARD_SIZE = SHARE_CARD
/** The author's face, of a card from left to right. */
export const FACE = { left: 72, top: 502, side: 76 } as const

const GROUND = '#081c22'
const LIGHT = '#f6dc8f'
const TEXT = '#f2f0ea'
const MUTED = '#bbc6ca'
const TILE = '#17444f'
const EDGE = 72
const TITLE_WIDTH = 792
const TITLE_LINES = 4
/** Of the last line of the title. */
const TITLE_BASELINE = 430
const LONG_TITLE_SIGNS = 60
const TITLE = { size: 72, lineHeight: 84, spacing: -1.6 } as const
const LONG_TITLE = { size: 56, lineHeight: 66, spacing: -1.2 } as const
const FOOT_BASELINE = 550
const AUTHOR_LEFT = 170
const SITE_RIGHT = 142
const SITE_WIDTH = 360
const FOOT_GAP = 40
const BOLD = 0.014
const LOGO =
  '<rect width="32" height="32" rx="9" fill="#17444f"/><path d="M8 6.5h12.5A12.5 12.5 0 0 1 8 19z" fill="#f6dc8f"/><rect x="8" y="22" width="16" height="3.5" rx="1.75" fill="#f6dc8f"/>'
const LOGO_SIDE = 54.4

export async function drawCard(fonts: FontFiles, texts: CardTexts): Promise<CardDrawing> {
  const find = (text: string, style: TextStyle) => findFonts(fonts, cleanText(text), style)
  const title = await findTitle(find, texts)
  const { isRightToLeft } = title.found
  /** A line that begins, or ends, so far from the side where reading begins. */
  const place = (line: SetLine, from: { start: number } | { end: number }, baseline: number) => {
    const isAtLeft = 'start' in from !== isRightToLeft
    const inset = 'start' in from ? from.start : from.end
    const x = isAtLeft ? inset : CARD_SIZE.width - inset - line.width
    return `<g transform="translate(${x.toFixed(2)} ${baseline})">${line.svg}</g>`
  }
  const small: TextStyle = { family: INTER, size: 25, boldEms: 0.004 }
  const name: TextStyle = { family: INTER, size: 30, boldEms: 0.004 }
  const site: TextStyle = { family: LITERATA, size: 30, boldEms: BOLD }
  const inOneLine = async (text: string, style: TextStyle, width: number) =>
    fitLine(known(await find(text, style)), style, { width, ellipsis: await find('…', style) })
  const line = setLine((await find(texts.line, small)).clusters, small)
  const siteLine = await inOneLine(texts.siteName, site, SITE_WIDTH)
  const nameWidth = CARD_SIZE.width - AUTHOR_LEFT - SITE_RIGHT - siteLine.width - FOOT_GAP
  const nameLine = await inOneLine(texts.author, name, nameWidth)
  const { lines, lineHeight } = breakTitle(title, await find('…', title.style))
  const baselineOf = (at: number) => TITLE_BASELINE - (lines.length - 1 - at) * lineHeight
  const titleLines = lines.map((one, at) => place(one, { start: EDGE }, baselineOf(at)))
  const drawn = [
    ink(MUTED, place(line, { start: EDGE }, 92)),
    ink(TEXT, titleLines.join('')),
    texts.hasFace ? '' : await drawInitials(find, texts.author, isRightToLeft),
    ink(TEXT, place(nameLine, { start: AUTHOR_LEFT }, FOOT_BASELINE)),
    ink(TEXT, place(siteLine, { end: SITE_RIGHT }, FOOT_BASELINE)),
  ].join('')
  return { svg: frame(drawn, isRightToLeft), isRightToLeft }
}

type FoundTitle = { found: FoundText; style: TextStyle & { lineHeight: number } }
type Find = (text: string, style: TextStyle) => Promise<FoundText>

/** A title in letters that no font has would be full of holes: the blog's name stands there. */
async function findTitle(find: Find, { title, siteName }: CardTexts): Promise<FoundTitle> {
  for (const text of [title, siteName]) {
    const isLong = [...cleanText(text)].length > LONG_TITLE_SIGNS
    const style = { family: LITERATA, boldEms: BOLD, ...(isLong ? LONG_TITLE : TITLE) }
    const found = await find(text, style)
    if (!found.hasUnknownLetters && found.clusters.some(({ font }) => font)) return { found, style }
  }
  const style = { family: LITERATA, ...TITLE }
  return { found: await find('', style), style }
}

/** In smaller letters where they do not fit otherwise: some scripts need more room. */
function breakTitle(
  { found, style }: FoundTitle,
  ellipsis: FoundText,
): { lines: SetLine[]; lineHeight: number } {
  const room = { width: TITLE_WIDTH, lines: TITLE_LINES, ellipsis }
  const broken = breakLines(found, style, room)
  if (!broken.isCut) return { lines: broken.lines, lineHeight: style.lineHeight }
  const { lines } = breakLines(found, { ...style, ...LONG_TITLE }, room)
  return { lines, lineHeight: LONG_TITLE.lineHeight }
}

/** Rather no name than one with holes. */
function known(found: FoundText): FoundText {
  return found.hasUnknownLetters ? { ...found, clusters: [] } : found
}

async function drawInitials(find: Find, name: string, isRightToLeft: boolean): Promise<string> {
  const letters = initialsOf(name)
  const style: TextStyle = { family: LITERATA, size: 34 }
  const found = known(await find(letters, style))
  const line = setLine(found.clusters, style)
  const side = FACE.side
  const left = isRightToLeft ? CARD_SIZE.width - FACE.left - side : FACE.left
  const shape =
    line.width > 0
      ? `<g transform="translate(${(side - line.width) / 2} 50)">${line.svg}</g>`
      : `<g transform="scale(${side / 100})">${PERSON}</g>`
  return `<g transform="translate(${left} ${FACE.top})"><clipPath id="face"><circle cx="38" cy="38" r="38"/></clipPath><g clip-path="url(#face)"><rect width="${side}" height="${side}" fill="${letters ? backgroundOf(letters) : TILE}"/>${ink(PAPER, shape)}</g></g>`
}

function ink(color: string, svg: string): string {
  return `<g fill="${color}" stroke="${color}" stroke-width="0" stroke-linejoin="round">${svg}</g>`
}

function frame(drawn: string, isRightToLeft: boolean): string {
  const { width, height } = CARD_SIZE
  const light = isRightToLeft
    ? 'M320 0H0V320A320 320 0 0 0 320 0Z'
    : 'M880 0H1200V320A320 320 0 0 1 880 0Z'
  const logoLeft = isRightToLeft ? EDGE : width - EDGE - LOGO_SIDE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${GROUND}"/><path d="${light}" fill="${LIGHT}"/>${drawn}<g transform="translate(${logoLeft} 511) scale(1.7)">${LOGO}</g></svg>`
}
