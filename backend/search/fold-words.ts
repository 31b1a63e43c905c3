// The words of a text: counted, and as the index of words knows them, without upper case, accents
// and other forms of the same letter. Each sign of a script without spaces between words is a word,
// so that any part of such a text is a phrase. Texts that are in the index must come into it anew
// when this changes.
import { countWords, normaliseUnicode, plainText, readWords } from '#contract/plain-text.ts'

/** Signs of scripts without spaces, and emoji. */
const SIGN =
  '(?:(?=[\\p{L}\\p{M}\\p{N}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]|\\p{Emoji_Presentation})'
/** Soft hyphens and joiners are inside words, apostrophes between them. */
const IN_WORD = '[\\p{L}\\p{M}\\p{N}\\u00ad\\u200b-\\u200d]'
const PIECE = new RegExp(
  `(${SIGN}[\\p{M}\\uff9e\\uff9f]*)|(?:(?!${SIGN})(?!\\u02bc)${IN_WORD})+`,
  'gu',
)
const ONE_SIGN = new RegExp(`^${SIGN}`, 'u')
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
const NO_WORD = /[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}]+/gu
const NOT_ASCII = /[\u0080-\uffff]+/g

/** In a folded text a word is a run of these; all else stands between words. */
export const WORD_CHARS = 'a-z0-9\\u0080-\\uffff'
const WORDS = new RegExp(`[${WORD_CHARS}]+`, 'g')
/** What stands between words and is no single blank. */
const OTHER_GAPS = new RegExp(`[^${WORD_CHARS}]{2,}|[^ ${WORD_CHARS}]`, 'g')

/** @returns its length may be another one: `offsets` lead back to the text */
export type Folded = { text: string; offsets: { at: number; from: number }[] }

/** Every sign of ASCII but letters and digits separates words. */
export function fold(text: string): Folded {
  const offsets = [{ at: 0, from: 0 }]
  let folded = ''
  let done = 0
  const add = (piece: string, from: number) => {
    offsets.push({ at: folded.length, from })
    folded += piece
  }
  for (const { 0: run, index } of text.matchAll(NOT_ASCII)) {
    folded += text.slice(done, index).toLowerCase()
    done = index
    for (const { 0: piece, 1: sign, index: inRun } of run.matchAll(PIECE)) {
      const from = index + inRun
      if (from > done || sign !== undefined) add(' ', done)
      const letters = foldLetters(piece)
      add(sign === undefined ? letters : `${[...letters].join(' ')} `, from)
      done = from + piece.length
    }
    const end = index + run.length
    if (end > done) add(' ', done)
    offsets.push({ at: folded.length, from: end })
    done = end
  }
  return { text: folded + text.slice(done).toLowerCase(), offsets }
}

/** The same for all spellings that people take for one. */
function foldLetters(text: string): string {
  const letters = normaliseUnicode(text, 'NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(OTHER_SAME, (letter) => SAME[letter] ?? letter)
  return normaliseUnicode(letters).replace(NO_WORD, ' ')
}

/** Only the beginning of a longer text is searched: PostgreSQL keeps 1 MB of a post. */
const INDEXED_MAX_CHARS = 200_000

/** What the index holds of a text: its words with a blank between. */
export function foldWords(text: string): string {
  const { text: folded } = fold(text.slice(0, INDEXED_MAX_CHARS))
  return folded.slice(0, INDEXED_MAX_CHARS).replace(OTHER_GAPS, ' ').trim()
}

/** The words of a folded text, in their order. */
export function wordsIn(folded: string): string[] {
  return folded.match(WORDS) ?? []
}

/** Whether a folded word is one sign of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return ONE_SIGN.test(word)
}

/** A text that follows the rules, and what it is compared with. */
export type WordsTask = { text: string; base: string }
/** `words` as the index of words takes them. */
export type WordAnalysis = { foldedWords: string; counts: WordCounts }

export function analyseWords({ text, base }: WordsTask): WordAnalysis {
  return { foldedWords: foldWords(plainText(text)), counts: compareWords(base, text) }
}

export type WordCounts = { words: number; wordsAdded: number; wordsRemoved: number }

/**
 * How many words a text has, and how many came and went against the one before, wherever they
 * stand: a paragraph that only moved counts for nothing. The cost grows with the texts alone.
 */
export function compareWords(before: string, after: string): WordCounts {
  if (before === '') {
    const count = countWords(after)
    return { words: count, wordsAdded: count, wordsRemoved: 0 }
  }
  const left = new Map<string, number>()
  for (const word of readWords(before)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = readWords(after)
  let wordsAdded = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    else wordsAdded += 1
  }
  let wordsRemoved = 0
  for (const count of left.values()) wordsRemoved += count
  return { words: words.length, wordsAdded, wordsRemoved }
}
