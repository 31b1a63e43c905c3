// Attributes of posts beside those of the roles, the names that posts were written with, and what
// the API key declares of the collection: in tables of their own, as most posts have none. A status
// may be any word from now on: SQLite lets go of the old check only with its column.
import { sequenceColumn } from '../migration-steps.ts'

export const statements = (isPostgres: boolean) => [
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
    (name) => `create table "${name}" (${sequenceColumn(isPostgres)}, key text not null unique,
      definition text not null, "isListed" integer not null, "createdAt" text not null,
      "updatedAt" text not null)`,
  ),
  `alter table "deletedPost" add column attributes text not null default ''`,
  `alter table "deletedPost" add column spellings text not null default ''`,
]
