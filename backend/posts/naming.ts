// The names under which attributes of a post are sent and asked for -> the specified names, and
// what a post is remembered to be written with. Knows no SQL and no viewer.

import { OWN_ATTRIBUTES_MAX_BYTES } from '#backend/collections/definitions.ts'
import type { Refusal } from '#contract/errors.ts'
import { ID_MAX_CHARS } from '#contract/ids.ts'
import { firstWords } from '#contract/plain-text.ts'
import {
  AUTHOR_BESIDE,
  findRole,
  hasMoreCharacters,
  isOwnName,
  type RoleName,
} from '#contract/posts.ts'
import {
  type Declared,
  invalidStructure,
  invalidType,
  readDeclared,
  type Scalar,
  type Value,
} from '../collections/declared.ts'

/** Attributes of one post beside those of the roles. */
export const OWN_ATTRIBUTES_MAX = 32
/** Other names of its attributes that a post is remembered to be written with. */
const SPELLINGS_MAX = 16

/** The `data` of a call, nothing checked but that it is an object. */
export type SentData = Readonly<Record<string, unknown>>

/** What is known of the attributes that posts may have. */
export type Attributes = {
  /** Attributes that nobody declared are kept, too (`BLOG_EXTRA_ATTRIBUTES`). */
  hasExtras: boolean
  declared: Declared
  /** The words of `status` that mean a public post (`BLOG_PUBLIC_STATUSES`). */
  publicStatuses: readonly string[]
  title: TitleRule
}

/** What the key has declared of the title: what a post is called that is sent without one. */
export type TitleRule = { isRequired: boolean; standard: string }

type Named = Pick<Attributes, 'hasExtras' | 'declared'>

/** The name of a post's tags. */
export const TAGS = 'tags'

/** The role that a name means here; a declared attribute wins over a loose name of a role. */
export function roleOf({ hasExtras, declared }: Named, name: string): RoleName | undefined {
  return findRole(name, { hasOwn: hasExtras || declared.has(name) })
}

/** Whether posts may have an attribute of this name beside those of the roles. */
export function isOwnAttribute({ hasExtras, declared }: Named, name: string): boolean {
  return (hasExtras || declared.has(name)) && isOwnName(name)
}

/**
 * Whether programs may keep anything under the name of tags: what is no list of tags is then an
 * attribute of their own.
 */
export function hasOwnTags(attributes: Attributes): boolean {
  return isOwnAttribute(attributes, TAGS)
}

/** The data of a call under the specified names. */
export type NamedData = {
  data: SentData
  /** Other names that roles were sent with. */
  spellings: string[]
  /** Refuses a role that was sent twice with different values. */
  refuseTwice(): void
}

/**
 * Attributes that are no role keep their names. Those of the system, which clients send back with a
 * whole document (api.md §3.2), are left out.
 */
export function nameRoles(attributes: Attributes, sent: SentData): NamedData {
  const named = new Map<string, unknown>()
  const usedNames = new Map<string, string>()
  const spellings: string[] = []
  let twice: [string, string] | undefined
  for (const [name, value] of Object.entries(sent)) {
    if (name.startsWith('$')) continue
    const role = roleOf(attributes, name)
    const key = role ?? name
    const before = usedNames.get(key)
    if (before !== undefined && !isSame(named.get(key), value)) twice ??= [before, name]
    if (before === undefined) named.set(key, value)
    usedNames.set(key, before ?? name)
    if (role && name !== role && name !== AUTHOR_BESIDE) spellings.push(name)
  }
  return {
    data: Object.fromEntries(named),
    spellings,
    refuseTwice() {
      if (twice)
        throw invalidStructure(
          `Attributes "${twice[0]}" and "${twice[1]}" are the same and have different values`,
        )
    },
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The spellings of a post after it was written with some more; the oldest go first. */
export function joinSpellings(before: string[], more: string[]): string[] {
  return [...new Set([...before, ...more])].slice(-SPELLINGS_MAX)
}

/** What marks an attribute that is no role in a checked query: no role can have such a name. */
const OWN = 'own:'
/** The word of the status, as it was written (sent-words.ts). */
export const OWN_STATUS = `${OWN}status`

export function ownAttributeOf(attribute: string): string | undefined {
  return attribute.startsWith(OWN) ? attribute.slice(OWN.length) : undefined
}

/** The name of a queried attribute as rules, prices and SQL know it. */
export function queriedName(attributes: Attributes, known: object, name: string): string {
  if (name === TAGS && hasOwnTags(attributes)) return OWN + name
  if (Object.hasOwn(known, name)) return name
  return roleOf(attributes, name) ?? OWN + name
}

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

/** The title in the row of a post that has none. */
export function titleFrom(
  { hasTextBodies = false }: { hasTextBodies?: boolean | undefined },
  content: string,
): string {
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

// --- what is written, and what the server computes

const WRITTEN = ['title', 'content', 'featuredImage', 'status', TAGS] as const

/** Whether any written attribute was sent; null counts, because it asks for the default. */
export function hasWritten(attributes: Attributes, data: SentData): boolean {
  return (
    WRITTEN.some((name) => Object.hasOwn(data, name)) ||
    Object.keys(data).some((name) => isOwnAttribute(attributes, name))
  )
}

/** Attributes that the server computes: their form is checked, their value never used. */
export function checkComputed(name: string, value: unknown): void {
  if (name === 'userName') return
  if (name === 'userid') {
    if (value !== null) readText(name, value, ID_MAX_CHARS)
  } else if (name === 'like') {
    if (value !== null && !Number.isInteger(value))
      throw invalidType(name, 'Value must be a valid integer')
  } else if (name === 'likeId') readLikeIds(value)
  else throw unknownAttribute(name)
}

function unknownAttribute(name: string): Refusal {
  const text = `Unknown attribute: "${name}"`
  if (!isOwnName(name)) return invalidStructure(text)
  const setting = 'BLOG_EXTRA_ATTRIBUTES'
  return invalidStructure(`${text}. The setting ${setting}=on allows it`, { setting })
}

/**
 * @throws Refusal `document_invalid_structure` when it is no list of ids; null is the empty list
 */
function readLikeIds(value: unknown): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw invalidStructure('Attribute "likeId" must be an array')
  return value.map((id, index) => readText(`likeId['${index}']`, id, ID_MAX_CHARS))
}

/**
 * Checks a change that is only a like, the computed attributes sent with it included.
 *
 * @returns the ids of `likeId`
 * @throws Refusal `document_invalid_structure`
 */
export function checkLike(data: SentData): string[] {
  if (!Object.hasOwn(data, 'likeId'))
    throw invalidStructure('Attribute "like" is computed from "likeId", which is missing')
  for (const [name, value] of Object.entries(data)) checkComputed(name, value)
  return readLikeIds(data.likeId)
}

export function readText(name: string, value: unknown, max: number): string {
  if (typeof value === 'string' && !hasMoreCharacters(value, max)) return value
  throw invalidType(name, `Value must be a valid string and no longer than ${max} chars`)
}
