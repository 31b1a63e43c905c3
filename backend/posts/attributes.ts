// Names of attributes, refusals about attributes, and the extra attributes of posts with
// `BLOG_EXTRA_ATTRIBUTES=on` (api.md §3.7), which are stored unchanged in one JSON column, and
// returned, but not queried.
import { Refusal } from '#contract/errors.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'

/** The `data` of a call: an object whose values are not checked yet. */
export type SentData = Readonly<Record<string, unknown>>

/** The attribute of a post's tags. */
export const TAGS = 'tags'
/** When a post was active for the first time; when a scheduled post will be. */
export const PUBLISHED_AT = 'publishedAt'

// --- refusals

export function invalidStructure(fault: string, options?: { setting: string }): Refusal {
  return new Refusal('document_invalid_structure', `Invalid document structure: ${fault}`, options)
}

export function invalidFormat(attribute: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${attribute}" has invalid format. Value must be ${rule}`)
}

export function invalidType(attribute: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${attribute}" has invalid type. ${rule}`)
}

// --- texts

/** @throws Refusal `document_invalid_structure` for anything but a text of `max` characters */
export function readText(name: string, value: unknown, max: number): string {
  if (typeof value === 'string' && !hasMoreCharacters(value, max)) return value
  throw invalidType(name, `Value must be a valid string and no longer than ${max} chars`)
}

/** Texts that are this many times too long are not cleaned: other requests would wait for it. */
const CLEANED_TIMES_MAX = 10

/**
 * Reads a text, and cleans it before its length is checked.
 *
 * @throws Refusals as {@link readText} does
 */
export function readCleaned(
  name: string,
  value: unknown,
  max: number,
  clean: (text: string) => string,
): string {
  const isCleaned = typeof value === 'string' && value.length <= CLEANED_TIMES_MAX * max
  return readText(name, isCleaned ? clean(value) : value, max)
}

// --- extra attributes

/** The size of all extra attributes of a post as JSON. */
const EXTRA_ATTRIBUTES_MAX_BYTES = 16 * 1024
const EXTRA_ATTRIBUTES_MAX = 32
/** Names of attributes as the hosted API allows them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/
/** Names of members that every JavaScript object has. */
const OBJECT_MEMBERS = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)])

type Scalar = string | number | boolean
/** By name; undefined removes the attribute. */
export type ExtraChanges = ReadonlyMap<string, Scalar | undefined>

/**
 * Whether an extra attribute may have this name.
 *
 * @param specified the attributes that api.md defines, by name
 */
export function isExtraName(name: string, specified: object): boolean {
  return NAME.test(name) && !Object.hasOwn(specified, name) && !OBJECT_MEMBERS.has(name)
}

export function unknownAttribute(name: string, { isExtra }: { isExtra: boolean }): Refusal {
  const text = `Unknown attribute: "${name}"`
  if (!isExtra) return invalidStructure(text)
  const setting = 'BLOG_EXTRA_ATTRIBUTES'
  return invalidStructure(`${text}. The setting ${setting}=on allows it`, { setting })
}

/** @throws Refusal `document_invalid_structure` for anything but a scalar or null */
export function readExtraValue(name: string, value: unknown): Scalar | undefined {
  if (value === null) return undefined
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && !value.includes('\0')) return value.toWellFormed()
  throw invalidType(name, 'Value must be a text, a number or a boolean')
}

/**
 * Applies changes to the stored extra attributes.
 *
 * @returns the new ones as JSON; empty for none
 * @throws Refusal `document_invalid_structure` when they are too many or too large
 */
export function applyExtraChanges(stored: string, changes: ExtraChanges): string {
  if (changes.size === 0) return stored
  const extras = new Map(Object.entries(parseExtras(stored)))
  for (const [name, value] of changes) {
    if (value === undefined) extras.delete(name)
    else extras.set(name, value)
  }
  if (extras.size > EXTRA_ATTRIBUTES_MAX)
    throw invalidStructure(`More than ${EXTRA_ATTRIBUTES_MAX} extra attributes`)
  const text = extras.size === 0 ? '' : JSON.stringify(Object.fromEntries(extras))
  if (Buffer.byteLength(text) > EXTRA_ATTRIBUTES_MAX_BYTES)
    throw invalidStructure(`Extra attributes have more than ${EXTRA_ATTRIBUTES_MAX_BYTES} bytes`)
  return text
}

/** Older releases also stored lists of strings. */
export function parseExtras(stored: string): Record<string, unknown> {
  return stored === '' ? {} : (JSON.parse(stored) as Record<string, unknown>)
}
