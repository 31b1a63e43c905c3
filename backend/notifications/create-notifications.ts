// Creates notifications inside the transaction of the event. Nobody is notified of their own
// actions, of posts they cannot read, or of posts they have muted. Rows of several people are
// always locked in one order.

import {
  type ArchiveOutcome,
  MAIL_DEFAULTS,
  MAIL_KIND_OF,
  type MailFrequency,
  type MailKind,
  NOTIFICATIONS_COUNTED_MAX,
  type NotificationKind,
} from '#contract/notifications.ts'
import { roleIn } from '#contract/permissions.ts'
import type { DomainEvent } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { type AfterCommit, inTransaction, publishAfterCommit } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { positionAt, reasonFor } from '../moderation/open-cases.ts'
import { can } from '../posts/access.ts'
import { makeId } from '../process/ids.ts'
import type { NotificationsContext } from './context.ts'
import * as store from './store.ts'

const OPERATORS_MAX = 50
/** People that a notification names. */
const ACTORS_MAX = 20
/** The newest likes of a post that are read: the daily count stops here. */
const LIKES_MAX = 1000

/**
 * Mails with the frequency `atOnce` are delayed, to gather notifications; a user gets at most one
 * of them per interval.
 */
const MAIL_DELAY_SECONDS = 2 * 60
const MAIL_INTERVAL_SECONDS = 10 * 60
/** The hour, in UTC, at which daily mails are sent. */
const DAILY_HOUR = 6
const DAY_MS = 24 * 60 * 60 * 1000

type NewNotification = {
  userId: string
  kind: NotificationKind
  /** Events with the same kind and key join one notification. */
  key: string
  postId: string
  /** The person whom the notification names; people who hide, approve or review are not named. */
  actorId?: string | null
  commentId?: string
  caseId?: string
  hiddenBy?: string
  reason?: string
  /** Replaces the number of events. */
  count?: number
}

/** Makes a subscriber to domain events. */
export function createNotifications(context: NotificationsContext) {
  const notifyOfLikes = makeLikesNotifier(context)
  return async (tx: Database, afterCommit: AfterCommit, event: DomainEvent): Promise<void> => {
    if (event.kind === 'like') {
      afterCommit('notice of likes', () => notifyOfLikes(event.postId))
      return
    }
    if (isUnnotified(event)) return
    const notifications = await notificationsFor(context, tx, event)
    const order = ({ userId, kind }: NewNotification) => `${userId} ${kind}`
    const actorId = event.actor.role === 'user' ? event.actor.userId : ''
    for (const notification of notifications.sort((a, b) => (order(a) < order(b) ? -1 : 1)))
      if (notification.userId !== actorId) await addNotification(context, tx, notification)
  }
}

type UnnotifiedEvent = Extract<DomainEvent, { kind: 'like' | 'block' | 'prefs' | 'accountDeleted' }>
type NotifyingEvent = Exclude<DomainEvent, UnnotifiedEvent>

