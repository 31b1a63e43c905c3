// Folds text for the word index: lower case, without accents and variants of letters. In scripts
// without spaces between words each character is a word, so that any part of such a text is a
// phrase. Also counts words. When the folding changes, all posts must be indexed again.
import { countWords, normaliseUnicode, plainText, readWords } from '#contract/plain-text.ts'

/** Characters of scripts without spaces, and emoji. */
const UNSPACED =
  '(?:(?=[\\p{L}\\p{M}\\p{N}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]|\\p{Emoji_Presentation})'
/** Soft hyphens and joiners belong to words; apostrophes separate them. */
const IN_WORD = '[\\p{L}\\p{M}\\p{N}\\u00ad\\u200b-\\u200d]'
const TOKEN = new RegExp(
  `(${UNSPACED}[\\p{M}\\uff9e\\uff9f]*)|(?:(?!${UNSPACED})(?!\\u02bc)${IN_WORD})+`,
  'gu',
)
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')
/** Accents, Hebrew and Arabic vowel points, and invisible characters. */
const MARKS = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5',
    '\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8',
    '\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f',
    '\\ufe20-\\ufe2f\\u00ad\\u200b-\\u200d',
  ].join('')}]`,
  'g',
)
/** Letters that Unicode does not decompose. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
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
const UNDECOMPOSED = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')
const NON_WORD = /[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}]+/gu
const NON_ASCII = /[\u0080-\uffff]+/g

/** The characters of words in a folded text; all others separate words. */
export const WORD_CHARS = 'a-z0-9\\u0080-\\uffff'
const WORDS = new RegExp(`[${WORD_CHARS}]+`, 'g')
/** Separators other than a single space. */
const SEPARATORS = new RegExp(`[^${WORD_CHARS}]{2,}|[^ ${WORD_CHARS}]`, 'g')

/** A folded text may have another length: `offsets` map its positions to those of the original. */
export type Folded = { text: string; offsets: { folded: number; original: number }[] }

/** ASCII characters other than letters and digits separate words. */
export function fold(text: string): Folded {
  const offsets = [{ folded: 0, original: 0 }]
  let folded = ''
  let foldedEnd = 0
  const add = (piece: string, original: number) => {
    offsets.push({ folded: folded.length, original })
    folded += piece
  }
  for (const { 0: run, index } of text.matchAll(NON_ASCII)) {
    folded += text.slice(foldedEnd, index).toLowerCase()
    foldedEnd = index
    for (const { 0: token, 1: unspaced, index: indexInRun } of run.matchAll(TOKEN)) {
      const start = index + indexInRun
      if (start > foldedEnd || unspaced !== undefined) add(' ', foldedEnd)
      const letters = foldLetters(token)
      add(unspaced === undefined ? letters : `${[...letters].join(' ')} `, start)
      foldedEnd = start + token.length
    }
    const end = index + run.length
    if (end > foldedEnd) add(' ', foldedEnd)
    offsets.push({ folded: folded.length, original: end })
    foldedEnd = end
  }
  return { text: folded + text.slice(foldedEnd).toLowerCase(), offsets }
}

/** Gives all variants that readers take for the same letters one form. */
function foldLetters(text: string): string {
  const letters = normaliseUnicode(text, 'NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter)
  return normaliseUnicode(letters).replace(NON_WORD, ' ')
}

/** Only the beginning of a longer text is indexed: PostgreSQL stores 1 MB for each post. */
const INDEXED_MAX_CHARS = 200_000

/** The words of a text as the index stores them, separated by single spaces. */
export function foldWords(text: string): string {
  const { text: folded } = fold(text.slice(0, INDEXED_MAX_CHARS))
  return folded.slice(0, INDEXED_MAX_CHARS).replace(SEPARATORS, ' ').trim()
}

/** The words of a folded text, in order. */
export function wordsIn(folded: string): string[] {
  return folded.match(WORDS) ?? []
}

/** Whether a folded word is a character of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return STARTS_UNSPACED.test(word)
}

/** A cleaned text, and the earlier text that it is compared with. */
export type WordsTask = { text: string; base: string }
export type WordAnalysis = { foldedWords: string; counts: WordCounts }

export function analyseWords({ text, base }: WordsTask): WordAnalysis {
  return { foldedWords: foldWords(plainText(text)), counts: compareWords(base, text) }
}

export type WordCounts = { words: number; wordsAdded: number; wordsRemoved: number }

/**
 * Counts the words of a text, and those added and removed since the earlier text. Their position
 * does not matter: a moved paragraph changes nothing. The cost is linear.
 */
export function compareWords(before: string, after: string): WordCounts {
  if (before === '') {
    const count = countWords(after)
    return { words: count, wordsAdded: count, wordsRemoved: 0 }
  }
  const unmatched = new Map<string, number>()
  for (const word of readWords(before)) unmatched.set(word, (unmatched.get(word) ?? 0) + 1)
  const words = readWords(after)
  let wordsAdded = 0
  for (const word of words) {
    const count = unmatched.get(word) ?? 0
    if (count > 0) unmatched.set(word, count - 1)
    else wordsAdded += 1
  }
  let wordsRemoved = 0
  for (const count of unmatched.values()) wordsRemoved += count
  return { words: words.length, wordsAdded, wordsRemoved }
}
