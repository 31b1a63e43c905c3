// Where a text holds what was asked for: whether it does at all, and the parts that a page marks.
// Knows no database.

import type { TextPart } from '#contract/search.ts'
import { makeTurns, type Turns } from '../process/turns.ts'
import type { AskedPart } from './asked.ts'
import { type Token, tokensInTurns, tokensOf } from './tokens.ts'

/** Of the text of a result around what was found. */
const SNIPPET_CHARS = 130
/** Of the body of a result, for its snippet. */
export const SNIPPET_SEARCHED_MAX_CHARS = 50_000

type Place = { start: number; end: number; part: number }

/** Whether the tokens follow each other in the text. */
export function holdsPart(tokens: readonly Token[], part: AskedPart): boolean {
  return tokens.some((_token, at) => isAt(tokens, at, part))
}

function isAt(tokens: readonly Token[], at: number, part: AskedPart): boolean {
  const { tokens: asked, isBeginning } = part
  const lastAt = asked.length - 1
  return asked.every((word, offset) => {
    const found = tokens[at + offset]
    if (!found) return false
    return isBeginning && offset === lastAt ? found.word.startsWith(word) : found.word === word
  })
}

function findPlaces(tokens: readonly Token[], parts: readonly AskedPart[]): Place[] {
  const places: Place[] = []
  for (const [at, token] of tokens.entries())
    for (const [index, part] of parts.entries()) {
      if (!isAt(tokens, at, part)) continue
      const end = tokens[at + part.tokens.length - 1]?.end ?? token.end
      places.push({ start: token.start, end, part: index })
    }
  return places
}

/** The whole text, in parts that are hits and parts that are not. */
export function markAll(text: string, parts: readonly AskedPart[]): TextPart[] {
  return cutIntoParts(text, findPlaces([...tokensOf(text)], parts))
}

/**
 * The piece of a text that holds most of what was asked for, the first of equals; its beginning
 * where nothing is found. An ellipsis stands where something was left out.
 */
export async function snippetOf(
  text: string,
  parts: readonly AskedPart[],
  turns = makeTurns(),
): Promise<TextPart[]> {
  const { searched, tokens, places } = await searchBeginning(text, parts, turns)
  const { start, end } = pieceAround(searched, tokens, bestPlace(places))
  const inside = places
    .filter((place) => place.start >= start && place.end <= end)
    .map((place) => ({ ...place, start: place.start - start, end: place.end - start }))
  const shown = cutIntoParts(searched.slice(start, end), inside)
  const [before, after] = [start > 0 ? '… ' : '', end < text.trimEnd().length ? ' …' : '']
  return joined([{ text: before, isHit: false }, ...shown, { text: after, isHit: false }])
}

/** Only as much of a long text as is needed to find everything once. */
async function searchBeginning(text: string, parts: readonly AskedPart[], turns: Turns) {
  for (let chars = SNIPPET_SEARCHED_MAX_CHARS / 16; ; chars *= 4) {
    const searched = text.slice(0, chars)
    const tokens = await tokensInTurns(searched, turns)
    await turns()
    const places = findPlaces(tokens, parts)
    const isAll = new Set(places.map(({ part }) => part)).size === parts.length
    if (isAll || chars >= SNIPPET_SEARCHED_MAX_CHARS || chars >= text.length)
      return { searched, tokens, places }
  }
}

/** From where a piece holds the most different parts. */
function bestPlace(places: Place[]): number {
  let best = { start: places[0]?.start ?? 0, count: 0 }
  let to = 0
  const inside = new Map<number, number>()
  for (const [from, place] of places.entries()) {
    while (to < places.length && (places[to]?.end ?? 0) - place.start <= SNIPPET_CHARS * 0.7) {
      const { part } = places[to] as Place
      inside.set(part, (inside.get(part) ?? 0) + 1)
      to++
    }
    if (inside.size > best.count) best = { start: place.start, count: inside.size }
    if (to <= from) to = from + 1
    else {
      const left = (inside.get(place.part) ?? 1) - 1
      if (left > 0) inside.set(place.part, left)
      else inside.delete(place.part)
    }
  }
  return best.start
}

/** Some words before the place, as many as fit behind it; cut between words. */
function pieceAround(
  text: string,
  tokens: readonly Token[],
  place: number,
): { start: number; end: number } {
  const leading = place - SNIPPET_CHARS / 4
  const isFromStart = leading <= 0 || text.length <= SNIPPET_CHARS
  const first = isFromStart ? undefined : tokens.find((token) => token.start >= leading)
  const start = first ? Math.min(first.start, place) : 0
  if (text.length - start <= SNIPPET_CHARS) return { start, end: text.length }
  const last = tokens.findLast(({ end }) => end > place && end <= start + SNIPPET_CHARS)
  return { start, end: last?.end ?? wholeCharacters(text, start + SNIPPET_CHARS) }
}

function wholeCharacters(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}

function cutIntoParts(text: string, places: Place[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue
    const from = Math.max(at, start)
    parts.push({ text: text.slice(at, from), isHit: false })
    parts.push({ text: text.slice(from, end), isHit: true })
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
