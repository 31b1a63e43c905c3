// Rows of posts -> the documents of answers (api.md §3.1), and the JSON texts in which a row keeps
// tags, attributes of programs and other names. In one piece because every answer needs both.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import { firstWords, tagKey } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import { type PostAccess, publishOnCommit } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import {
  type Attributes,
  invalidStructure,
  OWN_ATTRIBUTES_MAX_BYTES,
  type OwnChanges,
  TAGS,
  type Value,
} from './attributes.ts'
import type { PostNeeds } from './needs.ts'
import * as store from './store.ts'
import { findLikedBy, findOldest } from './store.ts'
import type { StoredTag } from './tags-store.ts'

/** Ids in `likeId` of an answer; `like` itself is exact. */
const LIKE_IDS_MAX = 1000
/** Ids in `likeId` of all posts of a page; shared evenly when there would be more. */
export const LIST_LIKE_IDS_MAX = 20_000

export type AnswerNeeds = Pick<PostNeeds, 'databaseId' | 'collectionId' | 'bodies' | 'attributes'>

/** Attributes of one post beside the specified ones. */
export const OWN_ATTRIBUTES_MAX = 32
/** Other names of its attributes that a post is remembered to be written with. */
const ALIASES_MAX = 16

/** For one call: which attributes there are is read once. */
export function forOneCall<Needs extends Pick<PostNeeds, 'attributes'>>(needs: Needs): Needs {
  let reading: Promise<Attributes> | undefined
  return {
    ...needs,
    attributes(db) {
      reading ??= needs.attributes(db)
      return reading
    },
  }
}

/** A whole document, or the attributes that were selected. */
export type ShownPost = PostDocument | Partial<PostDocument>

/** A stored body, and how it may be shown. */
export type ShownBody = { body: string; content: string }

/** A post as a change has left it, so that it need not be read again. */
export type MadePost = { row: store.PostRow; shown?: ShownBody | undefined }

/** Rows as documents, bodies as stored; `likeId` is empty where it is not shown. */
export async function toDocuments(
  needs: Pick<AnswerNeeds, 'databaseId' | 'collectionId' | 'attributes'>,
  tx: Database,
  viewer: Viewer,
  rows: store.PostRow[],
  { hasLikeIds = true }: { hasLikeIds?: boolean } = {},
): Promise<PostDocument[]> {
  if (rows.length === 0) return []
  const likers = await findLikers(tx, hasLikeIds ? rows : [], likeIdsMax(rows.length))
  const { databaseId, collectionId } = needs
  const { absent } = await needs.attributes(tx)
  const documents = rows.map((row) => ({
    // Programs may keep something else under this name.
    publishedAt: row.publishedAt === '' ? null : wireTime(row.publishedAt),
    ...absent,
    ...withTags(row),
    title: asSent(row, 'title'),
    content: row.content,
    featuredImage: row.featuredImage,
    status: asSent(row, 'status'),
    userid: row.userId,
    // Once more, under the name that most programs read.
    userId: row.userId,
    like: row.likes,
    likeId: likers.get(row.id) ?? [],
    userName: row.userName,
    $id: row.id,
    $sequence: row.seq,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: JSON.parse(row.permissions) as string[],
    $databaseId: databaseId,
    $collectionId: collectionId,
    ...(row.imageColor === undefined ? {} : { imageColor: row.imageColor }),
    ...(row.userAvatar === undefined ? {} : { userAvatar: row.userAvatar }),
    ...(row.ownImage === undefined ? {} : { ownImage: row.ownImage }),
    ...(row.words === undefined ? {} : { words: row.words }),
    ...(row.comments === undefined ? {} : { comments: row.comments }),
  }))
  return hasLikeIds ? withOwnLikes(tx, viewer, documents) : documents
}

/** How many of those who like a post are listed in an answer with so many posts. */
function likeIdsMax(posts: number): number {
  return Math.min(LIKE_IDS_MAX, Math.floor(LIST_LIKE_IDS_MAX / posts))
}

