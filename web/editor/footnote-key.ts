const RADIX = 36
const KEY_CHARS = 8

/** A new key: random, so that texts from elsewhere do not meet notes of another text. */
export function makeFootnoteKey(): string {
  return Math.random().toString(RADIX).slice(2).padEnd(KEY_CHARS, '0').slice(0, KEY_CHARS)
}
