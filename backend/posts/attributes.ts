// What a post holds beside the specified attributes: an opaque JSON object that programs fill, and
// the names it was written with. Which names and values these may be, backend/compat says: rules of
// posts see its decisions as `Attributes`.
import { Refusal } from '#contract/errors.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { ListQuery, QuerySchema } from '../database/queries.ts'
import type { Viewer } from '../http/viewer.ts'

/** All attributes of one post beside the specified ones, as JSON. */
export const OWN_ATTRIBUTES_MAX_BYTES = 16 * 1024

export type Scalar = string | number | boolean
/** What an attribute of a post holds; absent counts as null. */
export type Value = Scalar | Scalar[]
/** By name; undefined takes an attribute away. */
export type OwnChanges = ReadonlyMap<string, Value | undefined>

/** The `data` of a call, nothing checked but that it is an object. */
export type SentData = Readonly<Record<string, unknown>>

/** The data of a call under the specified names. */
export type NamedData = {
  data: SentData
  /** Other names that were sent. */
  spellings: string[]
  /** Refuses an attribute that was sent twice with different values. */
  refuseTwice(): void
}

/** What is declared of the title; `standard` names a post that is sent without one. */
export type TitleRule = { isRequired: boolean; standard: string }

/** What a call asks for: `names` are those of its `select` as they were written. */
export type Asked<Query> = { query: Query; names: string[] | undefined }

/** What posts may hold at this moment, and how programs name it. */
export type Attributes = {
  /** Any text may be the status or the featured image (`BLOG_EXTRA_ATTRIBUTES`). */
  hasExtras: boolean
  /** The words of `status` that mean a public post (`BLOG_PUBLIC_STATUSES`). */
  publicStatuses: readonly string[]
  title: TitleRule
  /** In every answer, as null where a post has none. */
  absent: Readonly<Record<string, null>>
  /** Attributes that are not specified keep their names; those of the system are left out. */
  nameData(sent: SentData): NamedData
  /** The specified attribute that a name means. */
  postFieldOf(name: string): keyof PostDocument | undefined
  /** Whether posts may have an attribute of this name beside the specified ones. */
  isOwn(name: string): boolean
  /** @throws Refusal `document_invalid_structure` for a value, or a name, that no post may have */
  readOwn(name: string, value: unknown): Value | undefined
  /** With what is declared as required, and what others are when nothing is sent. */
  newOwn(sent: OwnChanges, options: { isIncomplete: boolean }): OwnChanges
  /** @throws as `readQueries` */
  readList(texts: string[] | undefined, role: Viewer['role']): Asked<ListQuery>
  /** @throws as `readSelect` */
  readOne(schema: QuerySchema, texts: string[] | undefined): Asked<string[] | undefined>
}

/** The name of a post's tags. */
export const TAGS = 'tags'
/** When a post was active for the first time. */
export const PUBLISHED_AT = 'publishedAt'
/** Programs that keep something else under these names find that instead. */
export const YIELDING: readonly string[] = [TAGS, PUBLISHED_AT]

// --- refusals

export function invalidStructure(tail: string, options?: { setting: string }): Refusal {
  return new Refusal('document_invalid_structure', `Invalid document structure: ${tail}`, options)
}

export function invalidFormat(attribute: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${attribute}" has invalid format. Value must be ${rule}`)
}

export function invalidType(attribute: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${attribute}" has invalid type. ${rule}`)
}

// --- queries

/** Marks an attribute that is not specified in a checked query: no specified one begins so. */
const OWN = 'own:'
/** The status as it was written. */
export const OWN_STATUS = `${OWN}status`

export function toOwnAttribute(name: string): string {
  return OWN + name
}

export function ownAttributeOf(attribute: string): string | undefined {
  return attribute.startsWith(OWN) ? attribute.slice(OWN.length) : undefined
}
