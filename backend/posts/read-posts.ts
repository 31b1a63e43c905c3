// Reading posts: lists, one post and what its page names besides it, authors, all of a person. SQL
// is in store.ts. Independent of HTTP.

import type { Author } from '#contract/authors.ts'
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import type { AdjacentPosts } from '#contract/posts.ts'
import { findUserRow, isPubliclyVisible } from '../accounts/users.ts'
import type { OwnPosts } from '../cache/response-cache.ts'
import { countRows, isReversed, readCount, selectBefore } from '../database/list-query.ts'
import { type Filter, isSelected, readQueries, readSelect } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { readerGroups, type UserViewer, type Viewer } from '../http/viewer.ts'
import { readBatches } from '../process/batches.ts'
import { readableBy, readVisible } from './access.ts'
import type { PostsContext } from './context.ts'
import { accessPathToCount } from './list-access-paths.ts'
import { type BoundedList, boundList } from './list-bounds.ts'
import {
  callOf,
  findNextTo,
  findSeqs,
  newestFirst,
  readFound,
  readListed,
  type ScopedQuery,
} from './post-list-store.ts'
import { EXTRA_NAMES, findPublicAvatar, type PostScope } from './post-parts-store.ts'
import { type ShownPost, selectAttributes, toDocument, toDocuments } from './post-serialiser.ts'
import * as store from './store.ts'
import { POST_LIST_SCHEMA, POST_SCHEMA, readContent } from './structure.ts'

/** A page of posts ends early rather than hold more bytes of bodies; one post always fits. */
const LIST_CONTENT_MAX_BYTES = 8 * 1024 * 1024

export type ListOptions = {
  /** Counting costs. */
  hasTotal: boolean
  /** Counts the posts in front of the page, too. */
  hasBefore?: boolean
  /** Hears what a list costs beyond a short page of an index; may refuse it before the work. */
  pay?: ChargeCost | undefined
}
export type ShownList = { total: number; documents: ShownPost[]; before?: number }
export type ChargeCost = { before(ms: number): void; after(ms: number): void }

/** Cheaper lists are not counted. */
const LIST_COST_FREE_MS = 5
const SENT_BYTE_MS = 0.000005

/**
 * One page of the posts that the viewer may read.
 *
 * @param options `total` is 0 when `hasTotal` is false; `before` is answered when it is asked for
 * @throws Refusals of api.md §3.4
 */
export async function listPosts(
  context: PostsContext,
  viewer: Viewer,
  queries: string[] | undefined,
  { hasTotal, hasBefore = false, pay }: ListOptions,
): Promise<ShownList> {
  const { db } = context
  const query = readQueries(queries, POST_LIST_SCHEMA, viewer)
  const parts = { hasLikeIds: isSelected(query.select, 'likeId') }
  const hasContent = isSelected(query.select, 'content')
  const scope = readableBy(viewer)
  const list = await boundList(db, { query, scope }, { hasTotal, hasBefore })
  const hasBodies = hasContent && query.limit > 1
  if (hasBodies || list.costMs > LIST_COST_FREE_MS) pay?.before(list.costMs)
  const seqs = await findSeqs(db, list)
  const listing = { seqs, scope, hasContent, extras: extrasFor(context, viewer, query.select) }
  const found = await readListed(db, listing, LIST_CONTENT_MAX_BYTES)
  const rows = isReversed(query) ? found.toReversed() : found
  pay?.after(costOfBodies(rows))
  const total = hasTotal ? await findTotal(db, list, seqs.length) : 0
  const before = hasBefore ? { before: await countBefore(db, list) } : {}
  const documents = await toDocuments(context, db, viewer, rows, parts)
  const shown = rows.flatMap((row, index) => {
    const document = documents[index]
    return document ? [selectAttributes(document, row, query.select)] : []
  })
  return { total, ...before, documents: shown }
}

/** Reading and sending them, in milliseconds. */
function costOfBodies(rows: store.PostRow[]): number {
  const sizes = rows.map(({ content, attributes }) => content.length + attributes.length)
  return sizes.reduce((sum, one) => sum + one, 0) * SENT_BYTE_MS
}

/** A page that is not full shows where the list ends: nothing needs to be counted. */
async function findTotal(db: Database, list: BoundedList, found: number): Promise<number> {
  const { limit, offset, cursor } = list.query
  const isLastPage = found < limit && (found > 0 || offset === 0) && !cursor
  if (isLastPage) return Math.min(offset + found, TOTAL_MAX)
  return countRows(db, callOf(db, { ...list, path: accessPathToCount(list.path) }))
}

async function countBefore(db: Database, list: ScopedQuery): Promise<number> {
  return list.query.cursor ? readCount(db, await selectBefore(db, callOf(db, list))) : 0
}

/**
 * A person, and how many posts their page lists for this viewer.
 *
 * @throws Refusal `user_not_found`
 */
export async function readAuthor(
  context: PostsContext,
  viewer: Viewer,
  userId: string,
): Promise<Author> {
  const author = await findAuthor(context, userId)
  if (!author) throw new Refusal('user_not_found')
  const filters: Filter[] = [
    { method: 'equal', attribute: 'userid', values: [userId] },
    { method: 'equal', attribute: 'status', values: ['active'] },
  ]
  const list = { query: newestFirst({ filters, limit: 1 }), scope: readableBy(viewer) }
  return { ...author, posts: await countRows(context.db, callOf(context.db, list)) }
}

/** A person as everybody may see them. */
export type VisibleAuthor = Omit<Author, 'posts'>

