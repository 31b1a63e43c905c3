// How many likes a post has, in its own row (decision 0004): triggers count along with every like
// that comes or goes, also past this program and by foreign keys. Every step can be repeated, and
// the posts that are there are counted a batch at a time.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { addColumn, inBatches, type NoteProgress, runAll } from '../migration-steps.ts'
import { ASKED_OF_ROWS, SHOWN } from './0018-lists.ts'

/** A batch rewrites the rows of its liked posts, with their bodies. */
const POSTS_AT_ONCE = 2000

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  await addColumn(db, 'post', 'likes', 'bigint not null default 0')
  await runAll(db, isShared(db) ? OF_POSTGRES : OF_SQLITE)
  await inBatches(db, POSTS_AT_ONCE, (batch) => countBatch(db, batch), noteProgress)
  await runAll(db, [
    `create index if not exists "postByLikes" on post
       ((${SHOWN}), likes desc, seq, "userId", status${isShared(db) ? ASKED_OF_ROWS : ''})`,
  ])
}

const OF_SQLITE = [
  `create trigger if not exists "likeAdded" after insert on "postLike" begin
     update post set likes = likes + 1 where id = new."postId"; end`,
  `create trigger if not exists "likeGone" after delete on "postLike" begin
     update post set likes = likes - 1 where id = old."postId"; end`,
]

/** Once for each statement: a person or a post may go with any number of likes. */
const OF_POSTGRES = [
  `create or replace function "countLikes"() returns trigger language plpgsql as $$ begin
     perform 1 from post where id in (select "postId" from changed) order by seq for no key update;
     update post set likes = likes + counted.added from
       (select "postId", count(*) * (case tg_op when 'INSERT' then 1 else -1 end) as added
         from changed group by "postId") as counted
       where post.id = counted."postId";
     return null;
   end $$`,
  `create or replace trigger "likesAdded" after insert on "postLike"
     referencing new table as changed for each statement execute function "countLikes"()`,
  `create or replace trigger "likesGone" after delete on "postLike"
     referencing old table as changed for each statement execute function "countLikes"()`,
]

async function countBatch(db: Kysely<unknown>, batch: string): Promise<void> {
  const counted = '(select count(*) from "postLike" where "postId" = post.id)'
  const count = `update post set likes = ${counted} where ${batch} and likes <> ${counted}`
  if (!isShared(db)) return await runAll(db, [count])
  // Another process may add likes meanwhile: what is counted must not change until it is written.
  const lock = `select 1 from post where ${batch} order by seq for no key update`
  await db.transaction().execute((tx) => runAll(tx, [lock, count]))
}
