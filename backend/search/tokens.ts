// A text as the words that the index knows: without upper case, accents and other forms of the same
// letter. Scripts without spaces between words give each pair of neighbouring signs, so that any
// part of such a text is found. Another way of making words needs another `TOKENS_VERSION`.
import { normalised } from '#contract/plain-text.ts'
import type { Turns } from '../process/turns.ts'

/** A longer word is found by its beginning. */
const INDEXED_WORD_MAX_CHARS = 64
/** Different words of one post, and bytes of them together: PostgreSQL keeps 1 MB of a post. */
const INDEXED_WORDS_MAX = 20_000
const INDEXED_WORDS_MAX_BYTES = 500_000

export const TOKENS_VERSION = '1'

/** A word, or a sign of a script without spaces, with its place in the text. */
export type Token = { word: string; isSign: boolean; start: number; end: number }

const SIGN =
  '(?=[\\p{L}\\p{M}\\p{N}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'
/** Soft hyphens and joiners are inside words, apostrophes between them. */
const IN_WORD = '[\\p{L}\\p{M}\\p{N}\\u00ad\\u200b-\\u200d]'
const RUN = new RegExp(
  `((?:${SIGN})[\\p{M}\\uff9e\\uff9f]*)|((?:(?!${SIGN})(?!\\u02bc)${IN_WORD}|\\p{Emoji_Presentation})+)`,
  'gu',
)
/** Accents, points of Hebrew and Arabic, and what is not seen. */
const MARKS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5',
    '\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8',
    '\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f',
    '\\ufe20-\\ufe2f\\u00ad\\u200b-\\u200d',
  ].join('')}]`,
  'g',
)
/** Letters that no rule of Unicode takes apart. */
const SAME: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  ς: 'σ',
  ى: 'ي',
}
const OTHER_SAME = new RegExp(`[${Object.keys(SAME).join('')}]`, 'g')
/** Signs of Chinese, Japanese and Thai that are what folding makes of them. */
const FOLDED_SIGN =
  /^(?:[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]|[\u0e01-\u0e32\u0e40-\u0e46][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]?)$/
const WORDS = /[\p{L}\p{M}\p{N}]+|\p{Emoji_Presentation}/gu

/** The same for all spellings that people take for one. */
function folded(text: string): string {
  const letters = normalised(text, 'NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(OTHER_SAME, (letter) => SAME[letter] ?? letter)
  return normalised(letters)
}

/** Pieces between signs of ASCII: most are words as they stand, which is soon seen. */
const PIECES = /[A-Za-z0-9\u0080-\uffff]+/g
const ASCII_WORD = /^[A-Za-z0-9]+$/

/** The words of a text, in their order. One word as written may be several, such as ½. */
export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const end = index + piece.length
    if (ASCII_WORD.test(piece))
      yield { word: cut(piece.toLowerCase()), isSign: false, start: index, end }
    else yield* tokensOfAny(piece, index)
  }
}

/** The same of a long text, in turns with others. */
export async function tokensInTurns(text: string, turns: Turns): Promise<Token[]> {
  const tokens: Token[] = []
  for (const token of tokensOf(text)) if (tokens.push(token) % 500 === 0) await turns()
  return tokens
}

function* tokensOfAny(text: string, from: number): Generator<Token> {
  for (const found of text.matchAll(RUN)) {
    const [written, sign] = found
    const start = from + found.index
    const place = { isSign: sign !== undefined, start, end: start + written.length }
    if (FOLDED_SIGN.test(written)) {
      for (const one of written) yield { word: one, ...place }
      continue
    }
    for (const [part] of folded(written).matchAll(WORDS))
      if (sign === undefined) yield { word: cut(part), ...place }
      else for (const one of part) yield { word: one, ...place }
  }
}

function cut(word: string): string {
  return word.length <= INDEXED_WORD_MAX_CHARS
    ? word
    : [...word.slice(0, 2 * INDEXED_WORD_MAX_CHARS)].slice(0, INDEXED_WORD_MAX_CHARS).join('')
}

/** A word as the index holds it; `isSign` is one of, or of two of, a script without spaces. */
export type IndexedWord = { word: string; isSign: boolean }

/**
 * What the index holds of tokens: words, and of each run of signs all pairs of neighbours and the
 * last one.
 */
export function* indexedWords(tokens: Iterable<Token>): Generator<IndexedWord> {
  let before: Token | undefined
  for (const token of tokens) {
    if (before) {
      const isNext = token.isSign && token.start <= before.end
      yield { word: isNext ? before.word + token.word : before.word, isSign: true }
    }
    before = token.isSign ? token : undefined
    if (!token.isSign) yield { word: token.word, isSign: false }
  }
  if (before) yield { word: before.word, isSign: true }
}

/** The different words of a text, as many as the index takes. */
export function distinctWords(text: string): IndexedWord[] {
  const found = new Map<string, IndexedWord>()
  let bytes = 0
  // No run of signs goes on beyond a piece, so each different one is looked at once.
  for (const piece of new Set(text.match(PIECES))) {
    const isPlain = ASCII_WORD.test(piece)
    const word = isPlain ? cut(piece.toLowerCase()) : ''
    if (isPlain && found.has(word)) continue
    const words = isPlain ? [{ word, isSign: false }] : indexedWords(tokensOfAny(piece, 0))
    for (const one of words) {
      if (found.has(one.word)) continue
      bytes += Buffer.byteLength(one.word)
      if (found.size >= INDEXED_WORDS_MAX || bytes > INDEXED_WORDS_MAX_BYTES)
        return [...found.values()]
      found.set(one.word, one)
    }
  }
  return [...found.values()]
}
