// The `data` of a post as sent -> checked values, or a refusal for the first fault with the texts
// of api.md §3.3. Independent of SQL and of the viewer. In one piece because the order of the
// faults is one rule.

import { ID_MAX_CHARS, parseTime } from '#contract/ids.ts'
import { CONTENT_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts'
import { publicWord, ruledStatus } from '#contract/permissions.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import { POST_STATUSES } from '#contract/posts.ts'
import { isVisible, plainLine } from '#contract/visible-text.ts'
import type { QuerySchema } from '../database/queries.ts'
import {
  type Attributes,
  invalidFormat,
  invalidStructure,
  invalidType,
  type OwnChanges,
  PUBLISHED_AT,
  type SentData,
  TAGS,
  type TitleRule,
  type Value,
} from './attributes.ts'
import { asSent, findSent } from './post-serialiser.ts'
import type { Sanitise } from './sanitise.ts'
import { asTags, readSentTags } from './tags-and-files.ts'

/** Length of the URL of a featured image. */
const IMAGE_ADDRESS_MAX_CHARS = 255

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
  $sequence: { type: 'integer' },
  $createdAt: { type: 'datetime' },
  $updatedAt: { type: 'datetime' },
  publishedAt: { type: 'datetime' },
  $permissions: { type: 'string', isSelectOnly: true },
  $databaseId: { type: 'string', isSelectOnly: true },
  $collectionId: { type: 'string', isSelectOnly: true },
  imageColor: { type: 'string', isSelectOnly: true, isExtra: true },
  hidden: { type: 'boolean', isSelectOnly: true, isExtra: true },
  userAvatar: { type: 'string', isSelectOnly: true, isExtra: true },
  ownImage: { type: 'string', isSelectOnly: true, isExtra: true },
  words: { type: 'integer', isSelectOnly: true, isExtra: true },
  comments: { type: 'integer', isSelectOnly: true, isExtra: true },
  shownTitle: { type: 'string', isSelectOnly: true, isExtra: true },
  // An answer has it without being asked where the post has tags.
  tags: { type: 'string', isArray: true, isExtra: true },
}
/** What one post may be selected by. */
export const POST_SCHEMA: QuerySchema = {
  ...POST_LIST_SCHEMA,
  highlightedContent: { type: 'string', isSelectOnly: true, isExtra: true },
}

/** The attributes a person writes. */
export type WrittenPost = {
  /** Empty for a post without one: its first words are stored. */
  title: string
  content: string
  /** Empty for a post without one. */
  featuredImage: string
  /** As rules know it: only `active` is public. Another word that was sent is among `own`. */
  status: string
  /** Those of the last line of the text come on top. */
  tags: string[]
  /** Attributes that are no role. */
  own: OwnChanges
}
/** How `data` under the specified names is checked. */
export type StructureRules = { sanitise: Sanitise; attributes: Attributes }

/**
 * Checks the data of a new post.
 *
 * @param options `isIncomplete`: attributes that are no role are not required
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readNewPost(
  data: SentData,
  rules: StructureRules,
  options: { isIncomplete: boolean },
): WrittenPost {
  const { attributes } = rules
  requireTitle(rules, data)
  const found = readAttributes(
    { ...data, title: data.title ?? null, status: data.status ?? null },
    rules,
  )
  const { title = '', featuredImage = '', content = '', status = 'active' } = found
  const own = attributes.newOwn(found.own, options)
  return { title, featuredImage, content, status, tags: [], ...tagsApart({ ...found, own }) }
}

function requireTitle({ attributes }: StructureRules, { title }: SentData): void {
  if (attributes.title.isRequired && (title ?? null) === null)
    throw invalidStructure('Missing required attribute "title"')
}

/**
 * Checks the data of a change; only the attributes sent are in the answer.
 *
 * @param before what the post holds stays valid: the settings may have changed since
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readChanges(
  data: SentData,
  rules: StructureRules,
  before: Pick<WrittenPost, 'title' | 'featuredImage' | 'status'> & { attributes: string },
): ReadAttributes {
  if (Object.hasOwn(data, 'title')) requireTitle(rules, data)
  const { title, featuredImage, status } = before
  const kept = {
    ...(data.title === asSent(before, 'title') ? { title } : {}),
    ...(data.featuredImage === featuredImage ? { featuredImage } : {}),
    ...(data.status === asSent(before, 'status') ? { status } : {}),
  }
  const others = Object.fromEntries(
    Object.entries(data).filter(([name]) => !Object.hasOwn(kept, name)),
  )
  const { own, ...read } = tagsApart(readAttributes(others, rules))
  // With its word: another one may be saved meanwhile.
  const word = kept.status === undefined ? [] : [['status', findSent(before, 'status')] as const]
  return { ...read, ...kept, own: new Map([...own, ...word]) }
}

/** A list of tags that was read as an attribute of a program's own is kept as tags. */
function tagsApart<Read extends Pick<ReadAttributes, 'own' | 'tags'>>(
  read: Read,
): Pick<ReadAttributes, 'own' | 'tags'> & Omit<Read, 'own' | 'tags'> {
  const { own, tags, ...rest } = read
  const list = tags ?? asTags(own.get(TAGS))
  // It takes the place of what a program kept.
  if (list) return { ...rest, tags: list, own: new Map([...own, [TAGS, undefined]]) }
  return own.has(TAGS) ? { ...rest, own, tags: [] } : { ...rest, own }
}

