// The mails that are kept on the server because no mail server is set up (api.md §15.24): operators
// hand their links to the people they are for. Shown texts have no secrets; the link of another
// operator is for whoever has the server itself (threat-model.md §4).

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type {
  CopiedLink,
  OpenedMail,
  OutboxMails,
  OutboxMailsQuery,
  OutboxMail as ShownMail,
} from '#contract/operator.ts'
import { roleIn } from '#contract/permissions.ts'
import { recordActivity } from '../activity/activity.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { findOutboxMail, listOutboxMails, type OutboxMail, withoutSecrets } from '../mail/outbox.ts'
import type { OperatorContext } from './context.ts'
import * as store from './kept-mails-store.ts'

export async function listMails(
  context: OperatorContext,
  by: Viewer,
  { search = '', kind }: OutboxMailsQuery,
): Promise<OutboxMails> {
  requireKept(context)
  const mails = await listOutboxMails(context.dataDir)
  const part = search.trim().toLowerCase()
  const chosen = mails.filter(
    (mail) => (!kind || mail.kind === kind) && mail.to.toLowerCase().includes(part),
  )
  return { total: mails.length, list: await describe(context, by, chosen) }
}

/** How many people have mail with a link that works: they wait for an operator. */
export async function countWaitingPeople(context: OperatorContext): Promise<number> {
  const mails = await describe(context, { role: 'key' }, await listOutboxMails(context.dataDir))
  return new Set(mails.filter(({ link }) => link === 'valid').map(({ to }) => to)).size
}

/** @throws Refusal `kept_mail_not_found` */
export async function openMail(
  context: OperatorContext,
  by: Viewer,
  id: string,
): Promise<OpenedMail> {
  const mail = await readMail(context, id)
  const [shown] = await describe(context, by, [mail])
  if (!shown) throw new Refusal('kept_mail_not_found')
  return { ...shown, from: mail.from, text: withoutSecrets(mail) }
}

/** @throws Refusal `kept_mail_not_found`, `user_invalid_token`, `user_unauthorized` */
export async function copyLink(
  context: OperatorContext,
  by: Viewer,
  id: string,
): Promise<CopiedLink> {
  const { db, background, now } = context
  const mail = await readMail(context, id)
  return inTransaction(db, background, async (tx) => {
    const link = await store.findLink(tx, mail.tokenId)
    const owner = link?.userId ? await lockUser(tx, link.userId) : undefined
    // Read behind the lock: the role may have changed, or another operator may have copied it.
    const [shown] = await describe({ ...context, db: tx }, by, [mail])
    if (shown?.link !== 'valid') throw new Refusal('user_invalid_token')
    if (!shown.canCopy) throw new Refusal('user_unauthorized')
    if (owner && by.role === 'user' && owner.id !== by.userId)
      await store.markCopied(tx, mail.tokenId, {
        openedBy: by.userId,
        openedRole: roleIn(owner),
      })
    await recordActivity(tx, by, now(), {
      kind: 'people',
      action: 'linkCopied',
      subject: {
        type: link?.userId === undefined ? 'invitation' : 'person',
        id: link?.userId ?? mail.tokenId,
        name: mail.to,
      },
      details: { mail: mail.kind },
    })
    return { link: mail.link }
  })
}

/** With a mail server, or without any mail, there is no such page. */
function requireKept({ mailer }: OperatorContext): void {
  if (mailer.delivery !== 'kept') throw new Refusal('general_route_not_found')
}

async function readMail(context: OperatorContext, id: string): Promise<OutboxMail> {
  requireKept(context)
  const mail = await findOutboxMail(context.dataDir, id)
  if (!mail) throw new Refusal('kept_mail_not_found')
  return mail
}

async function describe({ db, now }: OperatorContext, by: Viewer, mails: readonly OutboxMail[]) {
  const ids = mails.filter(({ link, tokenId }) => link && tokenId).map(({ tokenId }) => tokenId)
  const links = await store.listLinks(db, ids)
  const used = await store.listUsedLinks(db, ids)
  const at = now().toISOString()
  return mails.map(({ id, kind, to, subject, at: time, tokenId, link }): ShownMail => {
    const row = links.get(tokenId)
    const isValid = row !== undefined && row.expiresAt > at
    const ended = used.has(tokenId) ? 'used' : 'expired'
    return {
      $id: id,
      kind,
      to,
      subject,
      time: time && wireTime(time),
      link: link === '' || tokenId === '' ? '' : isValid ? 'valid' : ended,
      expire: isValid ? wireTime(row.expiresAt) : '',
      canCopy: isValid && mayCopy(by, row),
    }
  })
}

/**
 * Nobody becomes another operator by a link that was mailed to them. A link that makes an operator
 * is for who has invited, and every other one for the first operator who copies it: it ends with
 * the role of that one.
 */
function mayCopy(by: Viewer, { userId, labels, role, openedBy }: store.LinkRow): boolean {
  if (by.role !== 'user' || userId === by.userId) return true
  if (labels === null) return role !== 'operator' || openedBy === by.userId
  return roleIn({ labels }) !== 'operator' && (openedBy === '' || openedBy === by.userId)
}
