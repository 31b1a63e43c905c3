// Notification mails (api.md §15.23): which of them a user wants, how they are sent, and the links
// that unsubscribe. A notification is due until its mail has been sent: a process that stops in
// between sends it again, so that a mail may come twice and none is lost.

import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import {
  MAIL_KIND_OF,
  MAIL_KINDS,
  type MailChoices,
  type MailFrequency,
  type MailKind,
  type Notification,
  type Unsubscribed,
} from '#contract/notifications.ts'
import { roleIn } from '#contract/permissions.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { hashSecret, isSameHash, makeSecret, secondsAfter } from '../process/ids.ts'
import type { NotificationsContext } from './context.ts'
import { frequencyOf, SILENCED_BY_MUTING } from './create-notifications.ts'
import { notificationMail } from './mail-texts.ts'
import { toNotifications } from './notifications.ts'
import * as store from './store.ts'

/** Notifications in one mail; older ones are only in the list of the bell. */
const NOTIFICATIONS_MAX = 50
/** People whose mails go out in one run. */
const PEOPLE_MAX = 200
/** A mail that did not go out is tried again after this, and given up after that. */
const RETRY_SECONDS = 10 * 60
const GIVEN_UP_SECONDS = 2 * 24 * 60 * 60
const WITH_WORDS: readonly string[] = ['comment', 'reply']

/** Sends what is due. @param stopping ends it behind the mails of one person */
export async function sendDueMails(
  context: NotificationsContext,
  stopping: AbortSignal,
): Promise<void> {
  for (let count = 0; count < PEOPLE_MAX && !stopping.aborted; count++)
    if (!(await sendNext(context))) return
}

/** @returns false when nobody has anything due */
async function sendNext(context: NotificationsContext): Promise<boolean> {
  const { db, background } = context
  const claimed = await inTransaction(db, background, (tx) => claim(context, tx))
  if (!claimed) return false
  const { user, rows, chosen, until } = claimed
  const wanted = await findWanted(context, claimed)
  for (const kind of MAIL_KINDS) {
    const ofKind = rows.filter((row) => kindOf(row) === kind)
    const notifications = wanted.filter((notification) => kindOf(notification) === kind)
    const isDone =
      notifications.length === 0 || (await send(context, { user, kind, chosen, notifications }))
    if (isDone) for (const row of ofKind) await store.clearMailAt(db, row, until)
  }
  return true
}

type Claimed = {
  user: UserRow
  rows: store.NotificationRow[]
  chosen: store.MailChoiceRow
  until: string
}

/** Of several processes only one has them: for the others they are not due until the retry. */
async function claim(context: NotificationsContext, tx: Database): Promise<Claimed | undefined> {
  const now = context.now().toISOString()
  const due = await store.selectNextDue(tx, now).executeTakeFirst()
  const user = due && (await lockUser(tx, due.userId))
  if (!user) return undefined
  const chosen = await store.lockMailChoice(tx, firstChoice(user.id))
  const all = await store.listDue(tx, user.id, now, NOTIFICATIONS_MAX * 10)
  const rows = all.slice(0, NOTIFICATIONS_MAX)
  const until = secondsAfter(context.now(), RETRY_SECONDS)
  await store.setMailAt(
    tx,
    rows.map(({ seq }) => seq),
    until,
  )
  await store.setMailAt(
    tx,
    all.slice(NOTIFICATIONS_MAX).map(({ seq }) => seq),
    null,
  )
  await store.updateMailChoice(tx, user.id, { mailedAt: now })
  return { user, rows, chosen, until }
}

