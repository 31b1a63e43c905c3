// Attributes of posts beside those of the roles, the names that posts were written with, and what
// the API key declares of the collection: in tables of their own, as most posts have none. A status
// may be any word from now on: SQLite lets go of the old check only with its column.
import type { Kysely } from 'kysely'
import { sequenceColumn } from '../dialect.ts'
import { addText, runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    'drop index if exists "postFeed"',
    'drop index if exists "postByUser"',
    `alter table post add column "anyStatus" text not null default 'inactive'`,
    'update post set "anyStatus" = status',
    'alter table post drop column status',
    'alter table post rename column "anyStatus" to status',
    `create table "postExtra" (
       "postId" text primary key references post (id) on delete cascade,
       attributes text not null, spellings text not null)`,
    ...['declaredAttribute', 'declaredIndex'].map(
      (name) => `create table "${name}" (${sequenceColumn(db)}, key text not null unique,
        definition text not null, "isListed" integer not null, "createdAt" text not null,
        "updatedAt" text not null)`,
    ),
  ])
  for (const column of ['attributes', 'spellings']) await addText(db, 'deletedPost', column)
}
