// The forms of texts that an attribute may be declared to have.
import { isIP } from 'node:net'
import { EMAIL_MAX_CHARS } from '#contract/limits.ts'

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_CHARS && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text)
}

/** A whole address on the web. */
export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0
}
