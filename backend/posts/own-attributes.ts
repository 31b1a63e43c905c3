// The attributes of a post beside those of the roles: what they may hold, how many there may be,
// and how they are stored. Knows no SQL and no viewer.
import { OWN_ATTRIBUTES_MAX, OWN_ATTRIBUTES_MAX_BYTES } from '#contract/limits.ts'
import { firstWords } from '#contract/plain-text.ts'
import {
  invalidStructure,
  invalidType,
  readDeclared,
  type Scalar,
  type Value,
} from '../collections/declared.ts'
import { type Attributes, isOwnAttribute } from './naming.ts'

/** By name; undefined takes an attribute away. */
export type OwnChanges = ReadonlyMap<string, Value | undefined>

/**
 * Checks the value of an attribute that posts may have.
 *
 * @throws Refusal `document_invalid_structure`
 */
export function readOwn(attributes: Attributes, name: string, value: unknown): Value | undefined {
  const definition = attributes.declared.get(name)
  if (definition) return readDeclared(definition, value)
  if (value === null) return undefined
  if (!Array.isArray(value)) return readScalar(name, value)
  return value.map((one, index) => {
    const element = `${name}['${index}']`
    if (typeof one !== 'string') throw invalidType(element, 'Value must be a valid string')
    return readScalar(element, one)
  })
}

function readScalar(name: string, value: unknown): Scalar {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && !value.includes('\0')) return value.toWellFormed()
  throw invalidType(name, 'Value must be a text, a number, a boolean or a list of texts')
}

/** Declared attributes that a new post must have, and what others are when nothing is sent. */
export function newOwn(
  { declared }: Attributes,
  sent: OwnChanges,
  { isIncomplete }: { isIncomplete: boolean },
): OwnChanges {
  const all = new Map(sent)
  for (const definition of declared.values()) {
    const { key, required, default: standard } = definition
    if (!isOwnAttribute({ hasExtras: false, declared }, key) || all.get(key) !== undefined) continue
    if (required && !isIncomplete) throw invalidStructure(`Missing required attribute "${key}"`)
    if (standard !== null) all.set(key, standard)
  }
  return all
}

/**
 * What is stored after a change.
 *
 * @param before as stored
 * @throws Refusal `document_invalid_structure` for too many or too much
 */
export function joinOwn(before: string, changes: OwnChanges): string {
  const all = new Map(Object.entries(parseOwn(before)))
  for (const [name, value] of changes) {
    if (value === undefined) all.delete(name)
    else all.set(name, value)
  }
  const beside = ['status', 'title'].filter((name) => all.has(name)).length
  if (all.size - beside > OWN_ATTRIBUTES_MAX)
    throw invalidStructure(`More than ${OWN_ATTRIBUTES_MAX} attributes of its own`)
  const text = all.size === 0 ? '' : JSON.stringify(Object.fromEntries(all))
  if (Buffer.byteLength(text) > OWN_ATTRIBUTES_MAX_BYTES)
    throw invalidStructure(`Attributes of its own have more than ${OWN_ATTRIBUTES_MAX_BYTES} bytes`)
  return text
}

export function parseOwn(stored: string): Record<string, Value> {
  return stored === '' ? {} : (JSON.parse(stored) as Record<string, Value>)
}

export function parseSpellings(stored: string): string[] {
  return stored === '' ? [] : (JSON.parse(stored) as string[])
}

export function toStoredSpellings(spellings: string[]): string {
  return spellings.length === 0 ? '' : JSON.stringify(spellings)
}

// --- What a program sent as the status or the title, where the row holds something else: the
// status that rules and indexes go by, the first words of a text without a title. Kept among the
// attributes of its own, none of which can have these names.

type SentName = 'status' | 'title'
type Stored = { attributes: string }

export function asSent<Name extends SentName>(
  row: Record<Name, string> & Stored,
  name: Name,
): string {
  return findSent(row, name) ?? row[name]
}

export function isUntitled(row: Stored): boolean {
  return findSent(row, 'title') === ''
}

export type TitleNeeds = { hasTextBodies?: boolean | undefined }

/** The title in the row of a post that has none. */
export function titleFrom({ hasTextBodies = false }: TitleNeeds, content: string): string {
  return firstWords(content, { isText: hasTextBodies })
}

export function findSent({ attributes }: Stored, name: SentName): string | undefined {
  const found = attributes.includes(`"${name}":`) ? parseOwn(attributes)[name] : undefined
  return typeof found === 'string' ? found : undefined
}

/** The stored attributes with another word of the status, which is not counted among them. */
export function withSentStatus(attributes: string, word: string | undefined): string {
  const { status: _, ...others } = parseOwn(attributes)
  const all = word === undefined ? others : { ...others, status: word }
  return Object.keys(all).length === 0 ? '' : JSON.stringify(all)
}