/** @returns undefined for a missing or blocked user */
export async function findAuthor(
  { db, avatarBucketId }: { db: Database; avatarBucketId: string },
  userId: string,
): Promise<VisibleAuthor | undefined> {
  const user = await findUserRow(db, userId)
  if (!user || !isPubliclyVisible(user)) return undefined
  return {
    $id: user.id,
    $createdAt: wireTime(user.createdAt),
    name: user.name,
    about: user.about,
    avatar: await findPublicAvatar(db, userId, avatarBucketId),
  }
}

/** Other posts of the author that are named after a post. */
const OTHER_POSTS = 3

/**
 * Only what is in the feed: drafts of one's own stay out.
 *
 * @throws Refusal `document_not_found`, also when the viewer may not read the post
 */
export async function readAdjacentPosts(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<AdjacentPosts> {
  const { db } = context
  const { seq, userId, createdAt } = await readVisible(db, viewer, id, { hasContent: false })
  const readers = readerGroups(viewer)
  const scope: PostScope = { readers, ownerId: undefined }
  const older = await findNextTo(db, { createdAt, seq }, { readers, direction: 'after' })
  const newer = await findNextTo(db, { createdAt, seq }, { readers, direction: 'before' })
  const filters: Filter[] = [{ method: 'equal', attribute: 'userid', values: [userId] }]
  const query = newestFirst({ filters, limit: OTHER_POSTS + 1 })
  const byAuthor = await findSeqs(db, { query, scope })
  const adjacent = [...older.rows, ...newer.rows].map((row) => row.seq)
  const rows = await readFound(db, [...new Set([...byAuthor, ...adjacent])], {
    scope,
    extras: extrasFor(context, viewer, ['ownImage', 'imageColor']),
  })
  const named = ([asked]: { seq: number }[]): AdjacentPosts['previous'] => {
    const row = rows.find((one) => one.seq === asked?.seq)
    return row ? { $id: row.id, title: row.title } : null
  }
  const others = rows.filter((row) => row.id !== id && byAuthor.includes(row.seq))
  const user = await findUserRow(db, userId)
  return {
    about: user && isPubliclyVisible(user) ? user.about : '',
    previous: named(older.rows),
    next: named(newer.rows),
    others: others.slice(0, OTHER_POSTS).map((row) => ({
      $id: row.id,
      $createdAt: wireTime(row.createdAt),
      title: row.title,
      featuredImage: row.ownImage ?? '',
      imageColor: row.imageColor ?? '',
    })),
  }
}

/**
 * Which posts that others do not see a list would show to their author.
 *
 * @returns undefined for a list in random order
 */
export function ownPostsIn(queries: string[] | undefined): OwnPosts | undefined {
  const { filters, isRandom } = readQueries(queries, POST_LIST_SCHEMA, { role: 'user' })
  if (isRandom) return undefined
  const isActive = filters.some(
    (one) =>
      one.method === 'equal' &&
      one.attribute === 'status' &&
      one.values.every((value) => value === 'active'),
  )
  return isActive ? 'active' : 'all'
}

/** Whether a user has posts that others with the same rights do not see. */
export async function hasOwnPosts(
  db: Database,
  viewer: UserViewer,
  own: OwnPosts,
): Promise<boolean> {
  const { userId } = viewer
  const isActive = own === 'active'
  return await store.hasUnseenPosts(db, { userId, readers: readerGroups(viewer), isActive })
}

/**
 * Whether all users get the same answer: a long `likeId` ends with the viewer's own like. Without
 * `like` it is not known whether the list is long.
 */
export function isShared(documents: ShownPost[]): boolean {
  return documents.every(
    ({ like, likeId }) => !likeId || (like !== undefined && like <= likeId.length),
  )
}

/** @throws Refusal `document_not_found`, also when the viewer may not read it */
export async function readPost(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  queries: string[] | undefined,
): Promise<ShownPost> {
  const select = readSelect(queries, POST_SCHEMA)
  const isHighlighted = select?.includes('highlightedContent') === true
  const hasContent = isHighlighted || isSelected(select, 'content')
  const extras = extrasFor(context, viewer, select)
  const row = await readVisible(context.db, viewer, id, { extras, hasContent })
  const document = await toDocument(context, context.db, viewer, row, {
    hasLikeIds: isSelected(select, 'likeId'),
  })
  if (isHighlighted)
    document.highlightedContent = await context.postTexts.highlight(
      context.db,
      { postId: id, authorId: row.userId },
      document.content,
    )
  return selectAttributes(document, row, select)
}

/**
 * A body as it would be shown if it were saved now.
 *
 * @throws Refusal `document_invalid_structure`
 */
export async function highlightUnsaved(
  { db, postTexts }: PostsContext,
  { userId }: Pick<UserViewer, 'userId'>,
  content: unknown,
): Promise<string> {
  const html = readContent(content, await postTexts.cleanAhead(content, userId))
  return postTexts.highlight(db, { authorId: userId }, html)
}

/** They are looked up only when `select` names them. */
export function extrasFor(
  { contentBucketId, avatarBucketId }: PostsContext,
  viewer: Viewer,
  select: string[] = [],
): store.PostParts['extras'] {
  const names = EXTRA_NAMES.filter((name) => select.includes(name))
  if (names.length === 0) return undefined
  return { names, sources: { contentBucketId, avatarBucketId, readers: readerGroups(viewer) } }
}

/** Posts held in memory at once while all posts of a person are read. */
const BATCH = 10

export async function* streamAllOf(context: PostsContext, viewer: UserViewer) {
  const { db } = context
  for await (const rows of readBatches<store.PostRow>(BATCH, (page) =>
    store.listPostsOf(db, viewer.userId, page),
  ))
    yield* await toDocuments(context, db, viewer, rows)
}
