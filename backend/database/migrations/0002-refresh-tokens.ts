// Sessions keep what renews their provider's access token.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('session')
    .addColumn('providerRefreshToken', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}
