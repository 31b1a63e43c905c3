// Validates email addresses and converts them between their stored form and the form for mail
// servers. Pure functions.
import { domainToASCII, domainToUnicode } from 'node:url'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { normaliseUnicode, trimChars } from '#contract/plain-text.ts'

export const EMAIL_MAX_CHARS = 254

const LOCAL_MAX_CHARS = 64
/** Length before Unicode normalisation. */
const EMAIL_SENT_MAX_CHARS = 4 * EMAIL_MAX_CHARS
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
/** Labels of letters, digits and inner hyphens. */
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
/** The last label must not be a number, so no IP address is valid. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\p{N}+$)${LABEL}$`, 'u')
/**
 * The domain parser would decode any other ASCII character, or cut the domain there, as in a URL.
 */
const DOMAIN_CHARACTERS = /^(?:[a-z0-9.-]|\P{ASCII})+$/iu

/**
 * Parses one bare address into its form for the database and rate limit keys. The local part is in
 * lower case; the domain is in Unicode, also when it was sent in Punycode, in capitals, in
 * full-width characters or with the dot of the root.
 *
 * @throws Refusal `general_argument_invalid`
 * @source threat-model.md §3 "Name / email", api.md §13, Unicode Technical Standard 46
 */
export function parseEmail(text: string): string {
  const composed = compose(text)
  const at = composed.lastIndexOf('@')
  const local = composed.slice(0, Math.max(at, 0)).toLowerCase()
  const rawDomain = composed.slice(at + 1).replace(/(?<=.)\.$/, '')
  const domain = asciiDomain(rawDomain)
  if (
    `${local}@${domain}`.length > EMAIL_MAX_CHARS ||
    local.length > LOCAL_MAX_CHARS ||
    !LOCAL_PART.test(local) ||
    !DOMAIN_CHARACTERS.test(rawDomain) ||
    !DOMAIN.test(domain)
  ) {
    throw invalidParam('email', 'Value must be a valid email address')
  }
  return `${local}@${domainToUnicode(domain) || domain}`
}

/** @returns undefined for an invalid address */
export function tryParseEmail(text: string): string | undefined {
  try {
    return parseEmail(text)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The sent address in lower case: the stored form before 2026-11-28. */
export function toLowerCaseEmail(text: string): string {
  return compose(text).toLowerCase()
}

/** Converts a stored address for mail servers. */
export function toMailAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1
  return email.slice(0, at) + asciiDomain(email.slice(at))
}

function compose(text: string): string {
  const bare = trimChars(text, ' ')
  return bare.length > EMAIL_SENT_MAX_CHARS ? '' : normaliseUnicode(bare)
}

/**
 * The ASCII form of a domain. A domain without one, which no mail can reach, only becomes lower
 * case.
 */
function asciiDomain(domain: string): string {
  return domainToASCII(domain) || domain.toLowerCase()
}
