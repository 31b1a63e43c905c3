// Tags of posts, and those of deleted posts.
import type { Kysely } from 'kysely'
import { codePointTextType } from '../dialect.ts'
import { addText, runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create table "postTag" ("postSeq" bigint not null references post (seq) on delete cascade,
       place integer not null, name text not null, key ${codePointTextType(db)} not null,
       "isFromText" integer not null, "createdAt" text not null,
       constraint "postTagKey" primary key ("postSeq", place))`,
  ])
  await addText(db, 'deletedPost', 'tags')
}
