// Notifications in SQL, the same on both databases. Decides nothing.
import { type Selectable, type SqlBool, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { changeInBatches, deleteInBatches, deleteSome } from '../database/change-in-batches.ts'
import { IS_COUNTED } from '../database/comment-hidings.ts'
import { withRowLock } from '../database/dialect.ts'
import type { MailChoiceTable, NotificationTable } from '../database/report-tables.ts'
import type { Database } from '../database/schema.ts'

export type NotificationRow = Selectable<NotificationTable>
export type MailChoiceRow = Selectable<MailChoiceTable>
export type NewRow = Omit<NotificationRow, 'seq' | 'isSeen' | 'isRead' | 'mailAt'>

/** Locks the notification that an event joins; inserts an empty one when there is none. */
export async function lockNotification(tx: Database, row: NewRow): Promise<NotificationRow> {
  const notifications = tx.selectFrom('notification').selectAll().where('userId', '=', row.userId)
  const lockedRow = withRowLock(tx, notifications.where('groupKey', '=', row.groupKey))
  const existing = await lockedRow.executeTakeFirst()
  if (existing) return existing
  const insert = tx.insertInto('notification').values(row)
  await insert.onConflict((c) => c.columns(['userId', 'groupKey']).doNothing()).execute()
  return await lockedRow.executeTakeFirstOrThrow()
}

export async function updateNotification(
  tx: Database,
  seq: number,
  changes: Partial<Omit<NotificationRow, 'seq'>>,
): Promise<void> {
  await tx.updateTable('notification').set(changes).where('seq', '=', seq).execute()
}

export async function deleteNotification(tx: Database, userId: string, groupKey: string) {
  const notifications = tx.deleteFrom('notification').where('userId', '=', userId)
  await notifications.where('groupKey', '=', groupKey).execute()
}

export async function countNotifications(db: Database, userId: string, countLimit: number) {
  const counts = await selectCounts(db, userId, countLimit).executeTakeFirstOrThrow()
  return { new: Number(counts.new), unread: Number(counts.unread) }
}

/** Not executed: for tests of plans. */
export function selectCounts(db: Database, userId: string, countLimit: number) {
  const notifications = db.selectFrom('notification').select('seq').where('userId', '=', userId)
  const count = (column: 'isSeen' | 'isRead') => {
    const firstUnread = notifications.where(sql<SqlBool>`${sql.ref(column)} = 0`).limit(countLimit)
    return db
      .selectFrom(firstUnread.as('found'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
  }
  return db.selectNoFrom([count('isSeen').as('new'), count('isRead').as('unread')])
}

type NotificationsPage = {
  userId: string
  kinds: readonly string[] | undefined
  isUnread: boolean
  before: number | undefined
  limit: number
}

/** Not executed: for tests of plans. */
export function selectNotifications(
  db: Database,
  { userId, kinds, isUnread, before, limit }: NotificationsPage,
) {
  let notifications = db.selectFrom('notification').selectAll().where('userId', '=', userId)
  if (kinds) notifications = notifications.where('kind', 'in', kinds)
  if (isUnread) notifications = notifications.where(sql<SqlBool>`${sql.ref('isRead')} = 0`)
  if (before !== undefined) notifications = notifications.where('place', '<', before)
  return notifications.orderBy('place', 'desc').limit(limit)
}

/** Further likes of a day still join a notification that was read; other events start a new one. */
const MARKED_READ = {
  isRead: 1,
  isSeen: 1,
  groupKey: sql<string | null>`case when kind = 'like' then ${sql.ref('groupKey')} else null end`,
}

export async function setRead(tx: Database, userId: string, id: string, isRead: boolean) {
  const update = tx.updateTable('notification').where('userId', '=', userId).where('id', '=', id)
  await update.set(isRead ? MARKED_READ : { isRead: 0 }).execute()
}

export async function markAllSeen(tx: Database, userId: string, isRead: boolean): Promise<void> {
  const notifications = tx.selectFrom('notification').select('seq').where('userId', '=', userId)
  const changeAll = (column: 'isRead' | 'isSeen', to: typeof MARKED_READ | { isSeen: 1 }) =>
    changeInBatches(async (limit) => {
      const batch = notifications.where(sql<SqlBool>`${sql.ref(column)} = 0`).limit(limit)
      const change = tx.updateTable('notification').set(to).where('seq', 'in', batch)
      return Number((await change.executeTakeFirst()).numUpdatedRows)
    })
  if (isRead) await changeAll('isRead', MARKED_READ)
  await changeAll('isSeen', { isSeen: 1 })
}

export async function deleteBefore(db: Database, time: string): Promise<void> {
  const where = sql`${sql.ref('updatedAt')} < ${time}`
  await deleteInBatches(db, { table: 'notification', key: 'seq', where })
}

/** Deletes some notifications of a person. @returns how many, at most `limit` */
export async function deleteSomeOf(tx: Database, userId: string, limit: number): Promise<number> {
  const where = sql`${sql.ref('userId')} = ${userId}`
  return await deleteSome(tx, { table: 'notification', key: 'seq', where }, limit)
}

// --- muted posts

export async function isMuted(db: Database, userId: string, postId: string): Promise<boolean> {
  const muted = db.selectFrom('mutedPost').select('postId').where('userId', '=', userId)
  return (await muted.where('postId', '=', postId).executeTakeFirst()) !== undefined
}

export async function mute(
  db: Database,
  row: { userId: string; postId: string; createdAt: string },
) {
  await db
    .insertInto('mutedPost')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function unmute(db: Database, userId: string, postId: string): Promise<void> {
  const muted = db.deleteFrom('mutedPost').where('userId', '=', userId)
  await muted.where('postId', '=', postId).execute()
}

export async function listMuted(db: Database, userId: string, limit: number) {
  return await db
    .selectFrom('mutedPost')
    .innerJoin('post', 'post.id', 'mutedPost.postId')
    .innerJoin('user', 'user.id', 'post.userId')
    .select(['mutedPost.createdAt', 'user.name as authorName', ...POST])
    .where('mutedPost.userId', '=', userId)
    .orderBy('mutedPost.createdAt', 'desc')
    .limit(limit)
    .execute()
}

// --- posts, comments and people that notifications are about, as they are now

const POST = [
  'post.id',
  'post.title',
  'post.status',
  'post.readers',
  'post.isHidden',
  'post.userId',
  'user.isBlocked as isAuthorBlocked',
] as const

export async function findPosts(db: Database, ids: string[]) {
  if (ids.length === 0) return []
  const posts = db.selectFrom('post').innerJoin('user', 'user.id', 'post.userId')
  return await posts.select(POST).where('post.id', 'in', ids).execute()
}

export async function findComments(db: Database, ids: string[]) {
  if (ids.length === 0) return []
  const comments = db
    .selectFrom('comment')
    .select(['id', 'userId', 'content', IS_COUNTED.as('isCounted')])
  return await comments.where('id', 'in', ids).execute()
}

export async function findPeople(db: Database, ids: string[], avatarBucketId: string) {
  if (ids.length === 0) return []
  const avatar = avatarOf(sql.ref('user.id'), { avatarBucketId, readers: ['any'] })
  const people = db.selectFrom('user').select(['id', 'name', avatar.as('avatar')])
  return await people.where('id', 'in', ids).where('isBlocked', '=', 0).execute()
}

export async function findUser(db: Database, id: string) {
  const user = db.selectFrom('user').select(['id', 'isVerified', 'isBlocked', 'labels'])
  return await user.where('id', '=', id).executeTakeFirst()
}

export async function listOperators(db: Database, limit: number): Promise<string[]> {
  const operators = db.selectFrom('user').select('id').where('isBlocked', '=', 0)
  const rows = operators.where(sql<SqlBool>`labels like '%"operator"%'`).orderBy('id').limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}

/** Found in the recorded activity; undefined when the API key or the server sent the invitation. */
export async function findInviter(db: Database, invitationId: string): Promise<string | undefined> {
  const entries = db.selectFrom('activity').select('actorId').where('subjectId', '=', invitationId)
  const invited = entries.where('action', '=', 'invited').where('actor', '=', 'person')
  return (await invited.executeTakeFirst())?.actorId
}

/** People who have liked a post since a time, newest first, without its author. */
export async function listLikers(
  db: Database,
  { postId, since, authorId }: { postId: string; since: string; authorId: string },
  limit: number,
): Promise<string[]> {
  const discussion = db.selectFrom('discussion').select('seq').where('postId', '=', postId)
  const likes = db.selectFrom('postLike').where('discussionSeq', '=', discussion)
  const newest = likes.select(['userId', 'createdAt']).orderBy('seq', 'desc').limit(limit)
  const likers = db.selectFrom(newest.as('newest')).select('userId').where('createdAt', '>=', since)
  return (await likers.where('userId', '!=', authorId).execute()).map(({ userId }) => userId)
}

// --- mails

export async function findMailChoice(db: Database, userId: string) {
  const choices = db.selectFrom('mailChoice').selectAll().where('userId', '=', userId)
  return await choices.executeTakeFirst()
}

/** Locks the user's choice. @param row inserted when there is none */
export async function lockMailChoice(tx: Database, row: MailChoiceRow): Promise<MailChoiceRow> {
  const insert = tx.insertInto('mailChoice').values(row)
  await insert.onConflict((c) => c.doNothing()).execute()
  const choice = tx.selectFrom('mailChoice').selectAll().where('userId', '=', row.userId)
  return await withRowLock(tx, choice).executeTakeFirstOrThrow()
}

export async function updateMailChoice(
  tx: Database,
  userId: string,
  changes: Partial<MailChoiceRow>,
): Promise<void> {
  await tx.updateTable('mailChoice').set(changes).where('userId', '=', userId).execute()
}

/** The user whose notifications have waited longest. Not executed: for tests of plans. */
export function selectNextDue(db: Database, now: string) {
  const due = db.selectFrom('notification').select('userId').where('mailAt', '<=', now)
  return due.orderBy('mailAt').limit(1)
}

/** A person's notifications that are due, the newest first. */
export async function listDue(db: Database, userId: string, now: string, limit: number) {
  const notifications = db.selectFrom('notification').selectAll().where('userId', '=', userId)
  return await notifications
    .where('mailAt', '<=', now)
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
}

export async function setMailAt(db: Database, seqs: number[], to: string | null): Promise<void> {
  if (seqs.length === 0) return
  await db.updateTable('notification').set({ mailAt: to }).where('seq', 'in', seqs).execute()
}

/** A notification that changed after it was claimed stays due. @param retryAt set by the claim */
export async function clearMailAt(
  db: Database,
  { seq, updatedAt }: NotificationRow,
  retryAt: string,
): Promise<void> {
  const update = db.updateTable('notification').set({ mailAt: null }).where('seq', '=', seq)
  await update.where('mailAt', '=', retryAt).where('updatedAt', '=', updatedAt).execute()
}
