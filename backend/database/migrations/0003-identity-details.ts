// Identities get an id, the provider's e-mail address, and the time of their last sign-in.
import { type Kysely, sql } from 'kysely'
import { makeId } from '../../process/ids.ts'
import { addColumn, runAll, TEXT } from '../migration-steps.ts'

/**
 * An account without a password has never changed its address itself, and a confirmed one is still
 * the provider's. Others stay empty until the next sign-in tells: better no address than a wrong
 * one. The last use is the newest session that is still there, else the time of linking.
 */
const FILL = [
  `update identity set email = coalesce((select "user".email from "user"
     where "user".id = identity."userId" and "user"."passwordHash" is null
       and "user"."isVerified" = 1), '')`,
  `update identity set "lastUsedAt" = coalesce((select max(session."createdAt") from session
     where session."userId" = identity."userId" and session.provider = identity.provider
       and session."providerUid" = identity.sub), "createdAt")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['id', 'email', 'lastUsedAt']) await addColumn(db, 'identity', column, TEXT)
  const { rows } = await sql<{ provider: string; sub: string }>`
    select provider, sub from identity`.execute(db)
  for (const { provider, sub } of rows)
    await sql`update identity set id = ${makeId()}
      where provider = ${provider} and sub = ${sub}`.execute(db)
  await runAll(db, [...FILL, 'create unique index "identityById" on identity (id)'])
}
