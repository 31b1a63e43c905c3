// Who an id of a file belongs to for good, and where each file is used: which posts show it, whose
// avatar it is. What is stored already is filled in.
import { type Kysely, sql } from 'kysely'
import { inBatches, runAll } from '../migration-steps.ts'

/** Bodies may hold a million characters each. */
const POSTS_AT_ONCE = 10
const IN_BODY =
  /\/v1\/storage\/buckets\/[^/]+\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)/g
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

const TABLES = [
  `create table "fileId" ("bucketId" text not null, id text not null, "ownerId" text,
     "uploadedAt" text not null, "releasedAt" text not null,
     constraint "fileIdKey" primary key ("bucketId", id))`,
  'create index "fileIdByOwner" on "fileId" ("ownerId")',
  `create table "postFile" (
     "postId" text not null references post (id) on delete cascade,
     "fileId" text not null, place text not null check (place in ('cover', 'body')),
     constraint "postFileKey" primary key ("postId", "fileId", place))`,
  'create index "postFileByFile" on "postFile" ("fileId")',
  `create table "avatarFile" (
     "userId" text primary key references "user" (id) on delete cascade,
     "fileId" text not null)`,
  'create index "avatarFileByFile" on "avatarFile" ("fileId")',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, TABLES)
  // The day after which an unused file goes begins with the update.
  await sql`insert into "fileId" ("bucketId", id, "ownerId", "uploadedAt", "releasedAt")
    select "bucketId", id, "userId", ${new Date().toISOString()}, '' from file`.execute(db)
  await inBatches(db, POSTS_AT_ONCE, (batch) => fillPostFiles(db, batch))
  await fillAvatars(db)
}

async function fillPostFiles(db: Kysely<unknown>, batch: string): Promise<void> {
  const { rows } = await sql<{ id: string; content: string; featuredImage: string }>`
    select id, content, "featuredImage" from post where ${sql.raw(batch)}`.execute(db)
  for (const { id, content, featuredImage } of rows) {
    const inBody = new Set(Array.from(content.matchAll(IN_BODY), ([, fileId = '']) => fileId))
    const files = [['cover', featuredImage], ...Array.from(inBody, (fileId) => ['body', fileId])]
    for (const [place, fileId] of files)
      await sql`insert into "postFile" ("postId", "fileId", place)
        values (${id}, ${fileId}, ${place})`.execute(db)
  }
}

async function fillAvatars(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; prefs: string }>`
    select id, prefs from "user" where prefs like '%"avatar"%'`.execute(db)
  for (const { id, prefs } of rows) {
    const { avatar } = JSON.parse(prefs) as { avatar?: unknown }
    if (typeof avatar === 'string' && ID.test(avatar))
      await sql`insert into "avatarFile" ("userId", "fileId") values (${id}, ${avatar})`.execute(db)
  }
}
