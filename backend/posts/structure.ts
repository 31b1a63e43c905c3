// The `data` of a post as sent -> checked values, or a refusal for the first fault with the texts
// of api.md §3.3. Knows no SQL and no viewer. In one piece because the order of the faults is one
// rule.
import { Refusal } from '#contract/errors.ts'
import { CONTENT_MAX_CHARS, ID_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts'
import { hasMoreCharacters, POST_STATUSES, type PostStatus } from '#contract/posts.ts'
import type { QuerySchema } from '#contract/queries.ts'
import type { Sanitise } from './sanitise.ts'

/** What a list may be filtered, ordered and selected by (api.md §3.4). */
export const POST_LIST_SCHEMA: QuerySchema = {
  title: { type: 'string' },
  content: { type: 'string' },
  featuredImage: { type: 'string' },
  status: { type: 'string' },
  userid: { type: 'string' },
  like: { type: 'integer' },
  likeId: { type: 'string', isArray: true },
  userName: { type: 'string' },
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $updatedAt: { type: 'datetime' },
  $permissions: { type: 'string', isSelectOnly: true },
  $databaseId: { type: 'string', isSelectOnly: true },
  $collectionId: { type: 'string', isSelectOnly: true },
  imageColor: { type: 'string', isSelectOnly: true, isExtra: true },
  hidden: { type: 'boolean', isSelectOnly: true, isExtra: true },
  userAvatar: { type: 'string', isSelectOnly: true, isExtra: true },
  words: { type: 'integer', isSelectOnly: true, isExtra: true },
}
/** What one post may be selected by. */
export const POST_SCHEMA: QuerySchema = {
  ...POST_LIST_SCHEMA,
  highlightedContent: { type: 'string', isSelectOnly: true, isExtra: true },
}

/** The attributes a person writes. */
export type WrittenPost = {
  title: string
  content: string
  /** Empty for a post without one. */
  featuredImage: string
  status: PostStatus
}
const WRITTEN = ['title', 'content', 'featuredImage', 'status'] as const
const REQUIRED: readonly string[] = ['title']

/** The `data` of a call, nothing checked but that it is an object. */
export type SentData = Readonly<Record<string, unknown>>

export function invalidStructure(tail: string): Refusal {
  return new Refusal('document_invalid_structure', `Invalid document structure: ${tail}`)
}

export function invalidFormat(attribute: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${attribute}" has invalid format. Value must be ${rule}`)
}

/** Whether any written attribute was sent; null counts, because it asks for the default. */
export function hasWritten(data: SentData): boolean {
  return WRITTEN.some((name) => Object.hasOwn(data, name))
}

/**
 * Checks the data of a new post.
 *
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readNewPost(data: SentData, sanitise: Sanitise): WrittenPost {
  const missing = REQUIRED.find((name) => (data[name] ?? null) === null)
  if (missing) throw invalidStructure(`Missing required attribute "${missing}"`)
  const found = readAttributes(data, sanitise)
  // `title` is never absent: refused above.
  const { title = '', featuredImage = '', content = '', status = 'active' } = found
  return { title, featuredImage, content, status }
}

/**
 * Checks the data of a change; only the attributes sent are in the answer.
 *
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readChanges(data: SentData, sanitise: Sanitise): Partial<WrittenPost> {
  const missing = REQUIRED.find(
    (name) => Object.hasOwn(data, name) && (data[name] ?? null) === null,
  )
  if (missing) throw invalidStructure(`Missing required attribute "${missing}"`)
  return readAttributes(data, sanitise)
}

function readAttributes(data: SentData, sanitise: Sanitise): Partial<WrittenPost> {
  const found: Partial<WrittenPost> = {}
  for (const [name, value] of Object.entries(data)) {
    if (name === 'title') found.title = readTitle(value)
    else if (name === 'content') found.content = value === null ? '' : readContent(value, sanitise)
    else if (name === 'featuredImage')
      found.featuredImage = value === null ? '' : readText(name, value, ID_MAX_CHARS)
    else if (name === 'status') found.status = value === null ? 'active' : readStatus(value)
    else checkComputed(name, value)
  }
  return found
}

/** Attributes that the server computes: their form is checked, their value never used. */
function checkComputed(name: string, value: unknown): void {
  if (name === 'userName') return
  if (name === 'userid') {
    if (value !== null) readText(name, value, ID_MAX_CHARS)
  } else if (name === 'like') {
    if (value !== null && !Number.isInteger(value))
      throw invalidType(name, 'Value must be a valid integer')
  } else if (name === 'likeId') readLikeIds(value)
  else throw invalidStructure(`Unknown attribute: "${name}"`)
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

function invalidType(name: string, rule: string): Refusal {
  return invalidStructure(`Attribute "${name}" has invalid type. ${rule}`)
}

function readText(name: string, value: unknown, max: number): string {
  if (typeof value === 'string' && !hasMoreCharacters(value, max)) return value
  throw invalidType(name, `Value must be a valid string and no longer than ${max} chars`)
}

/** The limit holds for the cleaned body, which is what is stored. */
export function readContent(value: unknown, sanitise: Sanitise): string {
  return readText('content', typeof value === 'string' ? sanitise(value) : value, CONTENT_MAX_CHARS)
}

function readTitle(value: unknown): string {
  const title = readText('title', typeof value === 'string' ? value.trim() : value, TITLE_MAX_CHARS)
  if (title === '' || /\p{Cc}/u.test(title)) {
    throw invalidFormat(
      'title',
      `1 to ${TITLE_MAX_CHARS} characters of plain text without control characters`,
    )
  }
  return title.toWellFormed()
}

function readStatus(value: unknown): PostStatus {
  const text = readText('status', value, TITLE_MAX_CHARS)
  const status = POST_STATUSES.find((one) => one === text)
  if (!status) throw invalidFormat('status', `one of (${POST_STATUSES.join(', ')})`)
  return status
}

/** Without the `$` attributes, which clients send back with a whole document (api.md §3.2). */
export function withoutSystem(data: SentData): SentData {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !name.startsWith('$')))
}
