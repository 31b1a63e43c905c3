// Identities get an id, the provider's e-mail address, and the time of their last sign-in.
import { type Kysely, sql } from 'kysely'
import { makeId } from '../../process/ids.ts'

/** The columns that this migration reads; later ones may change the tables. */
type Before = {
  identity: {
    id: string
    provider: string
    sub: string
    userId: string
    email: string
    lastUsedAt: string
    createdAt: string
  }
  user: { id: string; email: string; passwordHash: string | null; isVerified: number }
  session: { userId: string; provider: string; providerUid: string; createdAt: string }
}

export async function up(anyDb: Kysely<unknown>): Promise<void> {
  for (const column of ['id', 'email', 'lastUsedAt']) {
    await anyDb.schema
      .alterTable('identity')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
  const db = anyDb as Kysely<Before>
  await fillIds(db)
  await fillEmails(db)
  await fillLastUses(db)
  await anyDb.schema.createIndex('identityById').on('identity').columns(['id']).unique().execute()
}

async function fillIds(db: Kysely<Before>): Promise<void> {
  const rows = await db.selectFrom('identity').select(['provider', 'sub']).execute()
  for (const { provider, sub } of rows) {
    await db
      .updateTable('identity')
      .set({ id: makeId() })
      .where('provider', '=', provider)
      .where('sub', '=', sub)
      .execute()
  }
}

/**
 * An account without a password has never changed its address itself, and a confirmed one is still
 * the provider's. Others stay empty until the next sign-in tells: better no address than a wrong
 * one.
 */
async function fillEmails(db: Kysely<Before>): Promise<void> {
  await sql`
    update ${sql.table('identity')} set ${sql.ref('email')} = coalesce((
      select ${sql.ref('user.email')} from ${sql.table('user')}
      where ${sql.ref('user.id')} = ${sql.ref('identity.userId')}
        and ${sql.ref('user.passwordHash')} is null and ${sql.ref('user.isVerified')} = 1), '')`.execute(
    db,
  )
}

/** The newest session that is still there, else the time of linking. */
async function fillLastUses(db: Kysely<Before>): Promise<void> {
  await sql`
    update ${sql.table('identity')} set ${sql.ref('lastUsedAt')} = coalesce((
      select max(${sql.ref('session.createdAt')}) from ${sql.table('session')}
      where ${sql.ref('session.userId')} = ${sql.ref('identity.userId')}
        and ${sql.ref('session.provider')} = ${sql.ref('identity.provider')}
        and ${sql.ref('session.providerUid')} = ${sql.ref('identity.sub')}), ${sql.ref('identity.createdAt')})`.execute(
    db,
  )
}
