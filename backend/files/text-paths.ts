// Sets text as outlines of the bundled fonts: order of both directions, joined and combined
// letters, marks. No font of the machine takes part. Knows nothing of images.

import makeBidi from 'bidi-js'
import type { Font } from 'fontkit'
import { normalised } from '#contract/plain-text.ts'
import { type FontFamily, type FontFiles, familyOf, LITERATA } from './fonts.ts'

/** How a text is set; lengths in pixels, `boldEms` is a stroke on top of the family's own. */
export type TextStyle = {
  family: FontFamily
  size: number
  spacing?: number
  boldEms?: number
}
/** One character as people see it, with the font that draws it. */
export type Cluster = {
  at: number
  text: string
  font: Font | undefined
  family: FontFamily
  /** Odd: from right to left. */
  level: number
}
/** A text whose letters have found their fonts. */
export type FoundText = {
  text: string
  clusters: Cluster[]
  isRightToLeft: boolean
  /** A letter or digit is in none of the fonts. */
  hasUnknownLetters: boolean
}
/** A line with the left end of its baseline at 0, 0. */
export type SetLine = { width: number; svg: string }

export const INTER: FontFamily = { family: 'inter', strokeEms: 0.012 }
const EMOJI: FontFamily = { family: 'noto-emoji', strokeEms: 0 }
/** Asked in turn for signs that belong to no script. */
const FOR_SIGNS = [
  LITERATA,
  INTER,
  { family: 'noto-sans-sc', strokeEms: 0.05 },
  EMOJI,
] as const satisfies FontFamily[]
/** More marks on one letter than any language has are left out. */
const CLUSTER_MAX_CHARS = 24
const WITHOUT_MARKS = { mark: false, mkmk: false, curs: false }
/** Directions that somebody wrote down, joiners and variants: they shape others, and are no ink. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cc}/u

let bidi: ReturnType<typeof makeBidi> | undefined
/** Made with the first text: it reads its tables for a while. */
function findBidi(): ReturnType<typeof makeBidi> {
  bidi ??= makeBidi()
  return bidi
}
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** In one line, without what cannot be seen. */
export function cleanText(text: string): string {
  return normalised(text.toWellFormed())
    .replaceAll('\u00ad', '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** @param text cleaned */
export async function findFonts(
  fonts: FontFiles,
  text: string,
  { family }: Pick<TextStyle, 'family'>,
): Promise<FoundText> {
  const { levels, paragraphs } = findBidi().getEmbeddingLevels(text, 'auto')
  const clusters: Cluster[] = []
  let last: Cluster | undefined
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0
    const shown = segment.slice(0, CLUSTER_MAX_CHARS).toWellFormed()
    const found = await findFont(fonts, shown, { family, before: last })
    const cluster = { at: index, level, ...found }
    clusters.push(cluster)
    if (found.font) last = cluster
  }
  const isUnknown = ({ text: one, font }: Cluster) => !font && /[\p{L}\p{N}]/u.test(one)
  return {
    text,
    clusters,
    isRightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1,
    hasUnknownLetters: clusters.some(isUnknown),
  }
}

type FoundFont = Pick<Cluster, 'text' | 'font' | 'family'>

async function findFont(
  fonts: FontFiles,
  text: string,
  { family, before }: { family: FontFamily; before: Cluster | undefined },
): Promise<FoundFont> {
  const letters = [...text].filter((one) => !INVISIBLE.test(one)).map(codePointOf)
  const [first] = letters
  if (first === undefined) return { text: '', font: undefined, family }
  for (const { wanted, drawn } of [
    { wanted: letters, drawn: text },
    // Without its marks, when no font has both; an emoji of several parts shows its first.
    { wanted: [first], drawn: String.fromCodePoint(first) },
  ]) {
    const [base = ''] = drawn
    const isBare = /\p{Script=Common}|\p{Script=Inherited}/u.test(base)
    const isText = isBare && !isEmoji(drawn) && before?.family !== EMOJI
    const goesOn = isText ? before?.font : undefined
    if (goesOn && wanted.every((one) => goesOn.hasGlyphForCodePoint(one)))
      return { text: drawn, font: goesOn, family: before?.family ?? family }
    for (const one of candidates(drawn, { base, isBare, family })) {
      const font = await fonts.find(one.family, wanted)
      if (font) return { text: drawn, font, family: one }
    }
  }
  return { text, font: undefined, family }
}

function candidates(
  text: string,
  { base, isBare, family }: { base: string; isBare: boolean; family: FontFamily },
): FontFamily[] {
  if (isEmoji(text)) return [EMOJI, family]
  const ofScript = familyOf(base)
  if (ofScript) return [ofScript]
  return isBare ? [family, ...FOR_SIGNS] : [family, LITERATA]
}

function isEmoji(text: string): boolean {
  return /\p{Emoji_Presentation}|\ufe0f/u.test(text)
}

function codePointOf(letter: string): number {
  return letter.codePointAt(0) ?? 0
}

/** The clusters of one line, set from left to right as they are read. */
export function setLine(clusters: readonly Cluster[], style: TextStyle): SetLine {
  let width = 0
  let svg = ''
  for (const run of inVisualOrder(toRuns(clusters))) {
    const set = setRun(run, style)
    svg += `<g transform="translate(${round(width)} 0)">${set.svg}</g>`
    width += set.width
  }
  return { width, svg }
}

type Run = Omit<Cluster, 'at' | 'font'> & { font: Font }

/** Letters of one font and one direction are shaped together. */
function toRuns(clusters: readonly Cluster[]): Run[] {
  const runs: Run[] = []
  for (const { text, font, family, level } of clusters) {
    if (!font) continue
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += text
    else runs.push({ text, font, family, level })
  }
  return runs
}

/** @source UAX #9, rule L2 */
function inVisualOrder(runs: Run[]): Run[] {
  const levels = runs.map(({ level }) => level)
  const ordered = [...runs]
  for (let level = Math.max(0, ...levels); level >= 1; level--)
    for (let at = 0; at < ordered.length; at++) {
      let end = at
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end > at) ordered.splice(at, end - at, ...ordered.slice(at, end).reverse())
      at = end
    }
  return ordered
}

