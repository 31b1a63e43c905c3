// Breaks a text into lines of a width, at most so many, all about equally long.
import LineBreaker from 'linebreak'
import {
  type Cluster,
  type FoundText,
  type SetLine,
  setLine,
  type TextStyle,
} from './text-paths.ts'

/** What cannot be broken, with the space after it. */
type Piece = { clusters: Cluster[]; width: number; space: number }
type Line = Cluster[]

/** Scripts whose words stand without spaces, which need a dictionary. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Korean has spaces; the rule lets lines end anywhere. */
const WITHIN_HANGUL = /^\p{Script=Hangul}{2}$/u
const STEPS = 8

const words = new Intl.Segmenter('th', { granularity: 'word' })

/**
 * @param ellipsis found in the same fonts; ends the last line of a text that is longer
 * @returns from the top
 */
export function breakLines(
  found: FoundText,
  style: TextStyle,
  { width, lines: most, ellipsis }: { width: number; lines: number; ellipsis: FoundText },
): { lines: SetLine[]; isCut: boolean } {
  const pieces = cutPieces(found, style, width)
  const whole = fill(pieces, width)
  const isCut = whole.length > most
  const chosen = isCut
    ? [...whole.slice(0, most - 1), endWith(whole[most - 1] ?? [], { ellipsis, width, style })]
    : balance(pieces, width, whole)
  return { lines: chosen.map((line) => setLine(trimEnd(line), style)), isCut }
}

/** One line, cut where it does not fit. */
export function fitLine(
  found: FoundText,
  style: TextStyle,
  { width, ellipsis }: { width: number; ellipsis: FoundText },
): SetLine {
  const whole = setLine(found.clusters, style)
  if (whole.width <= width) return whole
  return setLine(endWith(found.clusters, { ellipsis, width, style }), style)
}

function cutPieces(found: FoundText, style: TextStyle, width: number): Piece[] {
  const ends = findBreaks(found.text)
  const pieces: Piece[] = []
  let current: Cluster[] = []
  for (const [at, cluster] of found.clusters.entries()) {
    current.push(cluster)
    const end = found.clusters[at + 1]?.at ?? found.text.length
    if (!ends.has(end)) continue
    pieces.push(...splitTooWide(current, style, width))
    current = []
  }
  if (current.length > 0) pieces.push(...splitTooWide(current, style, width))
  return pieces
}

/** @source UAX #14; with a dictionary where no spaces are written */
function findBreaks(text: string): Set<number> {
  const ends = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let one = breaker.nextBreak(); one; one = breaker.nextBreak())
    if (!WITHIN_HANGUL.test(text.slice(one.position - 1, one.position + 1))) ends.add(one.position)
  if (UNSPACED.test(text))
    for (const { segment, index } of words.segment(text))
      if (UNSPACED.test(segment) && UNSPACED.test(text[index - 1] ?? '')) ends.add(index)
  return ends
}

/** A word that is wider than a line is broken anywhere. */
function splitTooWide(clusters: Cluster[], style: TextStyle, width: number): Piece[] {
  const whole = measure(clusters, style)
  if (whole.width <= width) return [whole]
  const pieces: Piece[] = []
  let part: Cluster[] = []
  for (const cluster of clusters) {
    if (part.length > 0 && measure([...part, cluster], style).width > width) {
      pieces.push(measure(part, style))
      part = []
    }
    part.push(cluster)
  }
  return [...pieces, measure(part, style)]
}

function measure(clusters: Cluster[], style: TextStyle): Piece {
  const { width } = setLine(trimEnd(clusters), style)
  return { clusters, width, space: setLine(clusters, style).width - width }
}

function trimEnd(line: Line): Line {
  return line.slice(0, line.findLastIndex(({ text }) => text.trim() !== '') + 1)
}

function fill(pieces: Piece[], width: number): Line[] {
  const lines: Line[] = []
  let used = 0
  for (const piece of pieces) {
    const line = lines.at(-1)
    if (line && used + piece.width <= width) line.push(...piece.clusters)
    else {
      lines.push([...piece.clusters])
      used = 0
    }
    used += piece.width + piece.space
  }
  return lines
}

/** The narrowest lines that are not more: none is left with a single word. */
function balance(pieces: Piece[], width: number, whole: Line[]): Line[] {
  let best = whole
  let [low, high] = [width / 2, width]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    const lines = fill(pieces, middle)
    const fits = lines.length === whole.length && pieces.every((piece) => piece.width <= middle)
    if (fits) [best, high] = [lines, middle]
    else low = middle
  }
  return best
}

function endWith(
  line: Line,
  { ellipsis, width, style }: { ellipsis: FoundText; width: number; style: TextStyle },
): Line {
  let kept = trimEnd(line)
  const withEnd = () => {
    // It stands where the text goes on: in the direction of what is before it.
    const level = kept.at(-1)?.level ?? 0
    return [...trimEnd(kept), ...ellipsis.clusters.map((one) => ({ ...one, level }))]
  }
  while (kept.length > 0 && setLine(withEnd(), style).width > width) kept = kept.slice(0, -1)
  return withEnd()
}
