// Invitations: an operator allows an address to sign up, even while registration is closed. A link
// with a secret is mailed to the address or, without a mail server, returned to the operator.

import type { Invitation, InvitationProof, NewInvitation } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId, wireTime } from '#contract/ids.ts'
import { recordActivity } from '../activity/activity.ts'
import type { InvitationRow } from '../database/operator-tables.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { isOperator, type Viewer } from '../http/viewer.ts'
import { parseEmail } from '../mail/addresses.ts'
import { hashSecret, makeId, makeSecret, secondsAfter } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import type { AccountsContext } from './context.ts'
import { invitationMail } from './mails.ts'
import * as store from './store.ts'
import { recordUsedLink } from './used-links.ts'
import { findUserByEmail, parseName } from './users.ts'

/** The secrets in mailed links have 256 hex characters (api.md §2.3). */
export const MAIL_SECRET_BYTES = 128
/** How long an invitation is valid. */
const INVITATION_SECONDS = 7 * 24 * 60 * 60

/** The page that the link opens. */
const PATH = '/invitation'

/**
 * Invites an address. An earlier invitation for the same address is replaced.
 *
 * @returns `url` is empty if the link was mailed: using a mailed link proves the address, so only
 *   the recipient may know the secret
 * @throws Refusal `general_argument_invalid`, `user_already_exists`
 */
export async function invite(
  context: BaseContext & AccountsContext,
  actor: Viewer,
  invitation: NewInvitation,
): Promise<Invitation> {
  const { db, background, log, mailer, publicUrl } = context
  const email = parseEmail(invitation.email)
  const { role = '' } = invitation
  const inviter = isOperator(actor) && 'name' in actor ? actor.name : ''
  const name = parseName(invitation.name ?? inviter).trim()
  const at = context.now()
  const secret = makeSecret(MAIL_SECRET_BYTES)
  const row: InvitationRow = {
    id: makeId(at.getTime()),
    email,
    name,
    secretHash: hashSecret(secret),
    isMailed: Number(mailer.delivery === 'sent'),
    createdAt: at.toISOString(),
    expiresAt: secondsAfter(at, INVITATION_SECONDS),
    role,
    invitedBy: actor.role === 'user' ? actor.userId : '',
  }
  const site = await context.site.read()
  const url = `${publicUrl}${PATH}?userId=${row.id}&secret=${secret}`
  await inTransaction(db, background, async (tx, afterCommit) => {
    if (await findUserByEmail(tx, email)) throw new Refusal('user_already_exists')
    await store.deleteExpiredInvitations(tx, at.toISOString())
    await store.replaceInvitation(tx, row)
    await recordActivity(tx, actor, at, {
      kind: 'people',
      action: 'invited',
      details: { role },
      subject: { type: 'invitation', id: row.id, name: email },
    })
    if (mailer.delivery === 'off') return
    const { id: tokenId, expiresAt } = row
    const mail = invitationMail(site, { to: email, url, tokenId, name, expiresAt })
    afterCommit('invitation mail', () => mailer.send(mail))
  })
  log.info({ event: 'invitation made', invitationId: row.id }, 'invitation made by the operator')
  return { ...toInvitation(row), url: row.isMailed ? '' : url }
}

/** Valid invitations, oldest first. */
export async function listInvitations({ db, now }: BaseContext) {
  const rows = await store.listInvitations(db, now().toISOString())
  return { total: rows.length, invitations: rows.map(toInvitation) }
}

/** @throws Refusal `invitation_not_found` */
export async function revokeInvitation(
  context: BaseContext,
  actor: Viewer,
  id: string,
): Promise<void> {
  const { db, background, log, now } = context
  await inTransaction(db, background, async (tx) => {
    const deleted = isId(id) ? await store.deleteInvitation(tx, id) : undefined
    if (!deleted) throw new Refusal('invitation_not_found')
    const subject = { type: 'invitation', id, name: deleted.email } as const
    await recordActivity(tx, actor, now(), { kind: 'people', action: 'uninvited', subject })
  })
  log.info({ event: 'invitation revoked', invitationId: id }, 'invitation revoked by the operator')
}

/**
 * The details of an invitation, for the holder of its link. The invitation stays usable.
 * @throws Refusal `user_invalid_token`, whatever is wrong
 */
export async function readInvitation({ db, now }: BaseContext, proof: InvitationProof) {
  const row = await findInvitation(db, proof, now())
  return { email: row.email, name: row.name, expire: wireTime(row.expiresAt) }
}

/** @throws Refusal `user_invalid_token` */
export async function findInvitation(db: Database, { userId, secret }: InvitationProof, now: Date) {
  const key = { id: userId, secretHash: hashSecret(secret), now: now.toISOString() }
  // An invalid id may contain NUL, which PostgreSQL rejects.
  const row = isId(userId) ? await store.findInvitation(db, key) : undefined
  if (!row) throw new Refusal('user_invalid_token')
  return row
}

/**
 * Uses up an invitation by deleting it: of two concurrent calls only one succeeds.
 * @throws Refusal `user_invalid_token`
 */
export async function redeemInvitation(tx: Database, proof: InvitationProof, now: Date) {
  const row = await findInvitation(tx, proof, now)
  if (!(await store.deleteInvitation(tx, row.id))) throw new Refusal('user_invalid_token')
  await recordUsedLink(tx, row.id, now)
  return row
}

/** Deletes expired invitations, so that the invited addresses are not stored any longer. */
export async function sweepInvitations({ db, now }: BaseContext): Promise<void> {
  await store.deleteExpiredInvitations(db, now().toISOString())
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    email: row.email,
    name: row.name,
    expire: wireTime(row.expiresAt),
    mailed: row.isMailed === 1,
    url: '',
    role: row.role as Invitation['role'],
  }
}