/** Likes create notifications after their commit; the others create none. */
function isUnnotified(event: DomainEvent): event is UnnotifiedEvent {
  return ['like', 'block', 'prefs', 'accountDeleted'].includes(event.kind)
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

async function notificationsFor(
  context: NotificationsContext,
  tx: Database,
  event: NotifyingEvent,
): Promise<NewNotification[]> {
  switch (event.kind) {
    case 'comment':
      return notificationsOfComment(context, tx, event)
    case 'post': {
      const { id: postId, authorId: userId } = event
      const notification = { userId, kind: 'postHidden', key: postId, postId } as const
      if (event.state === 'shown') {
        await retractNotification(tx, notification)
        return []
      }
      const words = event.reason?.toWellFormed().trim()
      const reason = words || (await reasonFor(tx, { postId, commentId: null }))
      return [{ ...notification, hiddenBy: 'operator', reason }]
    }
    case 'publishFailed': {
      const { id: postId, authorId: userId, problem: reason } = event
      return [{ userId, kind: 'publishFailed', key: postId, postId, reason }]
    }
    case 'archive': {
      const { runId: key, userId, posts: count } = event
      return [{ userId, kind: 'archive', key, postId: '', count, reason: archiveOutcome(event) }]
    }
    case 'joined': {
      const userId = await store.findInviter(tx, event.invitationId)
      const { userId: actorId } = event.actor
      const notification = {
        kind: 'invitationAccepted',
        key: actorId,
        postId: '',
        actorId,
      } as const
      return userId ? [{ ...notification, userId }] : []
    }
    case 'reported': {
      const { caseId, postId, commentId } = event
      const operators = await store.listOperators(tx, OPERATORS_MAX)
      const notification = { kind: 'reported', key: caseId, caseId, postId, commentId } as const
      return operators.map((userId) => ({ ...notification, userId }))
    }
    case 'reviewed': {
      const { caseId, commentId, reporterIds, postId } = event
      const notification = { kind: 'reportReviewed', key: caseId, postId, commentId } as const
      return reporterIds.map((userId) => ({ ...notification, userId }))
    }
  }
}

function archiveOutcome({
  what,
  isBlog,
  hasFailed,
}: Extract<DomainEvent, { kind: 'archive' }>): ArchiveOutcome {
  if (isBlog && hasFailed) return what === 'import' ? 'blogImportFailed' : 'blogExportFailed'
  if (isBlog) return what === 'import' ? 'blogImported' : 'blogExported'
  if (hasFailed) return what === 'import' ? 'importFailed' : 'exportFailed'
  return what === 'import' ? 'imported' : 'exported'
}

async function notificationsOfComment(
  { now }: NotificationsContext,
  tx: Database,
  event: Extract<DomainEvent, { kind: 'comment' }>,
): Promise<NewNotification[]> {
  const { id: commentId, postId, authorId, writerId, repliedToId, actor } = event
  const target = { key: commentId, postId, commentId }
  const forWriter = { ...target, userId: writerId ?? '' }
  if (event.state === 'hidden') {
    const reason = event.isByAuthor ? '' : await reasonFor(tx, { postId: null, commentId })
    const hiddenBy = event.isByAuthor ? 'author' : 'operator'
    return writerId === null ? [] : [{ ...forWriter, kind: 'commentHidden', hiddenBy, reason }]
  }
  await retractNotification(tx, { ...forWriter, kind: 'commentHidden' })
  if (event.state === 'waiting') {
    await retractNotification(tx, { ...forWriter, kind: 'commentApproved' })
    if (!event.isFirst) return []
    const operators = await store.listOperators(tx, OPERATORS_MAX)
    const key = `${postId} ${dayOf(now())}`
    const notification = { ...target, key, kind: 'approvalNeeded' } as const
    return operators.map((userId) => ({ ...notification, userId }))
  }
  if (!event.isFirst) return []
  const key = `${postId} ${dayOf(now())}`
  const isApproved = actor.role !== 'user' || actor.userId !== writerId
  const fromWriter = { ...target, key, actorId: writerId }
  const notifications: NewNotification[] =
    isApproved && writerId ? [{ ...forWriter, kind: 'commentApproved' }] : []
  const isOther = (id: string | null): id is string => id !== null && id !== writerId
  if (isOther(repliedToId))
    notifications.push({ ...fromWriter, kind: 'reply', userId: repliedToId })
  if (isOther(authorId) && authorId !== repliedToId)
    notifications.push({ ...fromWriter, kind: 'comment', userId: authorId })
  return notifications
}

function retractNotification(
  tx: Database,
  { userId, kind, key }: Pick<NewNotification, 'userId' | 'kind' | 'key'>,
) {
  return store.deleteNotification(tx, userId, `${kind} ${key}`)
}

/** Kinds of notifications that muting a post stops. */
export const SILENCED_BY_MUTING: readonly string[] = ['comment', 'reply', 'like']

async function isNotified(
  tx: Database,
  { userId, kind, postId }: NewNotification,
): Promise<boolean> {
  const user = await store.findUser(tx, userId)
  if (!user || user.isBlocked) return false
  if (!SILENCED_BY_MUTING.includes(kind)) return true
  if (await store.isMuted(tx, userId, postId)) return false
  // Only the author is notified of likes, and may always read the post.
  if (kind === 'like') return true
  const [post] = await store.findPosts(tx, [postId])
  const viewer = { role: 'user', userId, isVerified: user.isVerified === 1 } as UserViewer
  return post !== undefined && can({ ...viewer, accountRole: roleIn(user) }, 'read', post)
}

async function addNotification(
  context: NotificationsContext,
  tx: Database,
  notification: NewNotification,
) {
  if (!(await isNotified(tx, notification))) return
  const { row, times, isNew } = await lockNotification(context, tx, notification)
  const earlierActors: string[] = JSON.parse(row.actors)
  const { actorId } = notification
  const actors = actorId
    ? [actorId, ...earlierActors.filter((id) => id !== actorId)].slice(0, ACTORS_MAX)
    : earlierActors
  const { commentId = '', reason = '', hiddenBy = '', caseId = '' } = notification
  await store.updateNotification(tx, row.seq, {
    ...times,
    actors: JSON.stringify(actors),
    count: notification.count ?? row.count + 1,
    isSeen: 0,
    isRead: 0,
    commentId,
    reason,
    hiddenBy,
    caseId,
    mailAt: await mailTimeOf(context, tx, notification, row),
  })
  await publishCountsEvent(tx, notification.userId, `${row.id}.${isNew ? 'create' : 'update'}`)
}

async function lockNotification(
  { now }: NotificationsContext,
  tx: Database,
  notification: NewNotification,
) {
  const { userId, kind, key, postId } = notification
  const times = { place: positionAt(now()), updatedAt: now().toISOString() }
  const row = await store.lockNotification(tx, {
    id: makeId(now().getTime()),
    userId,
    kind,
    groupKey: `${kind} ${key}`,
    postId,
    ...times,
    commentId: '',
    caseId: '',
    actors: '[]',
    count: 0,
    hiddenBy: '',
    reason: '',
  })
  return { row, times, isNew: row.count === 0 }
}

// --- when a notification is mailed

type MailChoice = Pick<store.MailChoiceRow, 'choices'> | undefined

export function frequencyOf(mailChoice: MailChoice, kind: MailKind): MailFrequency {
  const choices = JSON.parse(mailChoice?.choices ?? '{}') as Partial<
    Record<MailKind, MailFrequency>
  >
  return choices[kind] ?? MAIL_DEFAULTS[kind]
}

/** @returns null for never; a notification that is due already keeps its time */
async function mailTimeOf(
  { mail, now }: NotificationsContext,
  tx: Database,
  { userId, kind }: NewNotification,
  { mailAt }: Pick<store.NotificationRow, 'mailAt'>,
): Promise<string | null> {
  if (mail.kind === 'off' || mailAt !== null) return mailAt
  const mailChoice = await store.findMailChoice(tx, userId)
  const frequency = frequencyOf(mailChoice, MAIL_KIND_OF[kind])
  if (frequency === 'never') return null
  const nowMs = now().getTime()
  if (frequency === 'daily') {
    const next = new Date(nowMs).setUTCHours(DAILY_HOUR, 0, 0, 0)
    return new Date(next > nowMs ? next : next + DAY_MS).toISOString()
  }
  const lastMs = Date.parse(mailChoice?.mailedAt || new Date(0).toISOString())
  const earliestMs = Math.max(
    nowMs + MAIL_DELAY_SECONDS * 1000,
    lastMs + MAIL_INTERVAL_SECONDS * 1000,
  )
  return new Date(earliestMs).toISOString()
}

/**
 * Publishes the counts of the bell to all open pages of the user.
 *
 * @param change end of the event's name, such as `ID.create`
 */
export async function publishCountsEvent(
  tx: Database,
  userId: string,
  change: string,
): Promise<void> {
  const payload = await store.countNotifications(tx, userId, NOTIFICATIONS_COUNTED_MAX)
  publishAfterCommit(tx, { kind: 'account', userId, name: `notifications.${change}`, payload })
}

// --- likes: people are notified after the transaction; one run takes all likes of a post since the
// last

function makeLikesNotifier(context: NotificationsContext) {
  const running = new Map<string, Promise<void>>()
  const likedDuringRun = new Set<string>()
  async function run(postId: string): Promise<void> {
    try {
      do {
        likedDuringRun.delete(postId)
        await inTransaction(context.db, context.background, (tx) =>
          createLikeNotifications(context, tx, postId),
        )
      } while (likedDuringRun.has(postId))
    } finally {
      running.delete(postId)
    }
  }
  return (postId: string): Promise<void> => {
    const current = running.get(postId)
    if (current !== undefined) {
      likedDuringRun.add(postId)
      return current
    }
    const task = run(postId)
    running.set(postId, task)
    return task
  }
}

/** Updates today's notification to today's likes. */
async function createLikeNotifications(
  context: NotificationsContext,
  tx: Database,
  postId: string,
): Promise<void> {
  const [post] = await store.findPosts(tx, [postId])
  if (!post) return
  const { userId } = post
  const today = dayOf(context.now())
  const notification: NewNotification = { userId, kind: 'like', key: `${postId} ${today}`, postId }
  const likers = await store.listLikers(tx, { postId, since: today, authorId: userId }, LIKES_MAX)
  if (likers.length === 0) return retractNotification(tx, notification)
  if (!(await isNotified(tx, notification))) return
  const { row, times, isNew } = await lockNotification(context, tx, notification)
  const actors = JSON.stringify(likers.slice(0, ACTORS_MAX))
  if (actors === row.actors && likers.length === row.count) return
  const hasNewLikes = likers.length > row.count
  const mailAt = hasNewLikes ? await mailTimeOf(context, tx, notification, row) : row.mailAt
  const changes = hasNewLikes ? { ...times, isSeen: 0, isRead: 0, mailAt } : {}
  await store.updateNotification(tx, row.seq, { actors, count: likers.length, ...changes })
  if (hasNewLikes) await publishCountsEvent(tx, userId, `${row.id}.${isNew ? 'create' : 'update'}`)
}
