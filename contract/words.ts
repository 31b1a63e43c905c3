// The words of a text in HTML, counted the same way by the server and the screens.

const ENTITY_SPACE = /&(?:nbsp|#160|#xa0);/gi
/** Ends a word that letters of the next element would otherwise go on with. */
const BREAKING_TAG =
  /<\/?(?:p|br|hr|h[1-6]|li|ul|ol|dl|dt|dd|div|blockquote|pre|t[dhr]|table|caption|figure|figcaption|details|summary|img|iframe|video|audio)\b[^<>]*>/gi
const OTHER_TAG = /<[^<>]*>/g
const ENTITY = /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);/gi
/** Scripts without spaces between words: each sign counts. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}][\p{M}'’‑-]*)+/gu
const MAYBE_UNSPACED = /[\u0e00-\u0e7f\u2e80-\uffff]/
/** The same where no such sign is, which is soon seen. */
const SPACED_WORD = /(?:[\p{L}\p{N}][\p{M}'’‑-]*)+/gu

/** All words in their order, as they are written. */
export function readWords(html: string): string[] {
  const text = html
    .replace(BREAKING_TAG, ' ')
    .replace(OTHER_TAG, '')
    .replace(ENTITY_SPACE, ' ')
    .replace(ENTITY, '-')
  return text.match(MAYBE_UNSPACED.test(text) ? WORD : SPACED_WORD) ?? []
}

export function countWords(html: string): number {
  return readWords(html).length
}
