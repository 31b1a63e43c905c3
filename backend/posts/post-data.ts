// Checks the `data` of a post, and refuses the first fault with the messages of api.md §3.3.
// Independent of SQL and of the viewer. In one piece because the order of the checks is one rule.

import { ID_MAX_CHARS, parseTime } from '#contract/ids.ts'
import { CONTENT_MAX_CHARS, TAG_MAX_CHARS, TAGS_MAX, TITLE_MAX_CHARS } from '#contract/limits.ts'
import { distinctTags, isTag } from '#contract/plain-text.ts'
import { POST_STATUSES, type PostStatus } from '#contract/posts.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import type { QuerySchema } from '../database/queries.ts'
import type { Sanitise } from '../post-texts/sanitise.ts'
import {
  type ExtraChanges,
  invalidFormat,
  invalidStructure,
  invalidType,
  isExtraName,
  PUBLISHED_AT,
  readCleaned,
  readExtraValue,
  readText,
  type SentData,
  TAGS,
  unknownAttribute,
} from './attributes.ts'
import { DETAIL_NAMES, type DetailChanges, isDetailName, readDetail } from './post-details.ts'

/** The attributes by which a list may be filtered, ordered and selected (api.md §3.4). */
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
  page: { type: 'boolean', isSelectOnly: true, isExtra: true },
  userAvatar: { type: 'string', isSelectOnly: true, isExtra: true },
  ownImage: { type: 'string', isSelectOnly: true, isExtra: true },
  words: { type: 'integer', isSelectOnly: true, isExtra: true },
  comments: { type: 'integer', isSelectOnly: true, isExtra: true },
  // Posts that have one of these show it without `select`, too.
  tags: { type: 'string', isArray: true, isExtra: true },
  excerpt: { type: 'string', isSelectOnly: true, isExtra: true },
  addressWords: { type: 'string', isSelectOnly: true, isExtra: true },
  metaTitle: { type: 'string', isSelectOnly: true, isExtra: true },
  metaDescription: { type: 'string', isSelectOnly: true, isExtra: true },
  canonicalUrl: { type: 'string', isSelectOnly: true, isExtra: true },
  commentsClosed: { type: 'boolean', isSelectOnly: true, isExtra: true },
  publishProblem: { type: 'string', isSelectOnly: true, isExtra: true },
}
/** The attributes that a read of one post may select. */
export const POST_SCHEMA: QuerySchema = {
  ...POST_LIST_SCHEMA,
  highlightedContent: { type: 'string', isSelectOnly: true, isExtra: true },
}

/** The attributes that authors write. */
export type WrittenPost = {
  title: string
  content: string
  /** Empty for none. */
  featuredImage: string
  status: PostStatus
  /** The tags that were sent, without the tags in the last line of the text. */
  tags: string[]
  details: DetailChanges
  extras: ExtraChanges
  /** Undefined leaves it as it is. */
  commentsClosed?: boolean
  /** The stored form of the time that was sent; empty for null. */
  publishAt?: string
}
/** How `data` is checked. */
export type StructureRules = { sanitise: Sanitise; hasExtraAttributes: boolean }

/**
 * Checks the data of a new post.
 *
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readNewPost(data: SentData, rules: StructureRules): WrittenPost {
  requireTitle(data)
  const { title = '', ...rest } = readAttributes(data, rules)
  return { title, featuredImage: '', content: '', status: 'active', tags: [], ...rest }
}

function requireTitle({ title }: SentData): void {
  if ((title ?? null) === null) throw invalidStructure('Missing required attribute "title"')
}

/**
 * Checks the data of a change; returns only the sent attributes.
 *
 * @param before the post; its featured image may be sent again, because older releases accepted any
 *   text
 * @throws Refusal `document_invalid_structure` with the first fault
 */
export function readChanges(
  data: SentData,
  rules: StructureRules,
  before: Pick<WrittenPost, 'featuredImage'>,
): ReadAttributes {
  if (Object.hasOwn(data, 'title')) requireTitle(data)
  const { featuredImage, ...others } = data
  if (featuredImage === undefined || featuredImage !== before.featuredImage)
    return readAttributes(data, rules)
  return { ...readAttributes(others, rules), featuredImage: before.featuredImage }
}

type ReadAttributes = Partial<WrittenPost> & Pick<WrittenPost, 'extras' | 'details'>

function readAttributes(data: SentData, rules: StructureRules): ReadAttributes {
  const extras = new Map<string, string | number | boolean | undefined>()
  const details: DetailChanges = {}
  const post: ReadAttributes = { extras, details }
  for (const [name, value] of Object.entries(data)) {
    if (name.startsWith('$')) continue
    if (name === 'title') post.title = readTitle(value)
    else if (name === 'content')
      post.content = value === null ? '' : readContent(value, rules.sanitise)
    else if (name === 'featuredImage')
      post.featuredImage = value === null ? '' : readText(name, value, ID_MAX_CHARS)
    else if (name === 'status') post.status = readStatus(value ?? 'active')
    else if (name === TAGS) post.tags = readSentTags(value)
    else if (isDetailName(name)) details[name] = readDetail(name, value)
    else if (name === COMMENTS_CLOSED) post.commentsClosed = readFlag(name, value)
    else if (name === PUBLISHED_AT) post.publishAt = value === null ? '' : readTime(name, value)
    else if (COMPUTED.includes(name)) checkComputed(name, value)
    else extras.set(name, readExtra(name, value, rules))
  }
  return post
}

