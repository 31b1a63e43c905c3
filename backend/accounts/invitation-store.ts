// SQL of invitations. Rows in, rows out; knows no rule.
import type { Database, InvitationRow } from '../database/schema.ts'

/** Replaces the older one for the same address. */
export async function replaceInvitation(db: Database, invitation: InvitationRow): Promise<void> {
  const { email: _key, ...changed } = invitation
  await db
    .insertInto('invitation')
    .values(invitation)
    .onConflict((on) => on.column('email').doUpdateSet(changed))
    .execute()
}

export async function deleteExpired(db: Database, now: string): Promise<void> {
  await db.deleteFrom('invitation').where('expiresAt', '<=', now).execute()
}

type Proof = { id: string; secretHash: string; now: string }

export async function findInvitation(
  db: Database,
  { id, secretHash, now }: Proof,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('id', '=', id)
    .where('secretHash', '=', secretHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** @returns the row, to the one call that deleted it */
export async function takeInvitation(
  tx: Database,
  { id, secretHash, now }: Proof,
): Promise<InvitationRow | undefined> {
  return tx
    .deleteFrom('invitation')
    .where('id', '=', id)
    .where('secretHash', '=', secretHash)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Those that still work, oldest first. */
export async function listInvitations(db: Database, now: string): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('expiresAt', '>', now)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** @returns whether there was one */
export async function deleteInvitation(db: Database, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('invitation')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}
