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

export async function findInvitation(
  db: Database,
  { id, secretHash, now }: { id: string; secretHash: string; now: string },
): Promise<InvitationRow | undefined> {
  const found = db.selectFrom('invitation').selectAll().where('expiresAt', '>', now)
  return found.where((where) => where.and({ id, secretHash })).executeTakeFirst()
}

/** Those that still work, oldest first. */
export async function listInvitations(db: Database, now: string): Promise<InvitationRow[]> {
  const working = db.selectFrom('invitation').selectAll().where('expiresAt', '>', now)
  return working.orderBy('createdAt').orderBy('id').execute()
}

/** @returns whether this call was the one that deleted it */
export async function deleteInvitation(db: Database, id: string): Promise<boolean> {
  const deletion = db.deleteFrom('invitation').where('id', '=', id).returning('id')
  return (await deletion.executeTakeFirst()) !== undefined
}
