// SQL of lists of posts: the `seq` of their posts, their number, and their rows.

import { type RawBuilder, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { isOneOfNumbers, listParameter, prepared, rawQuery } from '../database/dialect.ts'
import { findCursor, type ListCall, readCount, selectPage } from '../database/list-query.ts'
import type { Cursor, Filter, ListQuery } from '../database/queries.ts'
import { isInTime } from '../database/scan.ts'
import type { Database } from '../database/schema.ts'
import { inScope, type PostScope } from '../database/visible-posts.ts'
import { type PostParts, type PostRow, selectPosts } from '../posts/store.ts'
import { type AccessPath, accessPathsOf } from './list-access-paths.ts'
import { type PostSource, sourceFor } from './post-list-source-store.ts'

/** A list query, restricted to the posts that the viewer may read. */
export type ScopedQuery = {
  query: ListQuery
  scope: PostScope
  path?: AccessPath | undefined
  /** The list reads posts one by one, and `scan` runs it. */
  isScan?: boolean
}

/** Runs a SELECT: on the database's connection, or as a scan. */
export type RunSelect = <Row>(select: RawBuilder<Row>) => Promise<Row[]>

/** Without a chosen path, the list is read along an index that has the requested order. */
function sourceOf(db: Database, { query, scope, path }: ScopedQuery): PostSource {
  const paths = path ? [path] : accessPathsOf(query)
  const chosenPath = paths.find(({ isInOrder }) => isInOrder) ?? paths[0]
  if (!chosenPath) throw new Error('A list has no access path')
  return sourceFor(db, { query, scope }, chosenPath)
}

/** Counts the posts of ranges that are not in order, which are read one by one, up to `max`. */
export async function countCandidates(db: Database, list: ScopedQuery, max: number) {
  const candidates = candidatesOf(db, list, max)
  if (!candidates) return 0
  const countQuery = sql<{ total: number }>`select count(*) as total from ${candidates} as counted`
  return readCount((await countQuery.execute(db)).rows)
}

function candidatesOf(db: Database, list: ScopedQuery, max: number) {
  const ranges = sourceOf(db, list).ranges.filter(({ isInOrder }) => !isInOrder)
  if (ranges.length === 0) return undefined
  const selects = ranges.map(({ candidates }) => candidates)
  return sql`(select seq from (${sql.join(selects, sql` union all `)}) as found limit ${max})`
}

/** The bytes of the bodies of the posts that `countCandidates` counts. */
export async function sumCandidateBytes(db: Database, list: ScopedQuery, max: number) {
  const candidates = candidatesOf(db, list, max)
  if (!candidates) return 0
  const { rows } = await sql<{ bytes: number | null }>`select sum(octet_length(content)) as bytes
    from post where seq in ${candidates}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Counts all posts that contain the words, up to `max`. */
export function countPostsWithWords(db: Database, filter: Filter, max: number): Promise<number> {
  const query = newestFirst({ filters: [filter], limit: 1 })
  const [path] = accessPathsOf(query)
  return countCandidates(db, { query, scope: 'all', path }, max)
}

/**
 * The `seq` of the posts of a page in the requested order; before a cursor in reverse order,
 * beginning next to the cursor.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function findSeqs(
  db: Database,
  list: ScopedQuery,
  run: RunSelect = async (select) => (await select.execute(db)).rows,
): Promise<number[]> {
  const call = toListCall(db, list)
  const rows = await run(selectPage(db, call, await findCursor(db, call)))
  return rows.map(({ seq }) => seq)
}

/** The post next to another one by date, visible to these readers. */
export const findAdjacent = prepared(
  (
    db,
    { createdAt, seq }: Pick<PostRow, 'createdAt' | 'seq'>,
    { readers, direction }: { readers: Readers[]; direction: Cursor['direction'] },
  ) => {
    const query = newestFirst({ limit: 1, cursor: { id: '', direction } })
    const call = toListCall(db, { query, scope: { readers, ownerId: undefined } })
    return rawQuery(db, selectPage(db, call, [createdAt, seq]))
  },
)

/** A list in the form that database/list-query.ts turns into SQL. */
export function toListCall(db: Database, list: ScopedQuery): ListCall {
  const source = sourceOf(db, list)
  const check = list.isScan ? isInTime(db) : undefined
  return {
    source: check ? { ...source, isInTime: check } : source,
    query: list.query,
    scope: inScope(list.scope),
  }
}

/** A query for the newest posts first. */
export function newestFirst({
  filters = [],
  limit,
  cursor,
}: Pick<ListQuery, 'limit'> & Partial<Pick<ListQuery, 'filters' | 'cursor'>>): ListQuery {
  return {
    filters,
    limit,
    cursor,
    offset: 0,
    isRandom: false,
    select: undefined,
    order: [{ attribute: '$createdAt', direction: 'desc' }],
  }
}

type Listing = Omit<PostParts, 'hasContent'> & {
  seqs: number[]
  scope: PostScope
  hasContent?: boolean
}

/** Up to this many posts without bodies never exceed the byte limit. */
const LIGHT_POSTS_MAX = 500

/**
 * Reads the posts with these `seqs`, in this order, until bodies and extra attributes would exceed
 * `maxBytes`, but at least one. Leaves out posts that are no longer in the scope.
 */
export async function readWithinBytes(
  db: Database,
  { seqs, ...listing }: Listing,
  maxBytes: number,
) {
  const { hasContent = false } = listing
  if (seqs.length <= (hasContent ? 1 : LIGHT_POSTS_MAX)) return readBySeqs(db, seqs, listing)
  const body = hasContent ? sql<number>`octet_length(post.content)` : sql<number>`0`
  const extras = sql<number>`octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))`
  const rows = await db
    .selectFrom('post')
    .leftJoin('postExtra', 'postExtra.postId', 'post.id')
    .select(['post.seq', sql<number>`${body} + ${extras}`.as('bytes')])
    .where(isOneOfNumbers(db, sql.ref('post.seq'), listParameter(db, seqs)))
    .execute()
  const sizes = new Map(rows.map(({ seq, bytes }) => [seq, bytes]))
  let sum = 0
  const end = seqs.findIndex((seq, at) => {
    sum += sizes.get(seq) ?? 0
    return at > 0 && sum > maxBytes
  })
  return readBySeqs(db, end === -1 ? seqs : seqs.slice(0, end), listing)
}

/** The posts with these `seqs` that are in the scope, in this order; bodies may be truncated. */
export async function readBySeqs(
  db: Database,
  seqs: number[],
  { scope, ...parts }: Omit<Listing, 'seqs'> & { contentMaxChars?: number },
): Promise<PostRow[]> {
  if (seqs.length === 0) return []
  const [readers, ownerId] = scope === 'all' ? [scope] : [scope.readers, scope.ownerId]
  const values = { seqs: listParameter(db, seqs), ...(ownerId === undefined ? {} : { ownerId }) }
  const { rows } = await findRows(db, values, { readers, ...parts })
  const rowsBySeq = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => {
    const row = rowsBySeq.get(seq)
    return row?.isReadable ? [row] : []
  })
}

/** The groups of readers are part of the statement, not parameters. */
type Shape = Partial<PostParts> & { readers: 'all' | Readers[]; contentMaxChars?: number }

const findRows = prepared(
  (
    db,
    { seqs, ownerId }: { seqs: unknown; ownerId?: string },
    { readers, contentMaxChars, hasContent = false, ...optional }: Shape,
  ) => {
    const scope = inScope(readers === 'all' ? readers : { readers, ownerId })
    const beginning = sql<string>`substr(post.content, 1, ${contentMaxChars})`
    return (
      selectPosts(db, { ...optional, hasContent })
        // Not a condition, because SQLite would scan an index of the scope with all of its posts.
        .select(sql<number>`case when ${scope} then 1 else 0 end`.as('isReadable'))
        .where(isOneOfNumbers(db, sql.ref('post.seq'), seqs))
        .$if(contentMaxChars !== undefined, (query) => query.select(beginning.as('content')))
    )
  },
)
