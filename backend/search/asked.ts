// What somebody searches for -> words and phrases, folded like the index. Knows no SQL.
import { invalidParam } from '#contract/errors.ts'
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { indexedWords, type Token, tokensOf } from './tokens.ts'

/** Letters and digits that a search must have; of a script without spaces one sign. Fewer: 400. */
const SEARCH_MIN_LETTERS = 2
/** Words and phrases of it that are looked for; further ones are left out. */
export const SEARCH_WORDS_MAX = 8
/** Words of one phrase, or signs of a script without spaces in one run. */
const SEARCH_PHRASE_WORDS_MAX = 12
/**
 * On SQLite a search looks at so many of the newest posts that match, some at once: where somebody
 * may see none of them, it finds nothing.
 */
export const SEARCH_LOOKED_AT_MAX = 50_000
export const SEARCH_LOOKED_AT_ONCE = 5000

/** A word that the index is asked for: it itself, or all words that begin with it. */
export type AskedWord = { word: string; isSign: boolean; isBeginning: boolean }

/**
 * A word or a phrase. All of `words` must be in the post; where `tokens` are more than one, they
 * must follow each other in its title or text.
 */
export type AskedPart = { words: AskedWord[]; tokens: string[]; isBeginning: boolean }

const QUOTED = /["“”„‟«»「」『』]([^"“”„‟«»「」『』]*)["“”„‟«»「」『』]/g

/**
 * Words, of which the beginning is enough, and phrases in quotation marks; each counts once, and as
 * many as may be.
 *
 * @throws Refusal `general_argument_invalid` for what is too long, or has too few letters
 */
export function readAsked(q: string): AskedPart[] {
  if (q.length > SEARCH_MAX_CHARS)
    throw invalidParam('q', `Value must be a valid string of at most ${SEARCH_MAX_CHARS} chars`)
  const parts = splitAsked(q)
  const isEnough = parts.some(({ words }) => words.some(({ isSign }) => isSign))
  const letters = parts.flatMap(({ tokens }) => tokens).join('')
  if (parts.length === 0 || (!isEnough && [...letters].length < SEARCH_MIN_LETTERS))
    throw invalidParam('q', `Value must have at least ${SEARCH_MIN_LETTERS} letters or digits`)
  return parts
}

/** The same without a refusal: no part at all for a text without words. */
export function splitAsked(q: string): AskedPart[] {
  const phrases = [...q.matchAll(QUOTED)].map(([, phrase = '']) => phrase)
  const rest = q.replace(QUOTED, ' ')
  const parts = [
    ...phrases.map((phrase) => phraseOf([...tokensOf(phrase)])),
    ...runsOf([...tokensOf(rest)]).map(runPart),
  ].filter(({ words }) => words.length > 0)
  const once = new Map(parts.map((part) => [JSON.stringify(part), part]))
  return [...once.values()].slice(0, SEARCH_WORDS_MAX)
}

function phraseOf(tokens: Token[]): AskedPart {
  const kept = tokens.slice(0, SEARCH_PHRASE_WORDS_MAX)
  const words = runsOf(kept).flatMap((run) => wordsOf(run, { isBeginning: false }))
  const once = new Map(words.map((one) => [one.word, one]))
  const [first] = kept
  return {
    words: [...once.values()],
    tokens: kept.map(({ word }) => word),
    isBeginning: kept.length === 1 && first?.isSign === true,
  }
}

/** A word by itself, or neighbouring signs of a script without spaces. */
function runPart(run: Token[]): AskedPart {
  const [first] = run
  if (!first || first.isSign) return phraseOf(run)
  // One letter begins nearly everything.
  const isBeginning = [...first.word].length > 1
  return { words: wordsOf(run, { isBeginning }), tokens: [first.word], isBeginning }
}

/**
 * What the index is asked for: signs are in it in pairs, so that one alone is the beginning of
 * some.
 */
export function wordsOf(run: Token[], { isBeginning }: { isBeginning: boolean }): AskedWord[] {
  const [first] = run
  if (!first) return []
  if (!first.isSign || run.length === 1)
    return [{ word: first.word, isSign: first.isSign, isBeginning: first.isSign || isBeginning }]
  return [...indexedWords(run)]
    .slice(0, -1)
    .map(({ word }) => ({ word, isSign: true, isBeginning: false }))
}

/** Words one by one, signs that are next to each other together. */
export function runsOf(tokens: Token[]): Token[][] {
  const runs: Token[][] = []
  for (const token of tokens) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isNext = last?.isSign && token.isSign && token.start <= last.end
    if (run && isNext) run.push(token)
    else runs.push([token])
  }
  return runs
}

/** Whether the index alone cannot tell that a post holds it. */
export function needsReading({ tokens, words }: AskedPart): boolean {
  const [first] = words
  const isPair = words.length === 1 && tokens.length === 2 && first?.isSign === true
  return tokens.length > 1 && !isPair
}
