// Comments and discussions in SQL, written, the same on both databases. Decides nothing. What an
// answer reads is in comment-list-store.ts.
import { type Insertable, type Selectable, sql } from 'kysely'
import { changeInBatches } from '../database/change-in-batches.ts'
import { selectPendingHidings } from '../database/comment-hidings.ts'
import { isShared, withRowLock } from '../database/dialect.ts'
import type { CommentTable, Database, DiscussionTable } from '../database/schema.ts'
import type { Page } from '../process/batches.ts'
import { applyHidings } from './hidden-state.ts'

export type Discussion = Selectable<DiscussionTable>
export type StoredComment = Selectable<CommentTable>
export type NewComment = Omit<Insertable<CommentTable>, 'seq' | 'isCounted'>
type Changes = Partial<Omit<StoredComment, 'seq' | 'id' | 'replies'>>

export async function findDiscussion(db: Database, postId: string) {
  const found = db.selectFrom('discussion').selectAll().where('postId', '=', postId)
  return await found.executeTakeFirst()
}

/** Locked until the transaction ends; the post is locked before. */
export async function lockDiscussion(tx: Database, postId: string): Promise<Discussion> {
  await planForValues(tx)
  const insert = tx.insertInto('discussion').values({ postId, deletedId: null })
  await insert.onConflict((c) => c.column('postId').doNothing()).execute()
  const found = tx.selectFrom('discussion').selectAll().where('postId', '=', postId)
  return await withRowLock(tx, found).executeTakeFirstOrThrow()
}

/**
 * PostgreSQL plans what follows in the transaction for its values: one plan for all would go
 * through the whole table for the first comment of somebody, as if they had as many as others.
 */
async function planForValues(tx: Database): Promise<void> {
  if (!isShared(tx)) return
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx)
}

export async function closeDiscussion(tx: Database, seq: number, isClosed: boolean) {
  const discussion = tx.updateTable('discussion').where('seq', '=', seq)
  await discussion.set({ isClosed: Number(isClosed) }).execute()
}

/** The next number of a comment, at the top level or among the replies of `parentId`. */
export async function takePosition(tx: Database, seq: number, parentId: string): Promise<number> {
  const next = { lastPlace: sql<number>`${sql.ref('lastPlace')} + 1` }
  const taken =
    parentId === ''
      ? tx.updateTable('discussion').set(next).where('seq', '=', seq).returning('lastPlace')
      : tx.updateTable('comment').set(next).where('id', '=', parentId).returning('lastPlace')
  return (await taken.executeTakeFirstOrThrow()).lastPlace
}

/** @throws the database's own unique fault when the id is taken */
export async function insertComment(tx: Database, comment: NewComment): Promise<void> {
  await tx.insertInto('comment').values(comment).execute()
  if (comment.status === 'shown') await changeComments(tx, [comment.id], { isCounted: 1 })
}

export async function changeComments(tx: Database, ids: string[], changes: Changes): Promise<void> {
  await tx.updateTable('comment').set(changes).where('id', 'in', ids).execute()
}

export async function deleteComment(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('comment').where('id', '=', id).execute()
}

/**
 * A comment as decisions about its writer have it, also one that it has yet to follow. Its post is
 * null while that is in the bin.
 */
export async function findStored(db: Database, id: string) {
  const found = db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .leftJoin('user', 'user.id', 'comment.userId')
  const row = found
    .selectAll('comment')
    .select(['discussion.postId', 'user.isBlocked', selectPendingHidings(db).as('hidings')])
    .where('comment.id', '=', id)
  const stored = await row.executeTakeFirst()
  if (!stored) return undefined
  const { isBlocked, hidings, ...comment } = stored
  const decided = applyHidings(comment, hidings)
  const isCounted = isBlocked === 1 ? 0 : decided.isCounted
  return { ...decided, isCounted, isBeingUpdated: decided !== comment }
}

export async function hasReplies(db: Database, { discussionSeq, id }: StoredComment) {
  const replies = db.selectFrom('comment').select('seq').where('parentId', '=', id)
  const one = await replies.where('discussionSeq', '=', discussionSeq).limit(1).execute()
  return one.length > 0
}

