// Reading posts: lists, one post, all of a person. SQL is in store.ts, what is kept in memory in
// kept-lists.ts and kept-posts.ts. Knows no HTTP.
import type { Author } from '#contract/authors.ts'
import { Refusal } from '#contract/errors.ts'
import {
  LIKE_IDS_MAX,
  LIST_CONTENT_MAX_BYTES,
  LIST_CONTENT_MAX_BYTES_FOR_KEY,
  LIST_PRICE_FREE_MS,
} from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { isSelected } from '#contract/queries.ts'
import { isReversed } from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { can, readableBy, readerGroups } from './access.ts'
import { noteQuery, readAskedList, readAskedOne } from './asked.ts'
import { findAuthor } from './authors.ts'
import { findTotal, type KeptLists } from './kept-lists.ts'
import type { KeptPost, KeptPosts } from './kept-posts.ts'
import { withOwnLikes } from './likers.ts'
import { priceList, priceOfBodies } from './list-cost.ts'
import type { Measures } from './measures.ts'
import type { Attributes } from './naming.ts'
import {
  type AnswerNeeds,
  likeIdsMax,
  notePosts,
  partsOf,
  type ShownPost,
  selectAttributes,
  toDocument,
  toDocuments,
} from './post-answers.ts'
import { withIndex } from './search-posts.ts'
import * as store from './store.ts'
import { POST_SCHEMA } from './structure.ts'
import { readVisible } from './visible-posts.ts'

export type ReadNeeds = AnswerNeeds & {
  db: Database
  contentBucketId: string
  avatarBucketId: string
}
type WholeNeeds = ReadNeeds & { keptPosts: (attributes: Attributes) => KeptPosts | undefined }
type ListNeeds = WholeNeeds & { measures: Measures; lists: KeptLists }

export type ListOptions = {
  /** Counting costs. */
  hasTotal: boolean
  /** Counts the posts in front of the page, too. */
  hasBefore?: boolean
  /** Hears what the list costs, in milliseconds, before and after the work; may refuse before. */
  pay?: Pay | undefined
}
export type ShownList = { total: number; documents: ShownPost[]; before?: number }
export type Pay = { before(ms: number): void; after(ms: number): void }

/**
 * One page of the posts that the viewer may read.
 *
 * @param options `total` is 0 when `hasTotal` is false; `before` is answered when it is asked for
 * @throws Refusals of api.md §3.4
 */
export async function listPosts(
  needs: ListNeeds,
  viewer: Viewer,
  queries: string[] | undefined,
  { hasTotal, hasBefore = false, pay }: ListOptions,
): Promise<ShownList> {
  const { db, measures, lists } = needs
  const isKey = viewer.role === 'key'
  const attributes = await needs.attributes(needs.db)
  const asked = readAskedList(attributes, queries, viewer.role)
  noteQuery(asked.query)
  const query = await withIndex(db, asked.query, pay)
  const parts = partsOf(query.select)
  const hasContent = isSelected(query.select, 'content')
  if (!isKey) {
    const ownerId = viewer.role === 'user' ? viewer.userId : undefined
    const priceMs = await priceList(measures, { query, hasTotal, hasBefore, ownerId, ...parts })
    const hasBodies = hasContent && query.limit > 1
    if (hasBodies || priceMs > LIST_PRICE_FREE_MS) pay?.before(priceMs)
  }
  const scope = readableBy(viewer)
  const list = { query, scope }
  const kept = asked.names === undefined ? needs.keptPosts(attributes) : undefined
  const seqs = await lists.findSeqs(list)
  const rows = await store.readListed(
    db,
    {
      ...{ seqs, scope, hasContent, isReversed: isReversed(query) },
      ...extrasFor(needs, viewer, query.select),
      kept,
    },
    isKey ? LIST_CONTENT_MAX_BYTES_FOR_KEY : LIST_CONTENT_MAX_BYTES,
  )
  pay?.after(priceOfBodies(rows))
  const total = hasTotal ? await findTotal(lists, list, seqs.length) : 0
  const before = hasBefore ? await lists.countInFront(list) : undefined
  const documents = kept
    ? await showWhole(needs, { viewer, attributes, kept }, rows)
    : await showSelected(needs, { viewer, attributes, select: asked.names, parts }, rows)
  return { total, ...(before === undefined ? {} : { before }), documents }
}

async function showSelected(
  needs: ReadNeeds,
  asked: {
    viewer: Viewer
    attributes: Attributes
    select: string[] | undefined
    parts: ReturnType<typeof partsOf>
  },
  rows: store.PostRow[],
): Promise<ShownPost[]> {
  const { viewer, attributes, select, parts } = asked
  const documents = await toDocuments(needs, needs.db, viewer, rows, parts)
  return rows.flatMap((row, index) => {
    const document = documents[index]
    return document ? [selectAttributes(attributes, document, row, select)] : []
  })
}

/** Those that are not kept yet are kept from here on. */
async function showWhole(
  needs: ReadNeeds,
  { viewer, attributes, kept }: { viewer: Viewer; attributes: Attributes; kept: KeptPosts },
  rows: store.PostRow[],
): Promise<ShownPost[]> {
  const likeIds = likeIdsMax(rows.length)
  const known = rows.map((row) => {
    const same = findSame(kept, row)
    return same && hasLikeIds(same, likeIds) ? same : undefined
  })
  const missing = rows.filter((_, at) => !known[at]?.listed)
  const parts = { ...partsOf(undefined), postsInAnswer: rows.length, hasOwnLikes: false }
  const documents = await toDocuments(needs, needs.db, viewer, missing, parts)
  const made = new Map<store.PostRow, ShownPost>()
  for (const [at, row] of missing.entries()) {
    const document = documents[at]
    if (!document) continue
    const listed = selectAttributes(attributes, document, row, undefined)
    made.set(row, listed)
    const contentBytes = store.contentBytesOf(row)
    kept.keep({ contentBytes, ...findSame(kept, row), row, listed, likeIds })
  }
  notePosts(rows)
  const shown = rows.flatMap((row, at) => known[at]?.listed ?? made.get(row) ?? [])
  return withOwnLikes(needs.db, viewer, shown)
}

