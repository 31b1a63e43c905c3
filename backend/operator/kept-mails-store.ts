// SQL of the state of mailed links. Decides nothing.
import type { Database, TokenRow } from '../database/schema.ts'

export type LinkRow = {
  id: string
  expiresAt: string
  /** The user whom the link signs in; undefined for an invitation. */
  userId: string | undefined
  /** The labels of that user; null for an invitation. */
  labels: string | null
  /** The role that an invitation gives; empty for a token. */
  role: string
  /** The operator who made or copied the link; empty if the API key did, or nobody. */
  openedBy: string
}

/** Tokens and invitations that are not used up, by id. */
export async function listLinks(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, LinkRow>()
  const tokens = await db
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.userId')
    .select(['token.id', 'token.expiresAt', 'token.userId', 'token.openedBy', 'user.labels'])
    .where('token.id', 'in', ids)
    .execute()
  const invitations = await db
    .selectFrom('invitation')
    .select(['id', 'expiresAt', 'role', 'invitedBy as openedBy'])
    .where('id', 'in', ids)
    .execute()
  const rows: LinkRow[] = [
    ...tokens.map((token) => ({ ...token, role: '' })),
    ...invitations.map((invitation) => ({ ...invitation, userId: undefined, labels: null })),
  ]
  return new Map(rows.map((row) => [row.id, row]))
}

export async function findLink(db: Database, id: string): Promise<LinkRow | undefined> {
  return (await listLinks(db, [id])).get(id)
}

export async function listUsedLinks(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const used = db.selectFrom('usedLink').select('id').where('id', 'in', ids)
  return new Set((await used.execute()).map(({ id }) => id))
}

/** Sessions that begin with the link from now on count as opened by the operator who copied it. */
export async function markCopied(
  tx: Database,
  id: string,
  opener: Pick<TokenRow, 'openedBy' | 'openedRole'>,
): Promise<void> {
  await tx.updateTable('token').set(opener).where('id', '=', id).execute()
}
