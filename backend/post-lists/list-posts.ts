// Lists of posts that the viewer may read (api.md §3.4). Independent of HTTP; SQL is in
// post-list-store.ts.
import { TOTAL_MAX } from '#contract/limits.ts'
import { countRows, isReversed, readCount, selectBefore } from '../database/list-query.ts'
import { isSelected, readQueries } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readableBy } from '../posts/access.ts'
import type { ChargeCost } from '../posts/charge-work.ts'
import { type ShownPost, selectAttributes, toDocuments } from '../posts/post-serialiser.ts'
import { extrasFor, type OwnPosts } from '../posts/read-post.ts'
import type * as store from '../posts/store.ts'
import { POST_LIST_SCHEMA } from '../posts/structure.ts'
import { accessPathToCount } from './list-access-paths.ts'
import { type BoundedList, boundList } from './list-bounds.ts'
import { callOf, findSeqs, readListed, type ScopedQuery } from './post-list-store.ts'

/** A page ends early when its bodies would have more bytes than this; one post always fits. */
const LIST_CONTENT_MAX_BYTES = 8 * 1024 * 1024

export type ListOptions = {
  /** Whether the total is counted. */
  hasTotal: boolean
  /** Counts the posts in front of the page, too. */
  hasBefore?: boolean
  /** Charges what a list costs beyond a short page of an index; may refuse it before the work. */
  pay?: ChargeCost | undefined
}

export type ShownList = { total: number; documents: ShownPost[]; before?: number }

/** Cheaper lists are not charged. */
const LIST_COST_FREE_MS = 5

const SENT_BYTE_MS = 0.000005

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
  const listedRows = await readListed(db, listing, LIST_CONTENT_MAX_BYTES)
  const rows = isReversed(query) ? listedRows.toReversed() : listedRows
  pay?.after(costOfBodies(rows))
  const total = hasTotal ? await findTotal(db, list, seqs.length) : 0
  const before = hasBefore ? { before: await countBefore(db, list) } : {}
  const documents = await toDocuments(context, db, viewer, rows, parts)
  const selected = rows.flatMap((row, index) => {
    const document = documents[index]
    return document ? [selectAttributes(document, row, query.select)] : []
  })
  return { total, ...before, documents: selected }
}

/** The cost of reading and sending the bodies, in milliseconds. */
function costOfBodies(rows: store.PostRow[]): number {
  const sizes = rows.map(({ content, attributes }) => content.length + attributes.length)
  return sizes.reduce((sum, one) => sum + one, 0) * SENT_BYTE_MS
}

/** A page that is not full is the last one, so its total is known without counting. */
async function findTotal(db: Database, list: BoundedList, foundRows: number): Promise<number> {
  const { limit, offset, cursor } = list.query
  const isLastPage = foundRows < limit && (foundRows > 0 || offset === 0) && !cursor
  if (isLastPage) return Math.min(offset + foundRows, TOTAL_MAX)
  return countRows(db, callOf(db, { ...list, path: accessPathToCount(list.path) }))
}

async function countBefore(db: Database, list: ScopedQuery): Promise<number> {
  return list.query.cursor ? readCount(db, await selectBefore(db, callOf(db, list))) : 0
}

/**
 * The posts of a list that only their author sees.
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
