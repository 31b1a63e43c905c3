// How the initials of a name look: which letters, on which colour. Pure.
import { normalised } from '#contract/plain-text.ts'

/** Each at least 5:1 against the paper colour of the letters (WCAG AA); petrol first. */
const BACKGROUNDS = ['#1d5866', '#8a3b2a', '#5b4a8c', '#2f6140', '#7a4a12'] as const
export const PAPER = '#fffaf0'
export const INK = '#17262b'
/** Head and shoulders in a 100 x 100 view box, for names without a letter of these fonts. */
export const PERSON =
  '<circle cx="50" cy="36" r="17"/><path d="M14 100c0-28 16-42 36-42s36 14 36 42z"/>'

/**
 * The letters that stand for a name: the first letter or digit of its first two words, in capitals.
 *
 * @source api.md §5 "Initials"
 */
export function initialsOf(name: string): string {
  const text = normalised(name).trim()
  const words = text.split(/\s/u.test(text) ? /\s+/u : /_+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0].toUpperCase() ?? '')][0] ?? '')
    .join('')
}

/** The colour behind a pair of letters; the same letters always get the same one. */
export function backgroundOf(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return BACKGROUNDS[(sum % 10) % BACKGROUNDS.length] ?? BACKGROUNDS[0]
}
