// Finds, adds, lists and removes identities: accounts at sign-in providers that are linked to
// users. Independent of any particular provider.

import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { Database, IdentityRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import { toIdentity } from './serialisers.ts'
import { type Caller, logEvent } from './session-cookies.ts'
import {
  NO_PROVIDER_TOKENS,
  publishEndedSessions,
  refuseSessionOpenedByOperator,
} from './sessions.ts'
import * as store from './store.ts'

export { findIdentityOwner, listIdentities, recordIdentityUse } from './store.ts'

const ONLY_WAY_IN = 'This is your only way in. Set a password first.'

/** @throws Refusal as {@link store.listIdentityPage} */
export async function listIdentityModels(
  { db }: BaseContext,
  scope: store.IdentityScope,
  queries: string[] | undefined,
) {
  const { total, rows } = await store.listIdentityPage(db, scope, queries)
  return { total, identities: rows.map(toIdentity) }
}

/**
 * Removes an identity of the viewer. Ends the viewer's other sessions that were started with it,
 * and removes the provider's tokens from the current one.
 *
 * @throws Refusal `user_identity_not_found`, also when it belongs to another user;
 *   `user_password_reset_required` when the viewer could not sign in without it
 * @source threat-model.md §6 "Handing over"
 */
export async function removeOwnIdentity(
  context: BaseContext,
  viewer: UserViewer,
  id: string,
  caller: Caller,
) {
  const { db, background, log } = context
  refuseSessionOpenedByOperator(viewer)
  await inTransaction(db, background, async (tx) => {
    const user = await lockUser(tx, viewer.userId)
    const identities = await store.listIdentities(tx, viewer.userId)
    const identity = identities.find((row) => row.id === id)
    if (!user || !identity) throw new Refusal('user_identity_not_found')
    if (user.passwordHash === null && identities.length === 1)
      throw new Refusal('user_password_reset_required', ONLY_WAY_IN)
    await removeRow(tx, identity, viewer.sessionId)
  })
  logEvent(log, 'identity removed', viewer.userId, caller)
}

/**
 * Removes an identity of any user, and all sessions that were started with it.
 *
 * @returns the id of its user
 * @throws Refusal `user_identity_not_found`
 */
export async function removeIdentity({ db, background }: BaseContext, id: string): Promise<string> {
  const identity = isId(id) ? await store.findIdentity(db, id) : undefined
  if (!identity) throw new Refusal('user_identity_not_found')
  await inTransaction(db, background, async (tx) => {
    await lockUser(tx, identity.userId)
    await removeRow(tx, identity, '')
  })
  return identity.userId
}

/** @param currentId the viewer's session, which continues without the provider's tokens */
async function removeRow(
  tx: Database,
  { id, userId, provider, sub }: IdentityRow,
  currentId: string,
) {
  await store.deleteIdentities(tx, { id })
  const origin = { provider, providerUid: sub }
  publishEndedSessions(
    tx,
    userId,
    await store.deleteSessions(tx, userId, { ...origin, exceptIds: [currentId] }),
  )
  await store.updateSession(tx, { userId, ...origin }, NO_PROVIDER_TOKENS)
  await store.deleteTokens(tx, { userId, providerUid: sub })
}

/** @throws the database's unique-constraint violation when the identity is already linked */
export async function addIdentity(
  tx: Database,
  identity: Pick<IdentityRow, 'provider' | 'sub' | 'userId' | 'email'>,
  now: Date,
): Promise<void> {
  const time = now.toISOString()
  const id = makeId(now.getTime())
  await store.insertIdentity(tx, { ...identity, id, createdAt: time, lastUsedAt: time })
}