function readExtra(name: string, value: unknown, { hasExtraAttributes }: ExtraRule) {
  const isExtra = isExtraName(name, POST_SCHEMA)
  if (!isExtra || !hasExtraAttributes) throw unknownAttribute(name, { isExtra })
  return readExtraValue(name, value)
}

type ExtraRule = Pick<StructureRules, 'hasExtraAttributes'>

/** The limit applies to the cleaned body, which is stored. */
export function readContent(value: unknown, sanitise: Sanitise): string {
  return readText('content', typeof value === 'string' ? sanitise(value) : value, CONTENT_MAX_CHARS)
}

function readTitle(value: unknown): string {
  const title = readCleaned('title', value, TITLE_MAX_CHARS, cleanLine)
  if (!isVisible(title) || /\p{Cc}/u.test(title))
    throw invalidFormat(
      'title',
      `1 to ${TITLE_MAX_CHARS} characters of plain text without control characters`,
    )
  return title.toWellFormed()
}

function readStatus(value: unknown): PostStatus {
  const text = readText('status', value, TITLE_MAX_CHARS)
  const status = POST_STATUSES.find((name) => name === text)
  if (!status) throw invalidFormat('status', `one of (${POST_STATUSES.join(', ')})`)
  return status
}

function readFlag(name: string, value: unknown): boolean {
  if (value !== null && typeof value !== 'boolean')
    throw invalidType(name, 'Value must be a valid boolean')
  return value === true
}

function readTime(name: string, value: unknown): string {
  const time = parseTime(value)
  if (time === undefined) throw invalidType(name, 'Value must be a valid date')
  return time
}

// --- written attributes, and computed ones

const COMMENTS_CLOSED = 'commentsClosed'
const WRITTEN = [
  'title',
  'content',
  'featuredImage',
  'status',
  TAGS,
  COMMENTS_CLOSED,
  ...DETAIL_NAMES,
]
/**
 * Attributes whose form is checked, but whose value is ignored; `publishedAt` may schedule a post
 * (schedule.ts), and pages.ts reads `page`.
 */
const COMPUTED = ['userid', 'userName', 'like', 'likeId', PUBLISHED_AT, 'publishProblem', 'page']

/** Whether any written attribute was sent, even as null, which means its default. */
export function hasWrittenAttributes(data: SentData, { hasExtraAttributes }: ExtraRule): boolean {
  return Object.keys(data).some((name) => {
    if (COMPUTED.includes(name)) return false
    return WRITTEN.includes(name) || (hasExtraAttributes && isExtraName(name, POST_SCHEMA))
  })
}

function checkComputed(name: string, value: unknown): void {
  if (name === 'userid' && value !== null) readText(name, value, ID_MAX_CHARS)
  if (name === 'like' && value !== null && !Number.isInteger(value))
    throw invalidType(name, 'Value must be a valid integer')
  if (name === 'likeId') readLikeIds(value)
  if (name === PUBLISHED_AT && value !== null) readTime(name, value)
  if (name === 'page') readFlag(name, value)
}

/** @param value null for an empty list. @throws Refusal `document_invalid_structure` */
function readLikeIds(value: unknown): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw invalidStructure('Attribute "likeId" must be an array')
  return value.map((id, index) => readText(`likeId['${index}']`, id, ID_MAX_CHARS))
}

/**
 * Checks a change that is only a like, including other computed attributes.
 *
 * @returns the ids of `likeId`
 * @throws Refusal `document_invalid_structure`
 */
export function checkLike(data: SentData): string[] {
  if (!Object.hasOwn(data, 'likeId'))
    throw invalidStructure('Attribute "like" is computed from "likeId", which is missing')
  for (const [name, value] of Object.entries(data)) {
    if (COMPUTED.includes(name)) checkComputed(name, value)
    else if (!name.startsWith('$'))
      throw unknownAttribute(name, { isExtra: isExtraName(name, POST_SCHEMA) })
  }
  return readLikeIds(data.likeId)
}

/**
 * Checks sent tags.
 *
 * @param value null for none
 * @throws Refusal `document_invalid_structure`
 */
export function readSentTags(value: unknown): string[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw invalidStructure(`Attribute "${TAGS}" must be an array`)
  for (const [index, tag] of value.entries())
    if (typeof tag !== 'string' || !isTag(tag))
      throw invalidFormat(
        `${TAGS}['${index}']`,
        `a word of 1 to ${TAG_MAX_CHARS} letters, numbers, hyphens and underscores`,
      )
  const tags = distinctTags(value)
  if (tags.length > TAGS_MAX) throw invalidFormat(TAGS, `a list of ${TAGS_MAX} tags at most`)
  return tags
}
