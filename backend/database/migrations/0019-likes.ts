// How many likes a post has, in its own row (decision 0049): triggers count along with every like
// that comes or goes, also past this program and by foreign keys. Every step can be repeated, and
// the posts that are there are counted a batch at a time.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'
import { ASKED_OF_ROWS, SHOWN } from './0018-lists.ts'

type NoteProgress = (done: number, all: number) => void

/** A batch rewrites the rows of its liked posts, with their bodies. */
const POSTS_AT_ONCE = 2000

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  const tables = await db.introspection.getTables()
  const post = tables.find(({ name }) => name === 'post')
  if (!post?.columns.some(({ name }) => name === 'likes'))
    await db.schema
      .alterTable('post')
      .addColumn('likes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  for (const statement of isShared(db) ? OF_POSTGRES : OF_SQLITE)
    await sql.raw(statement).execute(db)
  await countAll(db, noteProgress)
  await sql`create index if not exists "postByLikes" on post
    ((${sql.raw(SHOWN)}), likes desc, seq, "userId", status${sql.raw(isShared(db) ? ASKED_OF_ROWS : '')})`.execute(
    db,
  )
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

async function countAll(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  const { rows } = await sql<{ last: number | string | null }>`
    select max(seq) as last from post`.execute(db)
  const last = Number(rows[0]?.last ?? 0)
  for (let from = 0; from < last; from += POSTS_AT_ONCE) {
    await countBatch(db, from)
    noteProgress?.(Math.min(from + POSTS_AT_ONCE, last), last)
  }
}

async function countBatch(db: Kysely<unknown>, from: number): Promise<void> {
  const batch = sql`seq > ${from} and seq <= ${from + POSTS_AT_ONCE}`
  const counted = sql`(select count(*) from "postLike" where "postId" = post.id)`
  const count = sql`update post set likes = ${counted} where ${batch} and likes <> ${counted}`
  if (!isShared(db)) return void (await count.execute(db))
  // Another process may add likes meanwhile: what is counted must not change until it is written.
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from post where ${batch} order by seq for no key update`.execute(tx)
    await count.execute(tx)
  })
}
