// Posts that the operator hides, and invitations.
import type { Kysely } from 'kysely'
import { runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    'alter table post add column "isHidden" integer not null default 0',
    `create table invitation (id text primary key, email text not null unique,
       name text not null, "secretHash" text not null unique, "isMailed" integer not null,
       "createdAt" text not null, "expiresAt" text not null)`,
  ])
}
