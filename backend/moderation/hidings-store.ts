// SQL of decisions about all comments by a user, and of the comments that they update.
import { type Insertable, sql } from 'kysely'
import type { Hiding } from '../comments/hidden-state.ts'
import type { StoredComment } from '../comments/store.ts'
import { withRowLock } from '../database/dialect.ts'
import type { CommentHidingTable, Database } from '../database/schema.ts'

/** Comments of a decision are counted up to this number. */
const COUNTED_MAX = 10_000

/** Oldest first. */
export async function listHidings(db: Database, limit: number): Promise<Hiding[]> {
  return await db.selectFrom('commentHiding').selectAll().orderBy('seq').limit(limit).execute()
}

/** Decisions about a user, oldest first. */
export async function listHidingsOf(tx: Database, userId: string): Promise<Hiding[]> {
  const ofUser = tx.selectFrom('commentHiding').selectAll().where('userId', '=', userId)
  return await ofUser.orderBy('seq').execute()
}

export async function addHiding(tx: Database, row: Insertable<CommentHidingTable>) {
  return await tx.insertInto('commentHiding').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Locks the decision until the transaction ends. Its user must be locked before. */
export async function lockHiding(tx: Database, seq: number): Promise<Hiding | undefined> {
  const hiding = tx.selectFrom('commentHiding').selectAll().where('seq', '=', seq)
  return await withRowLock(tx, hiding).executeTakeFirst()
}

export async function changeHiding(
  tx: Database,
  seq: number,
  changes: Pick<Hiding, 'position' | 'announced'>,
): Promise<void> {
  await tx.updateTable('commentHiding').set(changes).where('seq', '=', seq).execute()
}

export async function deleteHiding(tx: Database, seq: number): Promise<void> {
  await tx.deleteFrom('commentHiding').where('seq', '=', seq).execute()
}

type Scope = { userId: string; discussionSeq: number | null }

function commentsIn(db: Database, { userId, discussionSeq }: Scope) {
  const ofUser = db.selectFrom('comment').where('userId', '=', userId)
  return discussionSeq === null ? ofUser : ofUser.where('discussionSeq', '=', discussionSeq)
}

/** The `seq` of the last comment by a user; undefined if there is none. */
export async function findLastSeq(tx: Database, userId: string): Promise<number | undefined> {
  const last = commentsIn(tx, { userId, discussionSeq: null }).select('seq').orderBy('seq', 'desc')
  return (await last.limit(1).executeTakeFirst())?.seq
}

/** The next comments in the range of a decision, in order, including unaffected ones. */
export async function listNext(tx: Database, hiding: Hiding, limit: number) {
  const next = commentsIn(tx, hiding).selectAll()
  const inRange = next.where('seq', '>', hiding.position).where('seq', '<=', hiding.lastSeq)
  const rows: StoredComment[] = await inRange.orderBy('seq').limit(limit).execute()
  return rows
}

/** Locks the discussions of comments, always in the same order. */
export async function lockDiscussions(tx: Database, comments: StoredComment[]): Promise<void> {
  const seqs = [...new Set(comments.map(({ discussionSeq }) => discussionSeq))]
  const discussions = tx.selectFrom('discussion').select('seq').where('seq', 'in', seqs)
  await withRowLock(tx, discussions.orderBy('seq')).execute()
}

/** The post of a discussion; undefined while the post is deleted. */
export async function findPostId(tx: Database, discussionSeq: number): Promise<string | undefined> {
  const discussion = tx.selectFrom('discussion').select('postId').where('seq', '=', discussionSeq)
  return (await discussion.executeTakeFirst())?.postId ?? undefined
}

type Range = Scope & { afterSeq: number; lastSeq: number }

/** The number of comments in a range that are shown or wait for approval. */
export async function countOpen(tx: Database, { afterSeq, lastSeq, ...scope }: Range) {
  const open = commentsIn(tx, scope).where('status', 'in', ['shown', 'waiting'])
  return await count(tx, open.where('seq', '>', afterSeq).where('seq', '<=', lastSeq))
}

type Hidden = Scope & { isByAuthor: boolean }

/** Uses the index `commentHiddenAt`. */
function hiddenIn(tx: Database, { isByAuthor, ...scope }: Hidden) {
  const hidden = commentsIn(tx, scope).where(sql<boolean>`status in ('hidden', 'rejected')`)
  return hidden.where('hiddenBy', 'in', isByAuthor ? ['author'] : ['author', 'operator'])
}

/** The number of comments that were hidden at exactly this time. */
export async function countHiddenAt(tx: Database, decidedAt: string, hidden: Hidden) {
  return await count(tx, hiddenIn(tx, hidden).where('hiddenAt', '=', decidedAt))
}

/** The latest time at which comments were hidden; empty if none were. */
export async function findLastHidden(tx: Database, hidden: Hidden): Promise<string> {
  return (await selectLastHidden(tx, hidden).executeTakeFirst())?.last ?? ''
}

/** Not executed: for tests of plans. */
export function selectLastHidden(tx: Database, hidden: Hidden) {
  return hiddenIn(tx, hidden).select((eb) => eb.fn.max('hiddenAt').as('last'))
}

type Query = ReturnType<typeof commentsIn>

/** Counts up to `COUNTED_MAX`, because many rows would block the event loop. */
async function count(tx: Database, query: Query): Promise<number> {
  const limitedRows = query.select('seq').limit(COUNTED_MAX)
  const countedRows = tx.selectFrom(limitedRows.as('found'))
  const { total } = await countedRows
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Updates whether these comments are counted, depending on whether the user is blocked. */
export async function recount(tx: Database, userId: string, seqs: number[]): Promise<void> {
  const isCounted = sql<number>`case when status = 'shown' and not exists (select 1 from "user"
    where id = ${userId} and ${sql.ref('isBlocked')} = 1) then 1 else 0 end`
  const differing = tx.updateTable('comment').set({ isCounted }).where('seq', 'in', seqs)
  await differing.where(sql<boolean>`${sql.ref('isCounted')} <> ${isCounted}`).execute()
}
