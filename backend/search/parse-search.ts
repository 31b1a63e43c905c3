// Parses a search into words and phrases, folded like the index. Independent of SQL.
import { invalidParam } from '#contract/errors.ts'
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { fold, isUnspaced, wordsIn } from './fold-words.ts'

/** Words that follow each other; of the last one the beginning is enough where it is a prefix. */
export type SearchTerm = { words: string[]; isPrefix: boolean }

/** Letters and digits that a search must have; of a script without spaces one sign. */
const MIN_LETTERS = 2
const PARTS_MAX = 8
/** Beginnings cost the most: of more words only the last one, which is perhaps being written. */
const PREFIXES_MAX = 4
const PHRASE_WORDS_MAX = 12
const QUOTED = /["“”„‟«»「」『』]([^"“”„‟«»「」『』]*)["“”„‟«»「」『』]/g

/**
 * Words, of which the beginning is enough, and phrases in quotation marks; each counts once, and as
 * many as may be.
 *
 * @throws Refusal `general_argument_invalid` for what is too long, or has too few letters
 */
export function parseSearchTerms(q: string): SearchTerm[] {
  if (q.length > SEARCH_MAX_CHARS)
    throw invalidParam('q', `Value must be a valid string of at most ${SEARCH_MAX_CHARS} chars`)
  const phrases = [...q.matchAll(QUOTED)].map(([, phrase = '']) => phraseOf(phrase))
  const loose = q.replace(QUOTED, ' ').split(/[\s\p{P}]+/u)
  const parts = [...phrases, ...loose.flatMap(partsOf)].filter(({ words }) => words.length > 0)
  const words = parts.flatMap((part) => part.words)
  if (!words.some(isUnspaced) && [...words.join('')].length < MIN_LETTERS)
    throw invalidParam('q', `Value must have at least ${MIN_LETTERS} letters or digits`)
  const once = new Map(parts.map((part) => [JSON.stringify(part), part]))
  const asked = [...once.values()].slice(0, PARTS_MAX)
  if (asked.length <= PREFIXES_MAX) return asked
  return asked.map((part, at) => (at < asked.length - 1 ? { ...part, isPrefix: false } : part))
}

function phraseOf(text: string): SearchTerm {
  return { words: wordsIn(fold(text).text).slice(0, PHRASE_WORDS_MAX), isPrefix: false }
}

/** Words one by one, signs next to each other as a phrase. */
function partsOf(text: string): SearchTerm[] {
  const parts: SearchTerm[] = []
  for (const word of wordsIn(fold(text).text)) {
    const last = parts.at(-1)
    const isNext = isUnspaced(word) && last !== undefined && isUnspaced(last.words[0] ?? '')
    if (isNext && last.words.length < PHRASE_WORDS_MAX) last.words.push(word)
    else parts.push(wordPart(word))
  }
  return parts
}

/** One letter begins nearly everything. */
function wordPart(word: string): SearchTerm {
  return { words: [word], isPrefix: !isUnspaced(word) && [...word].length > 1 }
}

/** A value of `search` in a list: its words in their order; none where it has no letters. */
export function parseSearchValue(value: string): SearchTerm {
  const { words } = phraseOf(value)
  return { words, isPrefix: wordPart(words.at(-1) ?? '').isPrefix }
}
