// The list of the bell: reading it, marking notifications as seen or read, and muting posts. Rights
// are checked whenever the list is read. Independent of HTTP; SQL is in store.ts.

import { Refusal } from '#contract/errors.ts'
import { isId, wireTime } from '#contract/ids.ts'
import {
  MUTED_POSTS_MAX,
  type MutedPosts,
  NOTIFICATION_DAYS,
  NOTIFICATION_EXCERPT_CHARS,
  NOTIFICATION_PEOPLE,
  NOTIFICATIONS_COUNTED_MAX,
  NOTIFICATIONS_PAGE,
  type Notification,
  type NotificationCount,
  type NotificationPage,
  type NotificationsQuery,
} from '#contract/notifications.ts'
import { truncateText } from '#contract/plain-text.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { isOperator, type UserViewer } from '../http/viewer.ts'
import { can, readPublished } from '../posts/access.ts'
import { secondsBefore } from '../process/ids.ts'
import type { NotificationsContext } from './context.ts'
import { publishCountsEvent } from './create-notifications.ts'
import * as store from './store.ts'

const KINDS: Record<string, readonly string[] | undefined> = {
  comments: ['comment', 'reply'],
  likes: ['like'],
}

export async function listNotifications(
  context: NotificationsContext,
  viewer: UserViewer,
  { filter = 'all', cursor }: NotificationsQuery,
): Promise<NotificationPage> {
  const { db } = context
  const { userId } = viewer
  const query = store.selectNotifications(db, {
    userId,
    kinds: KINDS[filter],
    isUnread: filter === 'new',
    before: cursor === undefined ? undefined : Number(cursor),
    limit: NOTIFICATIONS_PAGE + 1,
  })
  const rows = await query.execute()
  const pageRows = rows.slice(0, NOTIFICATIONS_PAGE)
  const next = rows.length > NOTIFICATIONS_PAGE ? String(pageRows.at(-1)?.place ?? '') : ''
  const count = await countNotifications(context, viewer)
  return { ...count, list: await toNotifications(context, viewer, pageRows), next }
}

export function countNotifications(
  { db }: NotificationsContext,
  { userId }: UserViewer,
): Promise<NotificationCount> {
  return store.countNotifications(db, userId, NOTIFICATIONS_COUNTED_MAX)
}

/**
 * Notifications show only what the viewer may read now; others have no text, names or link. While
 * comments are off in the whole blog, no notification has a text.
 */
export async function toNotifications(
  { db, avatarBucketId, site }: NotificationsContext,
  viewer: UserViewer,
  rows: store.NotificationRow[],
): Promise<Notification[]> {
  const actorsOf = ({ actors }: store.NotificationRow): string[] => JSON.parse(actors)
  const ids = (list: string[]) => [...new Set(list.filter((id) => id !== ''))]
  const posts = await store.findPosts(db, ids(rows.map(({ postId }) => postId)))
  const isOff = (await site.read()).comments === 'off'
  const commentIds = isOff ? [] : ids(rows.map(({ commentId }) => commentId))
  const comments = await store.findComments(db, commentIds)
  // People whose accounts are deleted or blocked are left out.
  const people = await store.findPeople(db, ids(rows.flatMap(actorsOf)), avatarBucketId)
  const mayRead = (post: (typeof posts)[number]) =>
    can(viewer, 'read', post) || (isOperator(viewer) && post.status === 'active')
  return rows.map((row) => {
    const post = posts.find(({ id }) => id === row.postId)
    const isRead = post !== undefined && mayRead(post)
    const comment = isRead ? comments.find(({ id }) => id === row.commentId) : undefined
    const isInsider = isOperator(viewer) || [post?.userId, comment?.userId].includes(viewer.userId)
    const text = comment && (comment.isCounted === 1 || isInsider) ? comment.content : ''
    const actors = actorsOf(row).flatMap((id) => people.find((person) => person.id === id) ?? [])
    // As on the page of the post, few viewers see who wrote a hidden comment.
    const isHidden = comment?.isCounted === 0 && !isInsider && row.count === 1
    const isNamed = (isRead || row.postId === '') && !isHidden
    const newest = isNamed ? actors.slice(0, NOTIFICATION_PEOPLE) : []
    const total = row.kind === 'like' ? row.count : actors.length
    return {
      $id: row.id,
      kind: row.kind as Notification['kind'],
      isRead: row.isRead === 1,
      time: wireTime(row.updatedAt),
      count: row.count,
      people: { total: isNamed ? total : 0, newest },
      ...(isRead && { post: { $id: post.id, title: post.title } }),
      isGone: row.postId !== '' && !isRead,
      commentId: comment?.id ?? '',
      text: truncateText(text, NOTIFICATION_EXCERPT_CHARS),
      hiddenBy: row.hiddenBy as Notification['hiddenBy'],
      reason: row.reason,
      caseId: isOperator(viewer) ? row.caseId : '',
    }
  })
}

/**
 * Marks one notification as read or unread, or all as seen or read; every open page of the user
 * receives the new counts.
 */
export async function markRead(
  { db, background }: NotificationsContext,
  { userId }: UserViewer,
  change: { id: string; isRead: boolean } | { isRead: boolean },
): Promise<void> {
  await inTransaction(db, background, async (tx) => {
    if ('id' in change) await store.setRead(tx, userId, change.id, change.isRead)
    else await store.markAllSeen(tx, userId, change.isRead)
    await publishCountsEvent(tx, userId, `${'id' in change ? change.id : 'all'}.update`)
  })
}

/** @throws Refusal `document_not_found` for a post that the viewer may not read */
export async function mutePost(
  { db, background, now }: NotificationsContext,
  viewer: UserViewer,
  postId: string,
): Promise<void> {
  const { userId } = viewer
  if (!isId(postId)) throw new Refusal('document_not_found')
  await inTransaction(db, background, async (tx) => {
    await readPublished(tx, viewer, postId)
    if ((await store.listMuted(tx, userId, MUTED_POSTS_MAX)).length >= MUTED_POSTS_MAX)
      throw new Refusal('general_argument_invalid', `At most ${MUTED_POSTS_MAX} posts are muted`)
    await store.mute(tx, { userId, postId, createdAt: now().toISOString() })
  })
}

export async function unmutePost(
  { db }: NotificationsContext,
  { userId }: UserViewer,
  postId: string,
): Promise<void> {
  await store.unmute(db, userId, postId)
}

export async function listMuted(
  { db }: NotificationsContext,
  viewer: UserViewer,
): Promise<MutedPosts> {
  const rows = await store.listMuted(db, viewer.userId, MUTED_POSTS_MAX)
  const list = rows
    .filter((row) => can(viewer, 'read', row))
    .map(({ id: postId, title, authorName, createdAt }) => ({
      postId,
      title,
      authorName,
      $createdAt: wireTime(createdAt),
    }))
  return { total: list.length, list }
}

export async function sweepNotifications({ db, now }: NotificationsContext) {
  const before = secondsBefore(now(), NOTIFICATION_DAYS * 24 * 60 * 60)
  await store.deleteBefore(db, before)
}

/** Notifications of a person that are deleted in one transaction. */
const REMOVED_AT_ONCE = 200

/**
 * Deletes a batch of notifications of an account that is being deleted. @returns whether none are
 * left
 */
export async function removeManyNotificationsOf(tx: Database, userId: string): Promise<boolean> {
  return (await store.deleteSomeOf(tx, userId, REMOVED_AT_ONCE)) < REMOVED_AT_ONCE
}
