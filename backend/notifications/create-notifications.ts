// Creates notifications inside the transaction of the event. Nobody is notified of their own
// actions, of posts they cannot read, or of posts they have muted. Rows of several people are
// always locked in one order.

import {
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
/** Likes of a post that are looked at; of a day no more are counted. */
const LIKES_MAX = 1000

/** A mail "at once" waits so long for what comes with it, and so long after the last one. */
const GATHER_SECONDS = 2 * 60
const APART_SECONDS = 10 * 60
/** When the mails of a day go out, UTC. */
const DAILY_HOUR = 6
const DAY_MS = 24 * 60 * 60 * 1000

type NewNotification = {
  userId: string
  kind: NotificationKind
  /** With the kind: what joins it. */
  key: string
  postId: string
  /** Who is named; who hides, approves or reviews is not: the blog does. */
  actorId?: string | null
  commentId?: string
  caseId?: string
  hiddenBy?: string
  reason?: string
}

/** A subscriber of domain events. */
export function createNotifications(context: NotificationsContext) {
  const notifyOfLikes = makeLikesNotifier(context)
  return async (tx: Database, afterCommit: AfterCommit, event: DomainEvent): Promise<void> => {
    if (event.kind === 'like') {
      afterCommit('notice of likes', () => notifyOfLikes(event.postId))
      return
    }
    if (isSilent(event)) return
    const notifications = await notificationsFor(context, tx, event)
    const order = ({ userId, kind }: NewNotification) => `${userId} ${kind}`
    const byId = event.actor.role === 'user' ? event.actor.userId : ''
    for (const notification of notifications.sort((one, two) => (order(one) < order(two) ? -1 : 1)))
      if (notification.userId !== byId) await addNotification(context, tx, notification)
  }
}

type Silent = Extract<DomainEvent, { kind: 'like' | 'block' | 'prefs' }>
type Notifying = Exclude<DomainEvent, Silent>

/** Blocked people are notified of nothing. */
function isSilent(event: DomainEvent): event is Silent {
  return ['like', 'block', 'prefs'].includes(event.kind)
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

async function notificationsFor(
  context: NotificationsContext,
  tx: Database,
  event: Notifying,
): Promise<NewNotification[]> {
  switch (event.kind) {
    case 'comment':
      return notificationsOfComment(context, tx, event)
    case 'post': {
      const { id: postId, authorId: userId } = event
      const notification = { userId, kind: 'postHidden', key: postId, postId } as const
      if (event.state === 'shown') {
        await takeBack(tx, notification)
        return []
      }
      const words = event.reason?.toWellFormed().trim()
      const reason = words || (await reasonFor(tx, { postId, commentId: null }))
      return [{ ...notification, hiddenBy: 'operator', reason }]
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

async function notificationsOfComment(
  { now }: NotificationsContext,
  tx: Database,
  event: Extract<DomainEvent, { kind: 'comment' }>,
): Promise<NewNotification[]> {
  const { id: commentId, postId, authorId, writerId, repliedToId, actor } = event
  const of = { key: commentId, postId, commentId }
  const own = { ...of, userId: writerId ?? '' }
  if (event.state === 'hidden') {
    const reason = event.isByAuthor ? '' : await reasonFor(tx, { postId: null, commentId })
    const hiddenBy = event.isByAuthor ? 'author' : 'operator'
    return writerId === null ? [] : [{ ...own, kind: 'commentHidden', hiddenBy, reason }]
  }
  await takeBack(tx, { ...own, kind: 'commentHidden' })
  if (event.state === 'waiting') {
    await takeBack(tx, { ...own, kind: 'commentApproved' })
    if (!event.isFirst) return []
    const operators = await store.listOperators(tx, OPERATORS_MAX)
    const key = `${postId} ${dayOf(now())}`
    const notification = { ...of, key, kind: 'approvalNeeded' } as const
    return operators.map((userId) => ({ ...notification, userId }))
  }
  if (!event.isFirst) return []
  const key = `${postId} ${dayOf(now())}`
  const isApproved = actor.role !== 'user' || actor.userId !== writerId
  const named = { ...of, key, actorId: writerId }
  const notifications: NewNotification[] =
    isApproved && writerId ? [{ ...own, kind: 'commentApproved' }] : []
  const isNotified = (id: string | null): id is string => id !== null && id !== writerId
  if (isNotified(repliedToId)) notifications.push({ ...named, kind: 'reply', userId: repliedToId })
  if (isNotified(authorId) && authorId !== repliedToId)
    notifications.push({ ...named, kind: 'comment', userId: authorId })
  return notifications
}

function takeBack(
  tx: Database,
  { userId, kind, key }: Pick<NewNotification, 'userId' | 'kind' | 'key'>,
) {
  return store.deleteNotification(tx, userId, `${kind} ${key}`)
}

export const SILENCED_BY_MUTING: readonly string[] = ['comment', 'reply', 'like']

async function isNotified(
  tx: Database,
  { userId, kind, postId }: NewNotification,
): Promise<boolean> {
  const user = await store.findUser(tx, userId)
  if (!user || user.isBlocked) return false
  if (!SILENCED_BY_MUTING.includes(kind)) return true
  if (await store.isMuted(tx, userId, postId)) return false
  // Told of one's own post alone.
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
  const { found, at, isNew } = await lockNotification(context, tx, notification)
  const known: string[] = JSON.parse(found.actors)
  const { actorId } = notification
  const actors = actorId
    ? [actorId, ...known.filter((id) => id !== actorId)].slice(0, ACTORS_MAX)
    : known
  const { commentId = '', reason = '', hiddenBy = '', caseId = '' } = notification
  await store.updateNotification(tx, found.seq, {
    ...at,
    actors: JSON.stringify(actors),
    count: found.count + 1,
    isSeen: 0,
    isRead: 0,
    commentId,
    reason,
    hiddenBy,
    caseId,
    mailAt: await mailTimeOf(context, tx, notification, found),
  })
  await publishCountsEvent(tx, notification.userId, `${found.id}.${isNew ? 'create' : 'update'}`)
}

async function lockNotification(
  { now }: NotificationsContext,
  tx: Database,
  notification: NewNotification,
) {
  const { userId, kind, key, postId } = notification
  const at = { place: positionAt(now()), updatedAt: now().toISOString() }
  const found = await store.lockNotification(tx, {
    id: makeId(now().getTime()),
    userId,
    kind,
    groupKey: `${kind} ${key}`,
    postId,
    ...at,
    commentId: '',
    caseId: '',
    actors: '[]',
    count: 0,
    hiddenBy: '',
    reason: '',
  })
  return { found, at, isNew: found.count === 0 }
}

// --- when a notification is mailed

type Chosen = Pick<store.MailChoiceRow, 'choices'> | undefined

export function frequencyOf(chosen: Chosen, kind: MailKind): MailFrequency {
  const choices = JSON.parse(chosen?.choices ?? '{}') as Partial<Record<MailKind, MailFrequency>>
  return choices[kind] ?? MAIL_DEFAULTS[kind]
}

/** Null for never. What waits already does not wait longer for more that joins it. */
async function mailTimeOf(
  { mail, now }: NotificationsContext,
  tx: Database,
  { userId, kind }: NewNotification,
  { mailAt }: Pick<store.NotificationRow, 'mailAt'>,
): Promise<string | null> {
  if (mail.kind === 'off' || mailAt !== null) return mailAt
  const chosen = await store.findMailChoice(tx, userId)
  const frequency = frequencyOf(chosen, MAIL_KIND_OF[kind])
  if (frequency === 'never') return null
  const nowMs = now().getTime()
  if (frequency === 'daily') {
    const next = new Date(nowMs).setUTCHours(DAILY_HOUR, 0, 0, 0)
    return new Date(next > nowMs ? next : next + DAY_MS).toISOString()
  }
  const lastMs = Date.parse(chosen?.mailedAt || new Date(0).toISOString())
  const soonest = Math.max(nowMs + GATHER_SECONDS * 1000, lastMs + APART_SECONDS * 1000)
  return new Date(soonest).toISOString()
}

/** Publishes the counts of the bell to all open pages of the user. */
export async function publishCountsEvent(
  tx: Database,
  userId: string,
  what: string,
): Promise<void> {
  const payload = await store.countNotifications(tx, userId, NOTIFICATIONS_COUNTED_MAX)
  publishAfterCommit(tx, { kind: 'account', userId, name: `notifications.${what}`, payload })
}

// --- likes, after the transaction of the like: one turn for all of a post that came meanwhile

function makeLikesNotifier(context: NotificationsContext) {
  const running = new Map<string, Promise<void>>()
  const again = new Set<string>()
  async function run(postId: string): Promise<void> {
    try {
      do {
        again.delete(postId)
        await inTransaction(context.db, context.background, (tx) =>
          createLikeNotifications(context, tx, postId),
        )
      } while (again.has(postId))
    } finally {
      running.delete(postId)
    }
  }
  return (postId: string): Promise<void> => {
    const known = running.get(postId)
    if (known !== undefined) {
      again.add(postId)
      return known
    }
    const task = run(postId)
    running.set(postId, task)
    return task
  }
}

/** The notification of this day becomes what the likes of this day are. */
async function createLikeNotifications(
  context: NotificationsContext,
  tx: Database,
  postId: string,
): Promise<void> {
  const [post] = await store.findPosts(tx, [postId])
  if (!post) return
  const { userId } = post
  const since = dayOf(context.now())
  const notification: NewNotification = { userId, kind: 'like', key: `${postId} ${since}`, postId }
  const likers = await store.listLikers(tx, { postId, since, authorId: userId }, LIKES_MAX)
  if (likers.length === 0) return takeBack(tx, notification)
  if (!(await isNotified(tx, notification))) return
  const { found, at, isNew } = await lockNotification(context, tx, notification)
  const actors = JSON.stringify(likers.slice(0, ACTORS_MAX))
  if (actors === found.actors && likers.length === found.count) return
  const isMore = likers.length > found.count
  const mailAt = isMore ? await mailTimeOf(context, tx, notification, found) : found.mailAt
  const news = isMore ? { ...at, isSeen: 0, isRead: 0, mailAt } : {}
  await store.updateNotification(tx, found.seq, { actors, count: likers.length, ...news })
  if (isMore) await publishCountsEvent(tx, userId, `${found.id}.${isNew ? 'create' : 'update'}`)
}
