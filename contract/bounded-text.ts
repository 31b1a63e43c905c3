// Work on texts whose cost grows with their length alone, however they are made up. The rest of the
// code neither calls `normalize` nor trims by patterns (test/patterns.test.ts).

/**
 * No letter of any language has more marks; Unicode's own bound (UAX #15, "Stream-Safe"). Some
 * signs become marks when they are taken apart.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode. Bringing marks into order costs the square of how many
 * follow one another, so that those beyond any use are left out first.
 */
export function normalised(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form)
}

/** The text without certain signs at its ends; `String.trim` takes every white space. */
export function trimmed(text: string, signs: string): string {
  return trimmedEnd(text.slice(startWithout(text, signs)), signs)
}

export function trimmedEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function startWithout(text: string, signs: string): number {
  let start = 0
  while (start < text.length && signs.includes(text.charAt(start))) start++
  return start
}