/** Whether its list would be the same with so many of those who like it. */
function hasLikeIds({ row, likeIds = 0 }: KeptPost, asked: number): boolean {
  return asked === likeIds || row.likes <= Math.min(asked, likeIds)
}

/** What is kept of the post as this row has it. */
function findSame(kept: KeptPosts, row: store.PostRow): KeptPost | undefined {
  const found = kept.find(Number(row.seq))
  return found?.row === row ? found : undefined
}

/**
 * A person, and how many posts their page lists for this viewer.
 *
 * @throws Refusal `user_not_found`
 */
export async function readAuthor(
  needs: ListNeeds,
  viewer: Viewer,
  userId: string,
  pay: Pay | undefined,
): Promise<Author> {
  const author = await findAuthor(needs, userId)
  if (!author) throw new Refusal('user_not_found')
  const { publicStatuses } = await needs.attributes(needs.db)
  const queries = [
    { method: 'equal', attribute: 'userid', values: [userId] },
    { method: 'equal', attribute: 'status', values: publicStatuses },
    // As the page lists them: along an index.
    { method: 'orderDesc', attribute: '$createdAt' },
    { method: 'limit', values: [1] },
    { method: 'select', values: ['$id'] },
  ].map((query) => JSON.stringify(query))
  const { total } = await listPosts(needs, viewer, queries, { hasTotal: true, pay })
  return { ...author, posts: total }
}

/** @throws Refusal `document_not_found`, also when the viewer may not read it */
export async function readPost(
  needs: WholeNeeds,
  viewer: Viewer,
  id: string,
  queries: string[] | undefined,
): Promise<ShownPost> {
  const attributes = await needs.attributes(needs.db)
  const { query: select, names } = readAskedOne(attributes, POST_SCHEMA, queries)
  if (names === undefined) return readWhole(needs, { viewer, attributes }, id)
  const isHighlighted = select?.includes('highlightedContent') === true
  const hasContent = isHighlighted || isSelected(select, 'content')
  const extras = extrasFor(needs, viewer, select)
  const row = await readVisible(needs.db, viewer, id, { ...extras, hasContent })
  const document = await toDocument(needs, needs.db, viewer, row, partsOf(select))
  if (isHighlighted)
    document.highlightedContent = await needs.bodies.highlight(
      needs.db,
      { postId: id, authorId: row.userId },
      document.content,
    )
  return selectAttributes(attributes, document, row, names)
}

/** @throws as {@link readPost} */
async function readWhole(
  needs: WholeNeeds,
  { viewer, attributes }: { viewer: Viewer; attributes: Attributes },
  id: string,
): Promise<ShownPost> {
  const kept = needs.keptPosts(attributes)
  const known = kept?.findById(id)
  const row = known && can(viewer, 'read', known.row) ? known.row : undefined
  if (row) notePosts([row])
  if (row && known?.alone) return withOwnLike(needs, viewer, known.alone)
  if (row && known?.listed && hasLikeIds(known, LIKE_IDS_MAX)) {
    const shown = await needs.bodies.show(needs.db, id, row.content)
    // In nothing but the body may the two differ.
    if (shown === row.content) {
      kept?.keep({ ...known, alone: known.listed })
      return withOwnLike(needs, viewer, known.listed)
    }
  }
  const read = row ?? (await readVisible(needs.db, viewer, id))
  const parts = { ...partsOf(undefined), hasOwnLikes: false }
  const document = await toDocument(needs, needs.db, viewer, read, parts)
  const alone = selectAttributes(attributes, document, read, undefined)
  kept?.keep({ contentBytes: store.contentBytesOf(read), ...(row && known), row: read, alone })
  return withOwnLike(needs, viewer, alone)
}

async function withOwnLike(
  { db }: Pick<ReadNeeds, 'db'>,
  viewer: Viewer,
  post: ShownPost,
): Promise<ShownPost> {
  const [shown = post] = await withOwnLikes(db, viewer, [post])
  return shown
}

/**
 * They are looked up only when `select` names them. The colour only of an image that everybody may
 * see: a hidden image must not show through its colour.
 */
function extrasFor(
  { contentBucketId, avatarBucketId }: Pick<ReadNeeds, 'contentBucketId' | 'avatarBucketId'>,
  viewer: Viewer,
  select: string[] | undefined,
): store.PostExtras {
  const hasColor = select?.includes('imageColor')
  const hasAvatar = select?.includes('userAvatar')
  const hasImage = select?.includes('ownImage')
  return {
    color: hasColor ? { bucketId: contentBucketId, readers: 'any' } : undefined,
    avatar: hasAvatar ? { bucketId: avatarBucketId, readers: readerGroups(viewer) } : undefined,
    imageBucketId: hasImage ? contentBucketId : undefined,
    hasWords: select?.includes('words') ?? false,
  }
}

/** Posts held in memory at once while all posts of a person are read. */
const BATCH = 10

export async function* streamAllOf(
  needs: ReadNeeds,
  viewer: UserViewer,
): AsyncIterable<PostDocument> {
  for (let after: store.PostRow | undefined, isMore = true; isMore; ) {
    const rows = await store.listPostsOf(needs.db, viewer.userId, { after, limit: BATCH })
    yield* await toDocuments(needs, needs.db, viewer, rows)
    after = rows.at(-1)
    isMore = rows.length === BATCH
  }
}
