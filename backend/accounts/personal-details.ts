// What a valid e-mail address, name and prefs are, the one form in which addresses are stored, and
// the avatar that prefs name. Pure functions.
import type { Prefs } from '#contract/accounts.ts'
import { readAboutAuthor } from '#contract/authors.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { normalised, trimmed } from '#contract/plain-text.ts'

/** Of the preferences as JSON. */
export const PREFS_MAX_BYTES = 65_535
/** Of a call that sends prefs: each byte may be written as an escape of six. */
export const PREFS_BODY_MAX_BYTES = 8 * PREFS_MAX_BYTES

export const EMAIL_MAX_CHARS = 254

const LOCAL_MAX_CHARS = 64
/** Before its letters and marks are put together. */
const EMAIL_SENT_MAX_CHARS = 4 * EMAIL_MAX_CHARS
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
/** Labels of letters, digits and inner hyphens. */
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
/** The last label is no number, so no IP address passes. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\p{N}+$)${LABEL}$`, 'u')

/**
 * One bare address, trimmed and in lower case: its form in the database and in rate limit keys.
 *
 * @throws Refusal `general_argument_invalid`
 * @source threat-model.md §3 "Name / e-mail", api.md §13
 */
export function readEmail(text: string): string {
  const bare = trimmed(text, ' ')
  const isLong = bare.length > EMAIL_SENT_MAX_CHARS
  const email = isLong ? '' : normalised(bare).toLowerCase()
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  if (
    email.length > EMAIL_MAX_CHARS ||
    local.length > LOCAL_MAX_CHARS ||
    !LOCAL_PART.test(local) ||
    !DOMAIN.test(email.slice(at + 1))
  ) {
    throw invalidParam('email', 'Value must be a valid email address')
  }
  return email
}

/** The same of a text that may be no address. */
export function findEmail(text: string): string | undefined {
  try {
    return readEmail(text)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/**
 * A user's name as sent; markup in it is plain text.
 *
 * @param text its length is checked by the schema
 * @throws Refusal `general_argument_invalid` for control characters and line breaks
 */
export function readName(text: string): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text))
    throw invalidParam('name', 'Value must be one line of text without control characters')
  return text
}

/**
 * @returns JSON, as stored.
 * @throws Refusal `general_argument_invalid` when they are too large
 */
export function writePrefs(prefs: Prefs): string {
  const text = JSON.stringify(prefs)
  if (Buffer.byteLength(text) > PREFS_MAX_BYTES)
    throw invalidParam('prefs', `Value must be a JSON object of at most ${PREFS_MAX_BYTES} bytes`)
  return text
}

/** How programs call a person's image in the prefs, when it is not `avatar`. */
const NAME_OF_IMAGE = /[Aa]vatar|[Pp]hoto|[Pp]icture|[Ii]mage|[Ii]mg|Pic$|^pic$|_pic$/
const FILE_ADDRESS =
  /\/v1\/storage\/buckets\/[^/"'\s]+\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/

/**
 * The id of the file that is a person's avatar: `avatar` of the prefs, else the first that is
 * called like an image; an id, or the address of a file.
 */
export function avatarIn(prefs: Prefs): string | undefined {
  const others = Object.keys(prefs).filter((name) => NAME_OF_IMAGE.test(name))
  const values = ['avatar', ...others].map((name) => prefs[name])
  for (const value of values) {
    if (typeof value !== 'string') continue
    const id = isId(value) ? value : FILE_ADDRESS.exec(value)?.[1]
    if (id !== undefined) return id
  }
  return undefined
}

/** The line about themselves that prefs have; empty when there is none that can be shown. */
export function aboutIn({ about }: Prefs): string {
  return (typeof about === 'string' ? readAboutAuthor(about) : undefined) ?? ''
}
