// SQL that writes comments and discussions, the same on both databases. The queries for answers are
// in comment-list-store.ts.
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
  const discussion = db.selectFrom('discussion').selectAll().where('postId', '=', postId)
  return await discussion.executeTakeFirst()
}

/** Locks the discussion until the transaction ends. The post must be locked first. */
export async function lockDiscussion(tx: Database, postId: string): Promise<Discussion> {
  await planForValues(tx)
  const insert = tx.insertInto('discussion').values({ postId, deletedId: null })
  await insert.onConflict((c) => c.column('postId').doNothing()).execute()
  const discussion = tx.selectFrom('discussion').selectAll().where('postId', '=', postId)
  return await withRowLock(tx, discussion).executeTakeFirstOrThrow()
}

/**
 * Makes PostgreSQL plan the following statements for their actual values. A generic plan would scan
 * the whole table for the first comment by a user, because it assumes an average number of comments
 * for each user.
 */
async function planForValues(tx: Database): Promise<void> {
  if (!isShared(tx)) return
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx)
}

export async function closeDiscussion(tx: Database, seq: number, isClosed: boolean) {
  const discussion = tx.updateTable('discussion').where('seq', '=', seq)
  await discussion.set({ isClosed: Number(isClosed) }).execute()
}

/** The next position at the top level, or among the replies to `parentId`. */
export async function takePosition(tx: Database, seq: number, parentId: string): Promise<number> {
  const next = { lastPlace: sql<number>`${sql.ref('lastPlace')} + 1` }
  const update =
    parentId === ''
      ? tx.updateTable('discussion').set(next).where('seq', '=', seq).returning('lastPlace')
      : tx.updateTable('comment').set(next).where('id', '=', parentId).returning('lastPlace')
  return (await update.executeTakeFirstOrThrow()).lastPlace
}

/** @throws the database's unique-constraint violation when the id is taken */
export async function insertComment(tx: Database, comment: NewComment): Promise<void> {
  await tx.insertInto('comment').values(comment).execute()
  if (comment.status === 'shown') await changeComments(tx, [comment.id], { isCounted: 1 })
}

/** Adds a comment by somebody who has no account here, with the name that it had elsewhere. */
export async function insertNamedComment(
  tx: Database,
  comment: NewComment,
  name: string,
): Promise<void> {
  const { seq } = await tx
    .insertInto('comment')
    .values(comment)
    .returning('seq')
    .executeTakeFirstOrThrow()
  await tx.insertInto('commentAuthor').values({ commentSeq: seq, name }).execute()
  await changeComments(tx, [comment.id], { isCounted: 1 })
}

/** Whether anybody with an account has commented on a post. */
export async function hasCommentOfUser(tx: Database, postId: string): Promise<boolean> {
  const comments = tx
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .select('comment.seq')
    .where('discussion.postId', '=', postId)
    .where('comment.userId', 'is not', null)
  return (await comments.limit(1).executeTakeFirst()) !== undefined
}

export async function changeComments(tx: Database, ids: string[], changes: Changes): Promise<void> {
  await tx.updateTable('comment').set(changes).where('id', 'in', ids).execute()
}

export async function deleteComment(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('comment').where('id', '=', id).execute()
}

/**
 * A comment in its state after all decisions about its writer, even before they are applied to its
 * row (`isBeingUpdated`). `postId` is null while the post is deleted.
 */
export async function findStored(db: Database, id: string) {
  const query = db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .leftJoin('user', 'user.id', 'comment.userId')
    .selectAll('comment')
    .select(['discussion.postId', 'user.isBlocked', selectPendingHidings(db).as('hidings')])
    .where('comment.id', '=', id)
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const { isBlocked, hidings, ...comment } = row
  const decided = applyHidings(comment, hidings)
  const isCounted = isBlocked === 1 ? 0 : decided.isCounted
  return { ...decided, isCounted, isBeingUpdated: decided !== comment }
}

export async function hasReplies(db: Database, { discussionSeq, id }: StoredComment) {
  const replies = db.selectFrom('comment').select('seq').where('parentId', '=', id)
  const rows = await replies.where('discussionSeq', '=', discussionSeq).limit(1).execute()
  return rows.length > 0
}

// --- comments of one user

export async function hasShownComment(db: Database, userId: string): Promise<boolean> {
  const comments = db.selectFrom('comment').select('seq').where('userId', '=', userId)
  return (await comments.where('status', '=', 'shown').limit(1).execute()).length > 0
}

type Duplicate = {
  userId: string
  digest: string
  discussionSeq: number
  since: string
  exceptId: string
}

/** Whether a user has written the same text in this discussion, or anywhere after `since`. */
export async function hasDuplicate(db: Database, duplicate: Duplicate): Promise<boolean> {
  const { userId, digest, discussionSeq, since, exceptId } = duplicate
  const ofUser = db.selectFrom('comment').select('seq').where('userId', '=', userId)
  const duplicates = ofUser
    .where('digest', '=', digest)
    .where('id', '!=', exceptId)
    .where((eb) => eb.or([eb('discussionSeq', '=', discussionSeq), eb('createdAt', '>', since)]))
  return (await duplicates.limit(1).execute()).length > 0
}

/**
 * Enables the links in all comments by a user. Few comments have disabled links: those by new
 * accounts, and those that waited for approval.
 */
export async function allowLinks(tx: Database, userId: string): Promise<void> {
  const ofUser = tx.selectFrom('comment').select('seq').where('userId', '=', userId)
  const withoutLinks = ofUser.where(sql<boolean>`${sql.ref('hasLinks')} = 0`)
  await changeInBatches(async (limit) => {
    const batch = tx.updateTable('comment').where('seq', 'in', withoutLinks.limit(limit))
    return Number((await batch.set({ hasLinks: 1 }).executeTakeFirst()).numUpdatedRows)
  })
}

export type OwnComment = StoredComment & { postId: string | null }

/** Comments by a user, oldest first. A comment on a deleted post has the post's original id. */
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

/** The columns of a deleted comment that remains because of its replies. */
export const ERASED = {
  status: 'deleted',
  content: '',
  html: '',
  digest: '',
  isCounted: 0,
} as const

/** The `seq` of the newest comments by a user. */
export async function listLastOf(tx: Database, userId: string, limit: number): Promise<number[]> {
  const ofUser = tx.selectFrom('comment').select('seq').where('userId', '=', userId)
  return (await ofUser.orderBy('seq', 'desc').limit(limit).execute()).map(({ seq }) => seq)
}

/** Deletes comments; those with replies lose their text and their writer instead. */
export async function deleteBatch(tx: Database, seqs: number[]): Promise<void> {
  const discussionSeqs = tx.selectFrom('comment').select('discussionSeq').where('seq', 'in', seqs)
  const discussions = tx.selectFrom('discussion').select('seq').where('seq', 'in', discussionSeqs)
  // Always locked in the same order.
  await withRowLock(tx, discussions.orderBy('seq')).execute()
  const replies = tx.deleteFrom('comment').where('seq', 'in', seqs)
  await replies.where('parentId', '!=', '').execute()
  const isAnswered = sql<boolean>`exists (select 1 from comment as reply
    where ${sql.ref('reply.discussionSeq')} = ${sql.ref('comment.discussionSeq')}
      and ${sql.ref('reply.parentId')} = comment.id)`
  const erased = tx.updateTable('comment').set({ ...ERASED, userId: null })
  await erased.where('seq', 'in', seqs).where(isAnswered).execute()
  const remaining = tx.deleteFrom('comment').where('seq', 'in', seqs)
  await remaining.where('userId', 'is not', null).execute()
}
