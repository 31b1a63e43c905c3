// Comments and discussions in SQL, written, the same on both databases. Decides nothing. What an
// answer reads is in comment-list-store.ts.
import {
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type UpdateObject,
} from 'kysely'
import { isShared, locked } from '../database/dialect.ts'
import type { CommentTable, Database, DiscussionTable, Tables } from '../database/schema.ts'
import type { Page } from '../process/batches.ts'

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
  return await locked(tx, found).executeTakeFirstOrThrow()
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
export async function takePlace(tx: Database, seq: number, parentId: string): Promise<number> {
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

/** Its post is undefined while that is in the bin. */
export async function findStored(db: Database, id: string) {
  const found = db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
  const row = found.selectAll('comment').select('discussion.postId').where('comment.id', '=', id)
  return await row.executeTakeFirst()
}

export async function hasReplies(db: Database, { discussionSeq, id }: StoredComment) {
  const replies = db.selectFrom('comment').select('seq').where('parentId', '=', id)
  const one = await replies.where('discussionSeq', '=', discussionSeq).limit(1).execute()
  return one.length > 0
}

// --- of one person

export async function hasShown(db: Database, userId: string): Promise<boolean> {
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
export async function hasWritten(db: Database, same: Same): Promise<boolean> {
  const { userId, digest, discussionSeq, since, exceptId } = same
  const found = db.selectFrom('comment').select('seq').where('userId', '=', userId)
  const here = found
    .where('digest', '=', digest)
    .where('id', '!=', exceptId)
    .where((eb) => eb.or([eb('discussionSeq', '=', discussionSeq), eb('createdAt', '>', since)]))
  return (await here.limit(1).execute()).length > 0
}

/** The links of all that a person wrote lead somewhere from now on. */
export async function allowLinks(tx: Database, userId: string): Promise<void> {
  const without = tx.updateTable('comment').where('userId', '=', userId).where('hasLinks', '=', 0)
  await without.set({ hasLinks: 1 }).execute()
}

/** Of a person in one discussion, oldest first. */
export async function listOfPerson(tx: Database, discussionSeq: number, userId: string) {
  const theirs = tx.selectFrom('comment').selectAll().where('userId', '=', userId)
  return await theirs.where('discussionSeq', '=', discussionSeq).orderBy('seq').execute()
}

export type OwnComment = StoredComment & { postId: string | null }

/** Oldest first; those on deleted posts under the id that the post had. */
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
    .where('comment.seq', '>', after?.seq ?? 0)
    .orderBy('comment.seq')
    .limit(limit)
    .execute()
}

/** All discussions that a person has written in, always in one order. */
export async function lockDiscussionsOf(tx: Database, userId: string): Promise<void> {
  const own = tx.selectFrom('comment').select('discussionSeq').where('userId', '=', userId)
  const discussions = tx.selectFrom('discussion').select('seq').where('seq', 'in', own)
  await locked(tx, discussions.orderBy('seq')).execute()
}

type Some = { userId: string; afterSeq: number; limit: number; at: string }

/** Of a person, those that are shown or wait. @returns their numbers, at most `limit` */
export async function hideSome(tx: Database, { at, ...asked }: Some): Promise<number[]> {
  const seqs = await listSome(tx, asked, (some) => some.where('status', 'in', ['shown', 'waiting']))
  const hidden = sql<string>`case status when 'shown' then 'hidden' else 'rejected' end`
  const changes = { hiddenBy: 'operator', hiddenAt: at, updatedAt: at, isCounted: 0 }
  await changeSome(tx, seqs, { status: hidden, ...changes })
  return seqs
}

/** Of a person who is not blocked, those that an operator hid at that moment. */
export async function showSome(tx: Database, { at, ...asked }: Some): Promise<number[]> {
  const seqs = await listSome(tx, asked, (some) =>
    some.where('hiddenBy', '=', 'operator').where('hiddenAt', '=', at),
  )
  const shown = sql<string>`case status when 'hidden' then 'shown' else 'waiting' end`
  const isCounted = sql<number>`case status when 'hidden' then 1 else 0 end`
  await changeSome(tx, seqs, { status: shown, isCounted, hiddenBy: '', hiddenAt: '' })
  return seqs
}

type Select = SelectQueryBuilder<Tables, 'comment', { seq: number }>

async function listSome(
  tx: Database,
  { userId, afterSeq, limit }: Omit<Some, 'at'>,
  which: (some: Select) => Select,
): Promise<number[]> {
  const theirs = tx.selectFrom('comment').select('seq').where('userId', '=', userId)
  const some = which(theirs.where('seq', '>', afterSeq))
    .orderBy('seq')
    .limit(limit)
  return (await some.execute()).map(({ seq }) => seq)
}

async function changeSome(
  tx: Database,
  seqs: number[],
  changes: UpdateObject<Tables, 'comment'>,
): Promise<void> {
  if (seqs.length > 0)
    await tx.updateTable('comment').set(changes).where('seq', 'in', seqs).execute()
}

/** What a comment is that only stays for its replies. */
export const ERASED = { status: 'deleted', content: '', digest: '', isCounted: 0 } as const

/** Without its replies, a comment goes; with some, its words go. Discussions in one order. */
export async function deleteAllOf(tx: Database, userId: string): Promise<void> {
  await lockDiscussionsOf(tx, userId)
  const replies = tx.deleteFrom('comment').where('userId', '=', userId)
  await replies.where('parentId', '!=', '').execute()
  const answered = sql<boolean>`exists (select 1 from comment as reply
    where ${sql.ref('reply.discussionSeq')} = ${sql.ref('comment.discussionSeq')}
      and ${sql.ref('reply.parentId')} = comment.id)`
  await tx
    .updateTable('comment')
    .set({ ...ERASED, userId: null })
    .where('userId', '=', userId)
    .where(answered)
    .execute()
  await tx.deleteFrom('comment').where('userId', '=', userId).execute()
}
