// Mails kept in the outbox because no mail server is set up (api.md §15.24): operators hand their
// links to the recipients. Texts are shown without secrets; nobody may copy the link of another
// operator, which can only be read on the server itself (threat-model.md §4).

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
  actor: Viewer,
  { search = '', kind }: OutboxMailsQuery,
): Promise<OutboxMails> {
  requireKept(context)
  const mails = await listOutboxMails(context.dataDir)
  const part = search.trim().toLowerCase()
  const matching = mails.filter(
    (mail) => (!kind || mail.kind === kind) && mail.to.toLowerCase().includes(part),
  )
  return { total: mails.length, list: await describe(context, actor, matching) }
}

/** Counts the people with a valid link in a kept mail, which an operator has to hand over. */
export async function countWaitingPeople(context: OperatorContext): Promise<number> {
  const mails = await describe(context, { role: 'key' }, await listOutboxMails(context.dataDir))
  return new Set(mails.filter(({ link }) => link === 'valid').map(({ to }) => to)).size
}

/** @throws Refusal `kept_mail_not_found` */
export async function openMail(
  context: OperatorContext,
  actor: Viewer,
  id: string,
): Promise<OpenedMail> {
  const mail = await readMail(context, id)
  const [shownMail] = await describe(context, actor, [mail])
  if (!shownMail) throw new Refusal('kept_mail_not_found')
  return { ...shownMail, from: mail.from, text: withoutSecrets(mail) }
}

/** @throws Refusal `kept_mail_not_found`, `user_invalid_token`, `user_unauthorized` */
export async function copyLink(
  context: OperatorContext,
  actor: Viewer,
  id: string,
): Promise<CopiedLink> {
  const { db, background, now } = context
  const mail = await readMail(context, id)
  return inTransaction(db, background, async (tx) => {
    const link = await store.findLink(tx, mail.tokenId)
    const owner = link?.userId ? await lockUser(tx, link.userId) : undefined
    // Read after locking: the role may have changed, or another operator may have copied the link.
    const [shownMail] = await describe({ ...context, db: tx }, actor, [mail])
    if (shownMail?.link !== 'valid') throw new Refusal('user_invalid_token')
    if (!shownMail.canCopy) throw new Refusal('user_unauthorized')
    if (owner && actor.role === 'user' && owner.id !== actor.userId)
      await store.markCopied(tx, mail.tokenId, {
        openedBy: actor.userId,
        openedRole: roleIn(owner),
      })
    await recordActivity(tx, actor, now(), {
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

/** @throws Refusal `general_route_not_found` with a mail server, or when mail is off */
function requireKept({ mailer }: OperatorContext): void {
  if (mailer.delivery !== 'kept') throw new Refusal('general_route_not_found')
}

async function readMail(context: OperatorContext, id: string): Promise<OutboxMail> {
  requireKept(context)
  const mail = await findOutboxMail(context.dataDir, id)
  if (!mail) throw new Refusal('kept_mail_not_found')
  return mail
}

async function describe({ db, now }: OperatorContext, actor: Viewer, mails: readonly OutboxMail[]) {
  const ids = mails.filter(({ link, tokenId }) => link && tokenId).map(({ tokenId }) => tokenId)
  const links = await store.listLinks(db, ids)
  const used = await store.listUsedLinks(db, ids)
  const currentTime = now().toISOString()
  return mails.map(({ id, kind, to, subject, at: time, tokenId, link }): ShownMail => {
    const row = links.get(tokenId)
    const isValid = row !== undefined && row.expiresAt > currentTime
    const endState = used.has(tokenId) ? 'used' : 'expired'
    return {
      $id: id,
      kind,
      to,
      subject,
      time: time && wireTime(time),
      link: link === '' || tokenId === '' ? '' : isValid ? 'valid' : endState,
      expire: isValid ? wireTime(row.expiresAt) : '',
      canCopy: isValid && mayCopy(actor, row),
    }
  })
}

/**
 * Nobody may copy a link that signs in another operator. The invitation of a future operator may be
 * copied only by the operator who made it, other invitations by every operator. Any other link
 * belongs to the first operator who copies it, and ends when that operator loses the role.
 */
function mayCopy(actor: Viewer, { userId, labels, role, openedBy }: store.LinkRow): boolean {
  if (actor.role !== 'user' || userId === actor.userId) return true
  if (labels === null) return role !== 'operator' || openedBy === actor.userId
  return roleIn({ labels }) !== 'operator' && (openedBy === '' || openedBy === actor.userId)
}