/** Where a program keeps something else under the name of tags, that is what is answered. */
export function withTags({ attributes, tags: packed }: Pick<store.PostRow, 'attributes' | 'tags'>) {
  const own: Record<string, unknown> = parseOwn(attributes)
  const tags = unpackTags(packed)
  const kept = own[TAGS]
  const isFree = kept === undefined || (Array.isArray(kept) && kept.length === 0)
  return isFree && tags.length > 0 ? { ...own, [TAGS]: tags.map(({ name }) => name) } : own
}

/**
 * One post for reading: its body is cleaned again. (Lists are read by programs; cleaning a whole
 * page of bodies would block other requests.)
 */
export async function toDocument(
  needs: AnswerNeeds,
  tx: Database,
  viewer: Viewer,
  row: store.PostRow,
  { shown, ...parts }: { hasLikeIds?: boolean } & Pick<MadePost, 'shown'> = {},
): Promise<PostDocument> {
  const [document] = await toDocuments(needs, tx, viewer, [row], parts)
  if (!document) throw new Refusal('document_not_found')
  const { id, content: body } = row
  if (body === '') return document
  const content = shown?.body === body ? shown.content : await needs.bodies.show(tx, id, body)
  return { ...document, content }
}

/** A body that was just cleaned. */
export function asSaved(body: string): ShownBody {
  return { body, content: body }
}

/** Before the transaction: within it a body is not cleaned beside the event loop. */
export async function showAhead(
  { db, bodies }: Pick<AnswerNeeds, 'bodies'> & { db: Database },
  { id, content: body }: store.PostRow,
): Promise<ShownBody> {
  return { body, content: await bodies.show(db, id, body) }
}

/** With all names that it was written with. */
async function toWhole(needs: AnswerNeeds, tx: Database, viewer: Viewer, { row, shown }: MadePost) {
  const document = await toDocument(needs, tx, viewer, row, { shown })
  return withAliases(await needs.attributes(tx), document, row)
}

/** The answer to a change. @throws Refusal `document_not_found` */
export async function readDocument(
  needs: AnswerNeeds,
  tx: Database,
  viewer: Viewer,
  id: string,
  shown?: ShownBody,
): Promise<PostDocument> {
  const row = await store.findPost(tx, id)
  if (!row) throw new Refusal('document_not_found')
  return toWhole(needs, tx, viewer, { row, shown })
}

/**
 * The answer to a change of a post; those who listen hear of it once it is committed.
 *
 * @throws Refusal `document_not_found`
 */
export async function announceDocument(
  needs: AnswerNeeds,
  tx: Database,
  viewer: Viewer,
  { id, made, action }: { id: string; action: 'create' | 'update' | 'delete'; made?: MadePost },
): Promise<PostDocument> {
  const row = made?.row ?? (await store.findPost(tx, id))
  if (!row) throw new Refusal('document_not_found')
  const payload = await toWhole(needs, tx, viewer, { ...made, row })
  publishOnCommit(tx, { kind: 'post', action, id, payload, access: accessOf(row) })
  return payload
}

/** A post that another process has changed; undefined when it is gone. */
export async function findForChange(needs: AnswerNeeds & { db: Database }, id: string) {
  const row = await store.findPost(needs.db, id)
  if (!row) return undefined
  const payload = await toWhole(needs, needs.db, { role: 'key' }, { row })
  return { payload, access: accessOf(row) }
}

export function accessOf({ userId, status, readers, isHidden, ...row }: store.PostRow): PostAccess {
  return { userId, status, readers, isHidden, isAuthorBlocked: Number(row.isAuthorBlocked) }
}

const ALWAYS_SHOWN: readonly string[] = ['$databaseId', '$collectionId']

/**
 * @param select the attributes asked for, as they were written; undefined means all but those that
 *   must be named
 */
