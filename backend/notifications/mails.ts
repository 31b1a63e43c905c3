// Notification mails (api.md §15.23): which of them a user wants, how they are sent, and the links
// that unsubscribe. A notification stays due until its mail has been sent: if the process stops in
// between, the mail is sent again. Mails may be sent twice, but none is lost.

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
/** A failed mail is retried every `RETRY_SECONDS`, and given up after `GIVEN_UP_SECONDS`. */
const RETRY_SECONDS = 10 * 60
const GIVEN_UP_SECONDS = 2 * 24 * 60 * 60
/** Kinds whose mails quote a comment. */
const QUOTING_KINDS: readonly string[] = ['comment', 'reply']

/** Sends the mails that are due. @param stopping ends the run after the current person */
export async function sendDueMails(
  context: NotificationsContext,
  stopping: AbortSignal,
): Promise<void> {
  for (let count = 0; count < PEOPLE_MAX && !stopping.aborted; count++)
    if (!(await sendNext(context))) return
}

/** Sends the mails of one person. @returns false when none are due */
async function sendNext(context: NotificationsContext): Promise<boolean> {
  const { db, background } = context
  const claimed = await inTransaction(db, background, (tx) => claim(context, tx))
  if (!claimed) return false
  const { user, rows, mailChoice, retryAt } = claimed
  const wantedNotifications = await findWanted(context, claimed)
  for (const kind of MAIL_KINDS) {
    const ofKind = rows.filter((row) => kindOf(row) === kind)
    const notifications = wantedNotifications.filter(
      (notification) => kindOf(notification) === kind,
    )
    const isDone =
      notifications.length === 0 || (await send(context, { user, kind, mailChoice, notifications }))
    if (isDone) for (const row of ofKind) await store.clearMailAt(db, row, retryAt)
  }
  return true
}

type ClaimedMails = {
  user: UserRow
  rows: store.NotificationRow[]
  mailChoice: store.MailChoiceRow
  retryAt: string
}

/** Postpones due notifications until the retry, so that no other process sends them meanwhile. */
async function claim(
  context: NotificationsContext,
  tx: Database,
): Promise<ClaimedMails | undefined> {
  const now = context.now().toISOString()
  const due = await store.selectNextDue(tx, now).executeTakeFirst()
  const user = due && (await lockUser(tx, due.userId))
  if (!user) return undefined
  const mailChoice = await store.lockMailChoice(tx, newMailChoice(user.id))
  const dueRows = await store.listDue(tx, user.id, now, NOTIFICATIONS_MAX * 10)
  const rows = dueRows.slice(0, NOTIFICATIONS_MAX)
  const retryAt = secondsAfter(context.now(), RETRY_SECONDS)
  await store.setMailAt(
    tx,
    rows.map(({ seq }) => seq),
    retryAt,
  )
  await store.setMailAt(
    tx,
    dueRows.slice(NOTIFICATIONS_MAX).map(({ seq }) => seq),
    null,
  )
  await store.updateMailChoice(tx, user.id, { mailedAt: now })
  return { user, rows, mailChoice, retryAt }
}

/** Notifications that the user has not read, may read now, and wants by mail. */
async function findWanted(context: NotificationsContext, { user, rows, mailChoice }: ClaimedMails) {
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
    frequencyOf(mailChoice, kindOf(notification)) !== 'never' &&
    (kindOf(notification) !== 'reports' || viewer.accountRole === 'operator') &&
    !(
      SILENCED_BY_MUTING.includes(notification.kind) &&
      muted.some(({ id }) => id === notification.post?.$id)
    )
  /** A comment that was deleted, or hidden from the user, has no text. */
  const hasContent = ({ kind, text, count }: Notification) =>
    !QUOTING_KINDS.includes(kind) || text !== '' || count > 1
  return notifications.filter(
    (notification) =>
      !notification.isRead &&
      !notification.isGone &&
      hasContent(notification) &&
      isWanted(notification),
  )
}

function kindOf({ kind }: { kind: string }): MailKind {
  return MAIL_KIND_OF[kind as Notification['kind']]
}

type MailToSend = {
  user: UserRow
  kind: MailKind
  mailChoice: store.MailChoiceRow
  notifications: Notification[]
}

/** @returns whether no other attempt is needed: the mail was sent or given up */
async function send(
  context: NotificationsContext,
  { user, kind, mailChoice, notifications }: MailToSend,
): Promise<boolean> {
  const secret = makeUnsubscribeSecret(mailChoice, kind)
  const site = await context.site.read()
  const problem = await context.mailer.tryOnce(
    notificationMail(site, { to: user.email, kind, notifications, secret }),
  )
  if (!problem) return true
  const { reason, isFinal } = problem
  const givenUpBeforeMs = context.now().getTime() - GIVEN_UP_SECONDS * 1000
  const isLost = isFinal || notifications.every(({ time }) => Date.parse(time) < givenUpBeforeMs)
  if (isLost) context.log.error({ event: 'mail lost', kind, reason }, 'a mail was given up')
  else context.log.warn({ event: 'mail delayed', kind, reason }, 'a mail will be tried again')
  return isLost
}

// --- choices

function newMailChoice(userId: string): store.MailChoiceRow {
  return { userId, choices: '{}', secret: makeSecret(), mailedAt: '' }
}

export async function readMailChoices(
  { db, mail }: NotificationsContext,
  { userId, email, isVerified }: UserViewer,
): Promise<MailChoices> {
  const mailChoice = await store.findMailChoice(db, userId)
  const entries = MAIL_KINDS.map((kind) => [kind, frequencyOf(mailChoice, kind)])
  return {
    email,
    state: mail.kind === 'off' ? 'off' : isVerified ? 'on' : 'unverified',
    choices: Object.fromEntries(entries) as MailChoices['choices'],
  }
}

/** Kinds missing in `changes` stay as they are. */
export async function changeMailChoices(
  { db, background }: NotificationsContext,
  userId: string,
  changes: Partial<Record<MailKind, MailFrequency>>,
): Promise<void> {
  await inTransaction(db, background, async (tx) => {
    await lockUser(tx, userId)
    const { choices } = await store.lockMailChoice(tx, newMailChoice(userId))
    const changedChoices = JSON.stringify({ ...JSON.parse(choices), ...changes })
    await store.updateMailChoice(tx, userId, { choices: changedChoices })
  })
}

// --- unsubscribe links, each for one person and kind of mail: no session is needed

export function makeUnsubscribeSecret(
  { userId, secret }: Pick<store.MailChoiceRow, 'userId' | 'secret'>,
  kind: MailKind,
): string {
  return `${kind}.${hashSecret(`${kind} ${secret}`)}.${userId}`
}

/** @throws Refusal `user_invalid_token`, whatever is wrong with the secret */
export async function unsubscribe(
  context: NotificationsContext,
  unsubscribeSecret: string,
): Promise<Unsubscribed> {
  const [name, hash = '', ...id] = unsubscribeSecret.split('.')
  const kind = MAIL_KINDS.find((mailKind) => mailKind === name) ?? 'own'
  const userId = id.join('.')
  const mailChoice = isId(userId) ? await store.findMailChoice(context.db, userId) : undefined
  const expectedHash = hashSecret(`${name} ${mailChoice?.secret ?? makeSecret()}`)
  if (!mailChoice || kind !== name || !isSameHash(hash, expectedHash))
    throw new Refusal('user_invalid_token')
  await changeMailChoices(context, mailChoice.userId, { [kind]: 'never' })
  return { kind }
}
