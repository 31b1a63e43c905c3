// A post body as plain text: excerpt, description, reading time. Works on text, without a DOM, so
// that the server can use it too.
import { findTagLine, plainText, truncateHtml, truncateText } from '#contract/plain-text.ts'

export { plainText, truncateText }

const WORDS_PER_MINUTE = 220
/** For scripts without spaces between words: a usual speed for Chinese and Japanese. */
const LETTERS_PER_MINUTE = 500
const MAYBE_UNSPACED = /[\u0e00-\u0eff\u1780-\u17ff\u19e0-\u19ff\u2e80-\uffff]/
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/gu

/** Headings, lists, code and other blocks that are not running text. */
const NO_RUNNING_TEXT =
  /<(\/?)(?:h[1-6]|ul|ol|dl|pre|table|figure|iframe|audio|video|details)(?=[\s>])[^<>]*>/gi

/** An excerpt is taken from at most this many characters of a body. */
const BEGINNING_MAX_CHARS = 50_000

/**
 * The first words of a post's running text, cut at the end of a word, with an ellipsis if text was
 * left out; empty if the post has no running text.
 */
export function excerptOf(html: string, maxChars: number): string {
  const beginning =
    html.length > BEGINNING_MAX_CHARS
      ? truncateHtml(html, BEGINNING_MAX_CHARS)
      : (findTagLine(html)?.rest ?? html)
  return truncateText(plainText(runningText(beginning)), maxChars)
}

function runningText(html: string): string {
  let text = ''
  let depth = 0
  let position = 0
  for (const tag of html.matchAll(NO_RUNNING_TEXT)) {
    if (depth === 0) text += `${html.slice(position, tag.index)} `
    depth = Math.max(0, depth + (tag[1] ? -1 : 1))
    position = tag.index + tag[0].length
  }
  return depth === 0 ? text + html.slice(position) : text
}

/** The time it takes to read plain text, in whole minutes, at least 1. */
export function minutesOf(text: string): number {
  const isUnspaced = MAYBE_UNSPACED.test(text)
  const letters = isUnspaced ? (text.match(UNSPACED)?.length ?? 0) : 0
  const words = (isUnspaced ? text.replace(UNSPACED, ' ') : text).match(/\S+/g)?.length ?? 0
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + letters / LETTERS_PER_MINUTE))
}

// The direction of a text, by its first strong letter (the rule of HTML's dir="auto"), so that a
// whole article can follow its title.

const FIRST_LETTER = /\p{L}/u
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u

export type Direction = 'ltr' | 'rtl'

export function directionOf(text: string): Direction {
  const letter = FIRST_LETTER.exec(text)?.[0]
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}