export function selectAttributes(
  attributes: Attributes,
  document: PostDocument,
  row: store.PostRow,
  select: string[] | undefined,
): ShownPost {
  if (!select) return withAliases(attributes, document, row)
  const shown = { shownTitle: isUntitled(row) ? row.title : '' }
  const all: Record<string, unknown> = { ...document, hidden: row.isHidden === 1, ...shown }
  const isWhole = select.includes('*')
  const asked = isWhole ? select.filter((name) => name !== '*') : [...select, ...ALWAYS_SHOWN]
  const names = asked.map((name): [string, unknown] => {
    if (Object.hasOwn(all, name)) return [name, all[name]]
    const role = attributes.postFieldOf(name)
    if (name === TAGS && !attributes.isOwn(TAGS)) return [name, []]
    return [name, role ? document[role] : null]
  })
  const named = Object.fromEntries(names)
  return isWhole ? { ...withAliases(attributes, document, row), ...named } : named
}

/** The oldest likes first, as many as `idsMax` of each post. Posts without a like are absent. */
async function findLikers(
  db: Database,
  posts: readonly { id: string; likes: number }[],
  idsMax: number,
): Promise<Map<string, string[]>> {
  const ids = posts.flatMap(({ id, likes }) => (likes > 0 ? [id] : []))
  return ids.length === 0 ? new Map() : findOldest(db, ids, idsMax)
}

/** Adds the viewer's own like, at the end, where it is not among the oldest. */
async function withOwnLikes(db: Database, viewer: Viewer, documents: PostDocument[]) {
  if (viewer.role !== 'user') return documents
  const { userId } = viewer
  const cut = documents.filter(
    ({ like, likeId }) => like > likeId.length && !likeId.includes(userId),
  )
  if (cut.length === 0) return documents
  const ids = cut.map(({ $id }) => $id)
  const liked = await findLikedBy(db, userId, ids)
  return documents.map((one) =>
    liked.has(one.$id) ? { ...one, likeId: [...one.likeId, userId] } : one,
  )
}

// --- what a row keeps as JSON: attributes of programs, other names, tags

/**
 * The attributes as they are stored after a change.
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

/** The names of a post after it was written with some more; the oldest go first. */
export function mergeAliases(before: string, more: string[]): string {
  const all = [...new Set([...parseAliases(before), ...more])].slice(-ALIASES_MAX)
  return all.length === 0 ? '' : JSON.stringify(all)
}

/**
 * The document with the other names that it was written with; never instead of what is there.
 */
export function withAliases<Document extends Partial<PostDocument>>(
  { postFieldOf }: Attributes,
  document: Document,
  { spellings }: { spellings: string },
): Document {
  const spelled: Record<string, unknown> = {}
  for (const name of parseAliases(spellings)) {
    const role = postFieldOf(name)
    if (role && !Object.hasOwn(document, name)) spelled[name] = document[role]
  }
  return { ...document, ...spelled }
}

function parseAliases(stored: string): string[] {
  return stored === '' ? [] : (JSON.parse(stored) as string[])
}

// --- What a program sent as the status or the title, where the row holds something else: the
// status that rules and indexes go by, the first words of a text without a title. Kept among the
// attributes of its own, none of which can have these names.

type SentName = 'status' | 'title'
type Stored = { attributes: string }

export function asSent<Name extends SentName>(row: Record<Name, string> & Stored, name: Name) {
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

// --- tags

/** As rows of posts and the column of deleted posts have them. */
export function packTags(tags: readonly StoredTag[]): string {
  const packed = tags.map(({ name, isFromText }) => [name, isFromText])
  return packed.length === 0 ? '' : JSON.stringify(packed)
}

export function unpackTags(packed: string): StoredTag[] {
  if (packed === '' || packed === '[]') return []
  const tags = JSON.parse(packed) as [name: string, isFromText: number][]
  return tags.map(([name, isFromText]) => ({ name, key: tagKey(name), isFromText }))
}
