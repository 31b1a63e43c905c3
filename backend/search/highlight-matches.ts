// Finds the matches of a search in a text: the parts that a page highlights, and the snippet that
// it shows. Independent of the database.
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import type { TextPart } from '#contract/search.ts'
import { type Folded, fold, WORD_CHARS } from './fold-words.ts'
import type { SearchTerm } from './parse-search.ts'

const SNIPPET_CHARS = 130

/** A match of one of the search terms. */
type Hit = { start: number; end: number; term: number }

/** Finds the terms of a search in folded texts. */
export type Matcher = { pattern: RegExp; termCount: number }
/** `isFinal`: reading more of the text could not improve it. */
export type Snippet = { parts: TextPart[]; isFinal: boolean }

/**
 * The pattern has a group for each term, the longest first: where two terms match, the longer wins.
 */
export function makeMatcher(terms: readonly SearchTerm[]): Matcher {
  const toGroup = ({ words, isPrefix }: SearchTerm) =>
    `(${words.join(`[^${WORD_CHARS}]+`)}${isPrefix ? `[${WORD_CHARS}]*` : ''})`
  const longestFirst = terms.toSorted((a, b) => b.words.join().length - a.words.join().length)
  const groups = longestFirst.map(toGroup).join('|')
  const pattern = new RegExp(`(?<![${WORD_CHARS}])(?:${groups})(?![${WORD_CHARS}])`, 'g')
  return { pattern, termCount: terms.length }
}

function findHits(text: string, { pattern }: Matcher): Hit[] {
  const folded = fold(text)
  return [...folded.text.matchAll(pattern)].map((match) => ({
    start: toOriginalIndex(folded, match.index),
    end: toOriginalIndex(folded, match.index + match[0].length),
    term: match.findIndex((group, index) => index > 0 && group !== undefined),
  }))
}

/** The index in the original text for an index in the folded one. */
function toOriginalIndex({ offsets }: Folded, index: number): number {
  let low = 0
  let high = offsets.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((offsets[middle]?.folded ?? 0) <= index) low = middle
    else high = middle
  }
  const offset = offsets[low] ?? { folded: 0, original: 0 }
  const next = offsets[low + 1]?.original ?? Number.POSITIVE_INFINITY
  return Math.min(offset.original + index - offset.folded, next)
}

/** The whole text, split into hits and the text between them. */
export function highlightMatches(text: string, matcher: Matcher): TextPart[] {
  return splitAtHits(text, findHits(text, matcher))
}

/**
 * The piece of a text that contains the most search terms, or the first of several such pieces;
 * without a hit, the beginning of the text. An ellipsis marks omitted text.
 */
export function snippetOf(text: string, matcher: Matcher): Snippet {
  const hits = findHits(text, matcher)
  const { start, end } = rangeAround(text, bestStart(hits))
  const inside = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit) => ({ ...hit, start: hit.start - start, end: hit.end - start }))
  const before = start > 0 ? '… ' : ''
  const after = end < text.trimEnd().length ? ' …' : ''
  const parts = splitAtHits(text.slice(start, end), inside)
  const termsFound = new Set(hits.map(({ term }) => term)).size
  return {
    parts: mergeParts([{ text: before, isHit: false }, ...parts, { text: after, isHit: false }]),
    isFinal: termsFound === matcher.termCount && end < text.length,
  }
}

/** The start of the hit from which a snippet contains the most different terms. */
function bestStart(hits: Hit[]): number {
  let best = { start: hits[0]?.start ?? 0, count: 0 }
  for (const [index, { start }] of hits.entries()) {
    const terms = new Set<number>()
    for (let next = index; next < hits.length; next++) {
      const hit = hits[next]
      if (!hit || hit.end - start > SNIPPET_CHARS * 0.7) break
      terms.add(hit.term)
    }
    if (terms.size > best.count) best = { start, count: terms.size }
  }
  return best.start
}

/** The range of a snippet: some words before `index`, and the text after it; cut between words. */
function rangeAround(text: string, index: number): { start: number; end: number } {
  const leading = Math.max(0, index - Math.floor(SNIPPET_CHARS / 4))
  const isShort = text.length <= SNIPPET_CHARS
  const space = leading === 0 || isShort ? -1 : text.slice(leading, index).search(/\s\S/)
  const start = leading === 0 || isShort ? 0 : space < 0 ? index : leading + space + 1
  if (text.length - start <= SNIPPET_CHARS) return { start, end: text.length }
  const piece = text.slice(start, start + SNIPPET_CHARS)
  const lastSpace = piece.search(/\s\S*$/)
  if (lastSpace > SNIPPET_CHARS / 2) return { start, end: start + lastSpace }
  return { start, end: start + truncateAtGrapheme(text.slice(start), SNIPPET_CHARS).length }
}

function splitAtHits(text: string, hits: Hit[]): TextPart[] {
  const parts: TextPart[] = []
  let position = 0
  for (const { start, end } of hits) {
    parts.push({ text: text.slice(position, start), isHit: false })
    parts.push({ text: text.slice(start, end), isHit: true })
    position = end
  }
  parts.push({ text: text.slice(position), isHit: false })
  return mergeParts(parts)
}

/** Drops empty parts, and merges adjacent parts of the same kind. */
function mergeParts(parts: TextPart[]): TextPart[] {
  const merged: TextPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.text === '') continue
    if (last?.isHit === part.isHit) last.text += part.text
    else merged.push({ ...part })
  }
  return merged
}
