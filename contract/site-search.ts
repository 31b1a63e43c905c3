// The search of an exported site: the export writes the index, and a script in its search page
// reads it (web/search/static-search.ts). The functions are sent to the browser as text: each uses
// only its arguments and its own declarations.

/** A post in the results: path from the root of the site, and what is shown. */
export type FoundPost = [
  path: string,
  title: string,
  author: string,
  createdAt: string,
  excerpt: string,
  picture: string,
]

/**
 * The posts with a word, by number, the newest post being 0: twice the number, plus one if the word
 * is in the title. Null for a word of so many posts that it does not narrow a search.
 */
export type WordUse = [word: string, posts: number[] | null]

export type SiteIndex = {
  total: number
  /** Posts in each further file. */
  postsPerFile: number
  /** Absent when they are in files of their own. */
  words?: WordUse[]
  posts?: FoundPost[]
}

/** The words of a text in the form that the index has: lower case, without accents. */
export function siteWords(text: string): string[] {
  const letters: Record<string, string> = {
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ħ: 'h',
    ı: 'i',
    ς: 'σ',
    ى: 'ي',
  }
  const WORD_MAX_CHARS = 40
  const fold = (word: string) =>
    word
      .slice(0, WORD_MAX_CHARS)
      .normalize('NFKD')
      .replace(/\p{M}|[\u00ad\u0640\u200b-\u200d]/gu, '')
      .replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? letter)
      .normalize()
  // In scripts without spaces each character is a word.
  const tokens = text
    .toLowerCase()
    .matchAll(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}\u00ad\u200b-\u200d])+/gu,
    )
  return Array.from(tokens, ([token]) => fold(token)).filter((word) => word !== '')
}

/** The name of the file with the words that begin as this one does. */
export function wordsFileOf(word: string): string {
  const codes = [...word].slice(0, 2).map((letter) => (letter.codePointAt(0) ?? 0).toString(16))
  return `words-${codes.join('-')}`
}