type ReadAttributes = Partial<WrittenPost> & Pick<WrittenPost, 'own'>

function readAttributes(data: SentData, rules: StructureRules): ReadAttributes {
  const own = new Map<string, Value | undefined>()
  const found: ReadAttributes = { own }
  const { hasExtras, title, isOwn, readOwn } = rules.attributes
  for (const [name, value] of Object.entries(data)) {
    if (name === 'title') {
      found.title = value === null ? title.standard : readTitle(value, title)
      own.set(name, found.title === '' ? '' : undefined)
    } else if (name === 'content')
      found.content = value === null ? '' : readContent(value, rules.sanitise)
    else if (name === 'featuredImage')
      found.featuredImage = value === null ? '' : readImage(value, hasExtras)
    else if (name === 'status') {
      const { status, word } = readStatus(value, rules.attributes)
      found.status = status
      own.set(name, word === status ? undefined : word)
    } else if (name === TAGS && !isOwn(TAGS)) found.tags = readSentTags(value)
    else if (COMPUTED.includes(name) && !isOwn(name)) checkComputed(name, value)
    else own.set(name, readOwn(name, value))
  }
  return found
}

/** The limit holds for the cleaned body, which is what is stored. */
export function readContent(value: unknown, sanitise: Sanitise): string {
  return readText('content', typeof value === 'string' ? sanitise(value) : value, CONTENT_MAX_CHARS)
}

function readTitle(value: unknown, { isRequired }: TitleRule): string {
  const line = typeof value === 'string' ? plainLine(value) : value
  const text = readText('title', line, TITLE_MAX_CHARS)
  const title = isVisible(text) ? text : ''
  if ((title === '' && isRequired) || /\p{Cc}/u.test(text)) {
    throw invalidFormat(
      'title',
      `${Number(isRequired)} to ${TITLE_MAX_CHARS} characters of plain text without control characters`,
    )
  }
  return title.toWellFormed()
}

/** An operator who names other words as public ones has other words for private posts, too. */
function readStatus(value: unknown, { hasExtras, publicStatuses }: Attributes) {
  const sent = value ?? publicWord(publicStatuses)
  const word = readText('status', sent, TITLE_MAX_CHARS).toWellFormed()
  const isAny = hasExtras || publicStatuses.some((one) => one !== 'active')
  if (isAny ? /\p{Cc}/u.test(word) : !POST_STATUSES.some((one) => one === word))
    throw invalidFormat('status', `one of (${POST_STATUSES.join(', ')})`)
  return { word, status: ruledStatus(publicStatuses, word) }
}

/** With extra attributes an address, too. */
function readImage(value: unknown, isAny: boolean): string {
  if (!isAny) return readText('featuredImage', value, ID_MAX_CHARS)
  const image = readText('featuredImage', value, IMAGE_ADDRESS_MAX_CHARS)
  if (/\p{Cc}/u.test(image))
    throw invalidFormat(
      'featuredImage',
      'the id of a file or an address, without control characters',
    )
  return image.toWellFormed()
}

// --- what is written, and what the server computes

const WRITTEN = ['title', 'content', 'featuredImage', 'status', TAGS]
/** Their form is checked, their value never used. */
const COMPUTED = ['userid', 'userName', 'like', 'likeId', PUBLISHED_AT]

/** Whether any written attribute was sent; null counts, because it asks for the default. */
export function hasWritten({ isOwn }: Attributes, data: SentData): boolean {
  return Object.keys(data).some((name) => WRITTEN.includes(name) || isOwn(name))
}

function checkComputed(name: string, value: unknown): void {
  if (name === 'userid' && value !== null) readText(name, value, ID_MAX_CHARS)
  if (name === 'like' && value !== null && !Number.isInteger(value))
    throw invalidType(name, 'Value must be a valid integer')
  if (name === 'likeId') readLikeIds(value)
  if (name === PUBLISHED_AT && value !== null && parseTime(value) === undefined)
    throw invalidType(name, 'Value must be a valid date')
}

/** Null is the empty list. @throws Refusal `document_invalid_structure` for anything but a list */
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
export function checkLike({ isOwn, readOwn }: Attributes, data: SentData): string[] {
  if (!Object.hasOwn(data, 'likeId'))
    throw invalidStructure('Attribute "like" is computed from "likeId", which is missing')
  for (const [name, value] of Object.entries(data)) {
    if (COMPUTED.includes(name) && !isOwn(name)) checkComputed(name, value)
    else readOwn(name, value)
  }
  return readLikeIds(data.likeId)
}

function readText(name: string, value: unknown, max: number): string {
  if (typeof value === 'string' && !hasMoreCharacters(value, max)) return value
  throw invalidType(name, `Value must be a valid string and no longer than ${max} chars`)
}