/** Notifications that the user has not read, may read now, and wants by mail. */
async function findWanted(context: NotificationsContext, { user, rows, chosen }: Claimed) {
  const { id: userId, name, email, isBlocked } = user
  if (isBlocked || !user.isVerified) return []
  const viewer: UserViewer = {
    role: 'user',
    userId,
    name,
    email,
    isVerified: true,
    sessionId: '',
    accountRole: roleIn(user),
  }
  const muted = await store.listMuted(context.db, userId, NOTIFICATIONS_MAX * 2)
  const notifications = await toNotifications(context, viewer, rows)
  const isWanted = (notification: Notification) =>
    frequencyOf(chosen, kindOf(notification)) !== 'never' &&
    (kindOf(notification) !== 'reports' || viewer.accountRole === 'operator') &&
    !(
      SILENCED_BY_MUTING.includes(notification.kind) &&
      muted.some(({ id }) => id === notification.post?.$id)
    )
  /** A deleted one, or one that was hidden from them, has no words. */
  const isThere = ({ kind, text, count }: Notification) =>
    !WITH_WORDS.includes(kind) || text !== '' || count > 1
  return notifications.filter((one) => !one.isRead && !one.isGone && isThere(one) && isWanted(one))
}

function kindOf({ kind }: { kind: string }): MailKind {
  return MAIL_KIND_OF[kind as Notification['kind']]
}

type OneMail = {
  user: UserRow
  kind: MailKind
  chosen: store.MailChoiceRow
  notifications: Notification[]
}

/** @returns whether it needs no other attempt: it went out, or was given up */
async function send(
  context: NotificationsContext,
  { user, kind, chosen, notifications }: OneMail,
): Promise<boolean> {
  const secret = makeUnsubscribeSecret(chosen, kind)
  const site = await context.site.read()
  const problem = await context.mailer.tryOnce(
    notificationMail(site, { to: user.email, kind, notifications, secret }),
  )
  if (!problem) return true
  const { reason, isFinal } = problem
  const keptSince = context.now().getTime() - GIVEN_UP_SECONDS * 1000
  const isLost = isFinal || notifications.every(({ time }) => Date.parse(time) < keptSince)
  if (isLost) context.log.error({ event: 'mail lost', kind, reason }, 'a mail was given up')
  else context.log.warn({ event: 'mail delayed', kind, reason }, 'a mail will be tried again')
  return isLost
}

// --- choices

function firstChoice(userId: string): store.MailChoiceRow {
  return { userId, choices: '{}', secret: makeSecret(), mailedAt: '' }
}

export async function readMailChoices(
  { db, mail }: NotificationsContext,
  { userId, email, isVerified }: UserViewer,
): Promise<MailChoices> {
  const chosen = await store.findMailChoice(db, userId)
  const entries = MAIL_KINDS.map((kind) => [kind, frequencyOf(chosen, kind)])
  return {
    email,
    state: mail.kind === 'off' ? 'off' : isVerified ? 'on' : 'unverified',
    choices: Object.fromEntries(entries) as MailChoices['choices'],
  }
}

/** What is not in `sent` stays. */
export async function changeMailChoices(
  { db, background }: NotificationsContext,
  userId: string,
  sent: Partial<Record<MailKind, MailFrequency>>,
): Promise<void> {
  await inTransaction(db, background, async (tx) => {
    await lockUser(tx, userId)
    const { choices } = await store.lockMailChoice(tx, firstChoice(userId))
    const changed = JSON.stringify({ ...JSON.parse(choices), ...sent })
    await store.updateMailChoice(tx, userId, { choices: changed })
  })
}

// --- links that end a kind, of one person and kind, without a session

export function makeUnsubscribeSecret(
  { userId, secret }: Pick<store.MailChoiceRow, 'userId' | 'secret'>,
  kind: MailKind,
): string {
  return `${kind}.${hashSecret(`${kind} ${secret}`)}.${userId}`
}

/** @throws Refusal `user_invalid_token`, the same whatever is wrong */
export async function unsubscribe(
  context: NotificationsContext,
  sent: string,
): Promise<Unsubscribed> {
  const [name, hash = '', ...id] = sent.split('.')
  const kind = MAIL_KINDS.find((one) => one === name) ?? 'own'
  const userId = id.join('.')
  const chosen = isId(userId) ? await store.findMailChoice(context.db, userId) : undefined
  const right = hashSecret(`${name} ${chosen?.secret ?? makeSecret()}`)
  if (!chosen || kind !== name || !isSameHash(hash, right)) throw new Refusal('user_invalid_token')
  await changeMailChoices(context, chosen.userId, { [kind]: 'never' })
  return { kind }
}
