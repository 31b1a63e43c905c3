// How many calls were made under each rate limit, counted together by all processes. PostgreSQL
// keeps no log of it: after a crash it is empty.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create ${isShared(db) ? 'unlogged' : ''} table if not exists "rateCount" (id text primary key,
       "endMs" bigint not null, calls double precision not null)`,
  ])
}
