// Parses a search into words and phrases, folded like the index. Independent of SQL.
import { invalidParam } from '#contract/errors.ts'
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { fold, isUnspaced, wordsIn } from './fold-words.ts'

/** Consecutive words; with `isPrefix` the last one may be the beginning of a longer word. */
export type SearchTerm = { words: string[]; isPrefix: boolean }

/** Letters and digits that a search needs; in a script without spaces one character is enough. */
const MIN_LETTERS = 2
const TERMS_MAX = 8
/** Prefixes cost the most: with more terms only the last one, perhaps unfinished, is a prefix. */
const PREFIXES_MAX = 4
const PHRASE_WORDS_MAX = 12
const QUOTED = /["“”„‟«»「」『』]([^"“”„‟«»「」『』]*)["“”„‟«»「」『』]/g

/**
 * Parses a search into phrases in quotation marks and single words, which are prefixes; each term
 * once, and no more than `TERMS_MAX`.
 *
 * @throws Refusal `general_argument_invalid` when it is too long, or has too few letters
 */
export function parseSearchTerms(q: string): SearchTerm[] {
  if (q.length > SEARCH_MAX_CHARS)
    throw invalidParam('q', `Value must be a valid string of at most ${SEARCH_MAX_CHARS} chars`)
  const phrases = [...q.matchAll(QUOTED)].map(([, phrase = '']) => parsePhrase(phrase))
  const unquoted = q.replace(QUOTED, ' ').split(/[\s\p{P}]+/u)
  const all = [...phrases, ...unquoted.flatMap(parseWords)].filter(({ words }) => words.length > 0)
  const words = all.flatMap((term) => term.words)
  if (!words.some(isUnspaced) && [...words.join('')].length < MIN_LETTERS)
    throw invalidParam('q', `Value must have at least ${MIN_LETTERS} letters or digits`)
  const distinct = new Map(all.map((term) => [JSON.stringify(term), term]))
  const terms = [...distinct.values()].slice(0, TERMS_MAX)
  if (terms.length <= PREFIXES_MAX) return terms
  return terms.map((term, at) => (at < terms.length - 1 ? { ...term, isPrefix: false } : term))
}

function parsePhrase(text: string): SearchTerm {
  return { words: wordsIn(fold(text).text).slice(0, PHRASE_WORDS_MAX), isPrefix: false }
}

/** A term for each word; adjacent characters of scripts without spaces become one phrase. */
function parseWords(text: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const word of wordsIn(fold(text).text)) {
    const last = terms.at(-1)
    const isAdjacent = isUnspaced(word) && last !== undefined && isUnspaced(last.words[0] ?? '')
    if (isAdjacent && last.words.length < PHRASE_WORDS_MAX) last.words.push(word)
    else terms.push(toTerm(word))
  }
  return terms
}

/** A single letter is no prefix: it would match nearly everything. */
function toTerm(word: string): SearchTerm {
  return { words: [word], isPrefix: !isUnspaced(word) && [...word].length > 1 }
}

/** A value of the list query `search`: consecutive words; none where the value has no letters. */
export function parseSearchValue(value: string): SearchTerm {
  const { words } = parsePhrase(value)
  return { words, isPrefix: toTerm(words.at(-1) ?? '').isPrefix }
}
