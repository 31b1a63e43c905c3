// Which posts a list finds, by their `seq`, how many, and these posts, in SQL. Knows no rule:
// who may read comes in as a scope. Not yet executed where a test asks for plans.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { compiledOnce } from '../database/compiled.ts'
import { isOneOf, listParameter } from '../database/dialect.ts'
import {
  countBefore,
  countRows,
  selectBefore,
  selectCount,
  selectPage,
} from '../database/list-query.ts'
import type { Cursor, Filter, ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import { type Way, waysOf } from './list-ways.ts'
import { type PostSource, sourceFor } from './post-lanes-store.ts'
import { inScope } from './post-scope-store.ts'
import { type PostExtras, type PostParts, type PostRow, selectPosts } from './store.ts'

/** A list within what somebody may read. */
export type ScopedQuery = { query: ListQuery; scope: PostScope; way?: Way | undefined }

/** Along the index that a rule's own list is in the order of, where no way was chosen. */
function sourceOf(db: Database, { query, scope, way }: ScopedQuery): PostSource {
  const ways = way ? [way] : waysOf(query)
  const chosen = ways.find(({ isInOrder }) => isInOrder) ?? ways[0]
  if (!chosen) throw new Error('A list has no way')
  return sourceFor(db, { query, scope }, chosen)
}

/** Posts that are looked at one by one, up to `max`: those of lanes that are not in order. */
export async function countCandidates(
  db: Database,
  list: ScopedQuery,
  max: number,
): Promise<number> {
  const candidates = candidatesOf(db, list, max)
  return candidates ? countSome(db, candidates) : 0
}

function candidatesOf(
  db: Database,
  list: ScopedQuery,
  max: number,
): RawBuilder<unknown> | undefined {
  const lanes = sourceOf(db, list).lanes.filter(({ isInOrder }) => !isInOrder)
  if (lanes.length === 0) return undefined
  const each = lanes.map(({ candidates }) => candidates)
  return sql`select seq from (${sql.join(each, sql` union all `)}) as found limit ${max}`
}

async function countSome(db: Database, select: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${select}) as counted`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Posts that hold the words, whoever may read them, counted up to `max`. */
export function countWords(db: Database, filter: Filter, max: number): Promise<number> {
  const query = newestFirst({ filters: [filter], limit: 1 })
  const [way] = waysOf(query)
  return countCandidates(db, { query, scope: 'all', way }, max)
}

/** Bytes of the bodies, and of the attributes that are no role, of those posts. */
export async function sizeCandidates(
  db: Database,
  list: ScopedQuery,
  max: number,
): Promise<{ bodies: number; own: number }> {
  const candidates = candidatesOf(db, list, max)
  if (!candidates) return { bodies: 0, own: 0 }
  const { rows } = await sql<{ bodies: number | null; own: number | null }>`
    select sum(octet_length(post.content)) as bodies,
      sum(octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))) as own
    from post left join ${sql.table('postExtra')} on ${sql.ref('postExtra.postId')} = post.id
    where post.seq in (${candidates})`.execute(db)
  return { bodies: Number(rows[0]?.bodies ?? 0), own: Number(rows[0]?.own ?? 0) }
}

/**
 * The posts of a page in the order asked for; before a cursor the other way round, beginning with
 * the one next to it.
 *
 * @param options `hasAnyCursor`: the post of the cursor need not be in the scope
 * @throws Refusal `general_cursor_not_found`
 */
export async function findSeqs(
  db: Database,
  list: ScopedQuery,
  options: { hasAnyCursor?: boolean } = {},
): Promise<number[]> {
  const { rows } = await (await selectSeqs(db, list, options)).execute(db)
  return rows.map(({ seq }) => Number(seq))
}

export async function selectSeqs(
  db: Database,
  list: ScopedQuery,
  { hasAnyCursor = false }: { hasAnyCursor?: boolean } = {},
): Promise<RawBuilder<{ seq: number }>> {
  const scope = hasAnyCursor ? sql<SqlBool>`1 = 1` : inScope(list.scope)
  return selectPage(db, sourceOf(db, list), list.query, scope)
}

/** How many posts a list holds on all its pages, counted up to `TOTAL_MAX`. */
export function countFound(db: Database, list: ScopedQuery): Promise<number> {
  return countRows(db, sourceOf(db, list), list.query, inScope(list.scope))
}

export function selectFoundCount(db: Database, list: ScopedQuery): RawBuilder<{ total: number }> {
  return selectCount(db, sourceOf(db, list), list.query, inScope(list.scope))
}

/**
 * How many posts are in front of the page behind a cursor, counted as far.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export function countInFront(db: Database, list: ScopedQuery): Promise<number> {
  return countBefore(db, sourceOf(db, list), list.query, inScope(list.scope))
}

export function selectCountInFront(
  db: Database,
  list: ScopedQuery,
): Promise<RawBuilder<{ total: number }>> {
  return selectBefore(db, sourceOf(db, list), list.query, inScope(list.scope))
}

/** A list of the newest posts first, as rules ask for it. */
export function newestFirst({
  filters = [],
  limit,
  cursor,
}: Pick<ListQuery, 'limit'> & Partial<Pick<ListQuery, 'filters' | 'cursor'>>): ListQuery {
  return {
    ...{ filters, limit, cursor, offset: 0, isRandom: false, select: undefined },
    order: [{ attribute: '$createdAt', direction: 'desc' }],
  }
}

export type PostListing = {
  seqs: number[]
  scope: PostScope
  isReversed?: boolean
} & PostParts

/**
 * Found posts in their order, the other way round if `isReversed`. They end before one with which
 * the bodies would be more than `contentMaxBytes`, but not before the first of `seqs`. Leaves out
 * what is not in the scope any more.
 */
export async function readListed(
  db: Database,
  { seqs, scope, isReversed = false, ...parts }: PostListing,
  contentMaxBytes: number,
): Promise<PostRow[]> {
  const rows = untilFull(await readSized(db, { seqs, scope, ...parts }), contentMaxBytes)
  const shown = parts.hasContent ? await withContent(db, rows, scope) : rows
  return isReversed ? shown.toReversed() : shown
}

type Asked = { seqs: number[]; scope: PostScope }

/** Instead of bodies it brings their sizes. */
async function readSized(
  db: Database,
  { seqs, scope, ...parts }: Asked & PostParts,
): Promise<SizedRow[]> {
  if (seqs.length === 0) return []
  const shape = { ...parts, readers: readersOf(scope) }
  return inPlaces((await findSized(db, valuesOf(db, { seqs, scope }), shape)).rows, seqs)
}

const findSized = compiledOnce(
  (db, asked: AskedValues, { readers, ...parts }: ByReaders & PostParts) => {
    const own = sql`octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))`
    const size = parts.hasContent
      ? sql<number>`octet_length(${sql.ref('post.content')}) + ${own}`
      : sql<number>`${own}`
    return selectPosts(db, { ...parts, hasContent: false })
      .select([size.as('contentBytes'), isReadable(asked, readers).as('isReadable')])
      .where(isOneOf(db, sql.ref('post.seq'), asked.seqs))
  },
)

/** The posts as one parameter, and the person, if it is one. */
type AskedValues = { seqs: unknown; ownerId?: string }
/** Which groups of readers are asked for is part of the statement. */
type ByReaders = { readers: 'all' | Readers[] }

function valuesOf(db: Database, { seqs, scope }: Asked): AskedValues {
  const ownerId = scope === 'all' ? undefined : scope.ownerId
  return { seqs: listParameter(db, seqs), ...(ownerId === undefined ? {} : { ownerId }) }
}

function readersOf(scope: PostScope): ByReaders['readers'] {
  return scope === 'all' ? scope : scope.readers
}

/** Not as a condition: SQLite would go through an index of the scope, past all other posts. */
function isReadable({ ownerId }: AskedValues, readers: ByReaders['readers']) {
  const scope = readers === 'all' ? readers : { readers, ownerId }
  return sql<number>`case when ${inScope(scope)} then 1 else 0 end`
}

function inPlaces<Row extends { seq: number; isReadable: number }>(
  rows: Row[],
  seqs: number[],
): Row[] {
  const found = new Map(rows.map((row) => [Number(row.seq), row]))
  return seqs.flatMap((seq) => {
    const row = found.get(seq)
    return row?.isReadable ? [row] : []
  })
}

type SizedRow = PostRow & { seq: number; contentBytes: number; isReadable: number }

function untilFull(rows: SizedRow[], contentMaxBytes: number): SizedRow[] {
  let bytes = 0
  const end = rows.findIndex(({ contentBytes }, at) => {
    bytes += Number(contentBytes)
    return at > 0 && bytes > contentMaxBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Leaves out what was deleted or hidden since the rows were read. */
async function withContent(db: Database, rows: SizedRow[], scope: PostScope): Promise<PostRow[]> {
  if (rows.length === 0) return []
  const seqs = rows.map(({ seq }) => Number(seq))
  const values = valuesOf(db, { seqs, scope })
  const found = (await findContents(db, values, { readers: readersOf(scope) })).rows
  const contents = new Map(inPlaces(found, seqs).map(({ seq, content }) => [Number(seq), content]))
  return rows.flatMap((row) => {
    const content = contents.get(Number(row.seq))
    return content === undefined ? [] : [{ ...row, content }]
  })
}

const findContents = compiledOnce((db, asked: AskedValues, { readers }: ByReaders) =>
  db
    .selectFrom('post')
    .select(['seq', 'content', isReadable(asked, readers).as('isReadable')])
    .where(isOneOf(db, sql.ref('post.seq'), asked.seqs)),
)

/** The post in the scope right before or behind this one by date, which need not be in it. */
export async function findNextTo(
  db: Database,
  postId: string,
  { direction, scope }: { direction: Cursor['direction']; scope: PostScope },
): Promise<Pick<PostRow, 'id' | 'title'> | undefined> {
  const query = newestFirst({ limit: 1, cursor: { id: postId, direction } })
  const [seq] = await findSeqs(db, { query, scope }, { hasAnyCursor: true })
  if (seq === undefined) return undefined
  return (await findTitle(db, { seq })).rows[0]
}

const findTitle = compiledOnce((db, { seq }: { seq: number }) =>
  db.selectFrom('post').select(['id', 'title']).where('seq', '=', seq),
)

/** Of found posts those in the scope, with the beginnings of their bodies. */
export async function readFound(
  db: Database,
  seqs: number[],
  { scope, contentMaxChars, ...extras }: { scope: PostScope; contentMaxChars: number } & PostExtras,
): Promise<PostRow[]> {
  if (seqs.length === 0) return []
  const shape = { ...extras, contentMaxChars, readers: readersOf(scope) }
  return inPlaces((await findBeginnings(db, valuesOf(db, { seqs, scope }), shape)).rows, seqs)
}

type Beginnings = ByReaders & PostExtras & { contentMaxChars: number }

const findBeginnings = compiledOnce(
  (db, asked: AskedValues, { readers, contentMaxChars, ...extras }: Beginnings) => {
    const beginning = sql<string>`substr(post.content, 1, ${contentMaxChars})`
    return selectPosts(db, { hasContent: false, ...extras })
      .select([beginning.as('content'), isReadable(asked, readers).as('isReadable')])
      .where(isOneOf(db, sql.ref('post.seq'), asked.seqs))
  },
)

/** Of these posts, in their order. */
export async function listIds(db: Database, seqs: number[]): Promise<string[]> {
  const isAsked = isOneOf(db, sql.ref('seq'), listParameter(db, seqs))
  const rows = await db.selectFrom('post').select(['seq', 'id']).where(isAsked).execute()
  const ids = new Map(rows.map(({ seq, id }) => [Number(seq), id]))
  return seqs.flatMap((seq) => ids.get(seq) ?? [])
}
