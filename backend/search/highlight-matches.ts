// Where a text holds what was asked for: the parts that a page marks, and the piece that it shows.
// Independent of the database.
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import type { TextPart } from '#contract/search.ts'
import { type Folded, fold, WORD_CHARS } from './fold-words.ts'
import type { SearchTerm } from './parse-search.ts'

const SNIPPET_CHARS = 130

type Hit = { start: number; end: number; part: number }

/** Finds what was asked for in texts. */
export type Matcher = { pattern: RegExp; termCount: number }
/** Whether more of the text could not make it better. */
export type Snippet = { parts: TextPart[]; isFinal: boolean }

/** A group for each part, the longest first: of two at the same place it is the hit. */
export function makeMatcher(parts: readonly SearchTerm[]): Matcher {
  const one = ({ words, isPrefix }: SearchTerm) =>
    `(${words.join(`[^${WORD_CHARS}]+`)}${isPrefix ? `[${WORD_CHARS}]*` : ''})`
  const all = parts.toSorted((a, b) => b.words.join().length - a.words.join().length).map(one)
  const pattern = new RegExp(`(?<![${WORD_CHARS}])(?:${all.join('|')})(?![${WORD_CHARS}])`, 'g')
  return { pattern, termCount: parts.length }
}

function findHits(text: string, { pattern }: Matcher): Hit[] {
  const folded = fold(text)
  return [...folded.text.matchAll(pattern)].map((found) => ({
    start: placeOf(folded, found.index),
    end: placeOf(folded, found.index + found[0].length),
    part: found.findIndex((group, at) => at > 0 && group !== undefined),
  }))
}

/** In the text itself. */
function placeOf({ offsets }: Folded, at: number): number {
  let low = 0
  let high = offsets.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((offsets[middle]?.at ?? 0) <= at) low = middle
    else high = middle
  }
  const place = offsets[low] ?? { at: 0, from: 0 }
  const next = offsets[low + 1]?.from ?? Number.POSITIVE_INFINITY
  return Math.min(place.from + at - place.at, next)
}

/** The whole text, in parts that are hits and parts that are not. */
export function highlightMatches(text: string, marker: Matcher): TextPart[] {
  return cutIntoParts(text, findHits(text, marker))
}

/**
 * The piece of a text that holds most of what was asked for, the first of equals; its beginning
 * where nothing is found. An ellipsis stands where something was left out.
 */
export function snippetOf(text: string, marker: Matcher): Snippet {
  const hits = findHits(text, marker)
  const { start, end } = pieceAround(text, bestStart(hits))
  const inside = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit) => ({ ...hit, start: hit.start - start, end: hit.end - start }))
  const before = start > 0 ? '… ' : ''
  const after = end < text.trimEnd().length ? ' …' : ''
  const shown = cutIntoParts(text.slice(start, end), inside)
  const found = new Set(hits.map(({ part }) => part)).size
  return {
    parts: joined([{ text: before, isHit: false }, ...shown, { text: after, isHit: false }]),
    isFinal: found === marker.termCount && end < text.length,
  }
}

/** From where a piece holds the most different parts. */
function bestStart(hits: Hit[]): number {
  let best = { start: hits[0]?.start ?? 0, count: 0 }
  for (const [at, { start }] of hits.entries()) {
    const found = new Set<number>()
    for (let next = at; next < hits.length; next++) {
      const hit = hits[next]
      if (!hit || hit.end - start > SNIPPET_CHARS * 0.7) break
      found.add(hit.part)
    }
    if (found.size > best.count) best = { start, count: found.size }
  }
  return best.start
}

/** Some words before the place, as many as fit behind it; cut between words. */
function pieceAround(text: string, place: number): { start: number; end: number } {
  const leading = Math.max(0, place - Math.floor(SNIPPET_CHARS / 4))
  const isShort = text.length <= SNIPPET_CHARS
  const blank = leading === 0 || isShort ? -1 : text.slice(leading, place).search(/\s\S/)
  const start = leading === 0 || isShort ? 0 : blank < 0 ? place : leading + blank + 1
  if (text.length - start <= SNIPPET_CHARS) return { start, end: text.length }
  const piece = text.slice(start, start + SNIPPET_CHARS)
  const cut = piece.search(/\s\S*$/)
  if (cut > SNIPPET_CHARS / 2) return { start, end: start + cut }
  return { start, end: start + truncateAtGrapheme(text.slice(start), SNIPPET_CHARS).length }
}

function cutIntoParts(text: string, hits: Hit[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { start, end } of hits) {
    parts.push({ text: text.slice(at, start), isHit: false })
    parts.push({ text: text.slice(start, end), isHit: true })
    at = end
  }
  parts.push({ text: text.slice(at), isHit: false })
  return joined(parts)
}

/** Neighbours of one kind are one part; none is empty. */
function joined(parts: TextPart[]): TextPart[] {
  const all: TextPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part.text === '') continue
    if (last?.isHit === part.isHit) last.text += part.text
    else all.push({ ...part })
  }
  return all
}