/** The library fails on letters that have no place for a mark: then marks stand beside them. */
function layOut(font: Font, text: string, direction: 'rtl' | 'ltr') {
  try {
    return font.layout(text, undefined, undefined, undefined, direction)
  } catch {
    return font.layout(text, WITHOUT_MARKS, undefined, undefined, direction)
  }
}

function setRun(run: Run, { size, spacing = 0, boldEms = 0 }: TextStyle): SetLine {
  const { font, family, level } = run
  const scale = size / font.unitsPerEm
  const isReversed = (level & 1) === 1
  const text = isReversed ? mirror(run.text) : run.text
  const { glyphs, positions } = layOut(font, text, isReversed ? 'rtl' : 'ltr')
  // Joined letters stay joined.
  const gap = family.family === LITERATA.family ? spacing : 0
  let x = 0
  let svg = ''
  for (const [at, glyph] of glyphs.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {}
    const path = glyph.path.toSVG()
    const [left, up] = [round(x + xOffset * scale), round(-yOffset * scale)]
    const turned = `translate(${left} ${up}) scale(${round(scale)} ${round(-scale)})`
    if (path) svg += `<path transform="${turned}" d="${path}"/>`
    x += xAdvance * scale + gap
  }
  const stroke = round((family.strokeEms + boldEms) * font.unitsPerEm)
  return { width: x, svg: `<g stroke-width="${stroke}">${svg}</g>` }
}

/** Brackets of a text from right to left open to the left. */
function mirror(text: string): string {
  const bidi = findBidi()
  return [...text].map((letter) => bidi.getMirroredCharacter(letter) ?? letter).join('')
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
