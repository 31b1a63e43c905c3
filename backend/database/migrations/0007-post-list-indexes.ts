// Blocked people, who are few, are found without the others.
import type { Kysely } from 'kysely'
import { runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, ['create index "userByBlock" on "user" ("isBlocked", id)'])
}
