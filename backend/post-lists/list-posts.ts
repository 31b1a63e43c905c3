// Lists of posts that the viewer may read (api.md §3.4). Independent of HTTP; SQL is in
// post-list-store.ts.
import { TOTAL_MAX } from '#contract/limits.ts'
import type { Tagged } from '../cache/shared-reads.ts'
import { tagOfPost } from '../database/cache-tags.ts'
import { isReversed, readCount, selectCount, selectCountBefore } from '../database/list-query.ts'
import { isSelected, type ListQuery, plainFilters, readQueries } from '../database/queries.ts'
import { type ScanCaller, scan } from '../database/scan.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readableBy } from '../posts/access.ts'
import type { Charge } from '../posts/charge-work.ts'
import { POST_LIST_SCHEMA } from '../posts/post-data.ts'
import { type ShownPost, selectAttributes, toDocuments } from '../posts/post-serialiser.ts'
import { optionalColumnsFor, type PrivatePosts } from '../posts/read-post.ts'
import type * as store from '../posts/store.ts'
import { accessPathToCount } from './list-access-paths.ts'
import { type BoundedList, boundList } from './list-bounds.ts'
import { findSeqs, type RunSelect, readWithinBytes, toListCall } from './post-list-store.ts'

/** A page ends early when its bodies would have more bytes than this; one post always fits. */
const LIST_CONTENT_MAX_BYTES = 8 * 1024 * 1024

/** A list of more posts gets the cache tags that cover all posts. */
const TAGGED_POSTS_MAX = 100
/** A change of these attributes also changes the cache tag `posts`. */
const FIXED_ATTRIBUTES = ['$id', '$sequence', '$createdAt', 'status', 'userid', 'tags']

export type ListOptions = {
  /** Whether the total is counted. */
  hasTotal: boolean
  /** Whether the posts before the page are counted. */
  hasBefore?: boolean
  /** Charges the cost of a list beyond that of a short page of an index. */
  charge?: Charge | undefined
}

export type ShownList = { total: number; documents: ShownPost[]; before?: number }

/** The cost of reading and sending bodies. */
const MS_PER_MIB = 5
const MIB = 1024 * 1024

/**
 * One page of the posts that the viewer may read.
 *
 * @param options `total` is 0 when `hasTotal` is false; `before` is present when it is requested
 * @throws Refusals of api.md §3.4
 */
export async function listPosts(
  context: PostsContext,
  viewer: Viewer,
  queries: string[] | undefined,
  options: ListOptions,
): Promise<Tagged<ShownList>> {
  const { db } = context
  const query = readQueries(queries, POST_LIST_SCHEMA, viewer)
  const scope = readableBy(viewer)
  const list = await boundList(db, { query, scope }, viewer.role !== 'key')
  const { hasTotal, hasBefore = false, charge } = options
  const parts = { hasLikeIds: isSelected(query.select, 'likeId') }
  const hasContent = isSelected(query.select, 'content')
  if (list.isScan || (hasContent && query.limit > 1)) charge?.take(1)
  const caller = viewer.role === 'key' ? undefined : (charge?.key ?? 'server')
  const run = runnerFor(db, list, { caller, onEnd: charge?.add })
  const seqs = await findSeqs(db, list, run)
  const listing = {
    seqs,
    scope,
    hasContent,
    optional: optionalColumnsFor(context, viewer, query.select),
  }
  const listedRows = await readWithinBytes(db, listing, LIST_CONTENT_MAX_BYTES)
  const rows = isReversed(query) ? listedRows.toReversed() : listedRows
  charge?.add((sizeOf(rows) / MIB) * MS_PER_MIB)
  const total = hasTotal ? await findTotal(db, list, seqs.length, run) : 0
  const before = hasBefore ? { before: await countBefore(db, list, run) } : {}
  const documents = await toDocuments(context, db, viewer, rows, parts)
  const selected = rows.flatMap((row, index) => {
    const document = documents[index]
    return document ? [selectAttributes(document, row, query.select)] : []
  })
  return { answer: { total, ...before, documents: selected }, tags: cacheTagsOf(query, rows) }
}

/**
 * The cache tags of a list: the tags of the posts that it shows, if only these posts can change it.
 */
function cacheTagsOf({ filters, order }: ListQuery, rows: store.PostRow[]): string[] {
  const attributes = [...plainFilters(filters), ...order].map(({ attribute }) => attribute)
  const isFixed = attributes.every((name) => name === undefined || FIXED_ATTRIBUTES.includes(name))
  if (!isFixed || rows.length > TAGGED_POSTS_MAX) return ['posts', 'texts', 'counts']
  return ['posts', ...rows.map(({ id }) => tagOfPost(id))]
}

function runnerFor(db: Database, { isScan }: BoundedList, caller: ScanCaller): RunSelect {
  if (isScan) return (select) => scan(db, select, caller)
  return async (select) => (await select.execute(db)).rows
}

function sizeOf(rows: store.PostRow[]): number {
  return rows.reduce((sum, { content, attributes }) => sum + content.length + attributes.length, 0)
}

/** A page that is not full is the last one, so its total is known without counting. */
async function findTotal(
  db: Database,
  list: BoundedList,
  rowCount: number,
  run: RunSelect,
): Promise<number> {
  const { limit, offset, cursor } = list.query
  const isLastPage = rowCount < limit && (rowCount > 0 || offset === 0) && !cursor
  if (isLastPage) return Math.min(offset + rowCount, TOTAL_MAX)
  const call = toListCall(db, { ...list, path: accessPathToCount(list.path) })
  return readCount(await run(selectCount(db, call)))
}

async function countBefore(db: Database, list: BoundedList, run: RunSelect): Promise<number> {
  if (!list.query.cursor) return 0
  return readCount(await run(await selectCountBefore(db, toListCall(db, list))))
}

/**
 * Which private posts a list may contain.
 *
 * @returns undefined for a list in random order
 */
export function privatePostsIn(queries: string[] | undefined): PrivatePosts | undefined {
  const { filters, isRandom } = readQueries(queries, POST_LIST_SCHEMA, { role: 'user' })
  if (isRandom) return undefined
  const isActive = filters.some(
    (filter) =>
      filter.method === 'equal' &&
      filter.attribute === 'status' &&
      filter.values.every((value) => value === 'active'),
  )
  return isActive ? 'active' : 'all'
}