// --- of one person

export async function hasShownComment(db: Database, userId: string): Promise<boolean> {
  const shown = db.selectFrom('comment').select('seq').where('userId', '=', userId)
  return (await shown.where('status', '=', 'shown').limit(1).execute()).length > 0
}

type Same = {
  userId: string
  digest: string
  discussionSeq: number
  since: string
  exceptId: string
}

/** Whether a person has written the same in this discussion, or anywhere since then. */
export async function hasDuplicate(db: Database, same: Same): Promise<boolean> {
  const { userId, digest, discussionSeq, since, exceptId } = same
  const found = db.selectFrom('comment').select('seq').where('userId', '=', userId)
  const here = found
    .where('digest', '=', digest)
    .where('id', '!=', exceptId)
    .where((eb) => eb.or([eb('discussionSeq', '=', discussionSeq), eb('createdAt', '>', since)]))
  return (await here.limit(1).execute()).length > 0
}

/**
 * The links of all that a person wrote lead somewhere from now on. Comments without are few: only
 * those of new accounts, and those that waited.
 */
export async function allowLinks(tx: Database, userId: string): Promise<void> {
  const theirs = tx.selectFrom('comment').select('seq').where('userId', '=', userId)
  const without = theirs.where(sql<boolean>`${sql.ref('hasLinks')} = 0`)
  await changeInBatches(async (limit) => {
    const some = tx.updateTable('comment').where('seq', 'in', without.limit(limit))
    return Number((await some.set({ hasLinks: 1 }).executeTakeFirst()).numUpdatedRows)
  })
}

export type OwnComment = StoredComment & { postId: string | null }

/** Oldest first; those on posts in the bin under the id that the post had. */
export async function listOwn(
  db: Database,
  userId: string,
  { after, limit }: Page<OwnComment>,
): Promise<OwnComment[]> {
  return await db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .leftJoin('deletedPost', 'deletedPost.id', 'discussion.deletedId')
    .selectAll('comment')
    .select((eb) => eb.fn.coalesce('discussion.postId', 'deletedPost.postId').as('postId'))
    .where('comment.userId', '=', userId)
    .where((eb) =>
      eb.or([eb('discussion.postId', 'is not', null), eb('deletedId', 'is not', null)]),
    )
    .where('comment.seq', '>', after?.seq ?? 0)
    .orderBy('comment.seq')
    .limit(limit)
    .execute()
}

/** What a comment is that only stays for its replies. */
export const ERASED = {
  status: 'deleted',
  content: '',
  html: '',
  digest: '',
  isCounted: 0,
} as const

/** The numbers of the last comments of a person. */
export async function listLastOf(tx: Database, userId: string, limit: number): Promise<number[]> {
  const theirs = tx.selectFrom('comment').select('seq').where('userId', '=', userId)
  return (await theirs.orderBy('seq', 'desc').limit(limit).execute()).map(({ seq }) => seq)
}

/** Without its replies, a comment goes; with some, its words and its writer go. */
export async function deleteBatch(tx: Database, seqs: number[]): Promise<void> {
  const of = tx.selectFrom('comment').select('discussionSeq').where('seq', 'in', seqs)
  const discussions = tx.selectFrom('discussion').select('seq').where('seq', 'in', of)
  // In one order, whoever locks them.
  await withRowLock(tx, discussions.orderBy('seq')).execute()
  const replies = tx.deleteFrom('comment').where('seq', 'in', seqs)
  await replies.where('parentId', '!=', '').execute()
  const isAnswered = sql<boolean>`exists (select 1 from comment as reply
    where ${sql.ref('reply.discussionSeq')} = ${sql.ref('comment.discussionSeq')}
      and ${sql.ref('reply.parentId')} = comment.id)`
  const erased = tx.updateTable('comment').set({ ...ERASED, userId: null })
  await erased.where('seq', 'in', seqs).where(isAnswered).execute()
  const others = tx.deleteFrom('comment').where('seq', 'in', seqs)
  await others.where('userId', 'is not', null).execute()
}
