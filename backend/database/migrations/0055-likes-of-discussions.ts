// A like belongs to the discussion of its post, as a comment does: a post that goes into the bin or
// comes back takes both along without touching one. The discussion of a post that is gone for good
// belongs to none, and its rows are deleted in batches. Discussions count their likes, so that the
// row of a post, with its text, is not rewritten for likes that nobody sees. All of it is one
// transaction: cut off, it begins again.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { columnsOf, runAll, sequenceColumn } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await columnsOf(db, 'postLike')).includes('postId')) return
  const isPostgres = isShared(db)
  await db.transaction().execute(async (tx) => {
    await runAll(tx, ['alter table discussion drop constraint "discussionOfOne"'])
    await runAll(tx, isPostgres ? DETACH_ON_POSTGRES : DETACH_ON_SQLITE)
    await runAll(tx, moveLikes(isPostgres))
    await runAll(tx, isPostgres ? COUNT_ON_POSTGRES : COUNT_ON_SQLITE)
  })
}

/** SQLite changes no foreign key: triggers come before it. */
const DETACH_ON_SQLITE = [
  `create trigger "discussionOfPostEnds" before delete on post begin
     update discussion set "postId" = null where "postId" = old.id; end`,
  `create trigger "discussionOfDeletedEnds" before delete on "deletedPost" begin
     update discussion set "deletedId" = null where "deletedId" = old.id; end`,
]

const DETACH_ON_POSTGRES = [
  ['postId', 'post'],
  ['deletedId', '"deletedPost"'],
].map(
  ([column, table]) => `alter table discussion drop constraint "discussion_${column}_fkey",
     add constraint "discussion_${column}_fkey" foreign key ("${column}")
       references ${table} (id) on delete set null`,
)

const moveLikes = (isPostgres: boolean) => [
  'alter table discussion add column likes bigint not null default 0',
  `create index "discussionOfNone" on discussion (seq)
     where "postId" is null and "deletedId" is null`,
  `insert into discussion ("postId") select distinct "postId" from "postLike" where true
     on conflict ("postId") do nothing`,
  `insert into discussion ("deletedId") select distinct "deletedId" from "deletedLike" where true
     on conflict ("deletedId") do nothing`,
  `create table "likeOfDiscussion" (${sequenceColumn(isPostgres)},
     "discussionSeq" bigint not null references discussion (seq) on delete cascade,
     "userId" text not null references "user" (id) on delete cascade,
     "createdAt" text not null)`,
  ...[
    ['postLike', 'postId', 'seq'],
    ['deletedLike', 'deletedId', 'place'],
  ].map(
    ([table, id, order]) => `
      insert into "likeOfDiscussion" ("discussionSeq", "userId", "createdAt")
        select discussion.seq, given."userId", given."createdAt" from "${table}" as given
        join discussion on discussion."${id}" = given."${id}" order by given.${order}`,
  ),
  `update discussion set likes = counted.likes from
     (select "discussionSeq", count(*) as likes from "likeOfDiscussion" group by 1) as counted
     where discussion.seq = counted."discussionSeq"`,
  'drop table "deletedLike"',
  'drop table "postLike"',
  'alter table "likeOfDiscussion" rename to "postLike"',
  'create unique index "postLikeKey" on "postLike" ("discussionSeq", "userId")',
  'create index "postLikeByAge" on "postLike" ("discussionSeq", seq, "userId")',
  'create index "postLikeByUser" on "postLike" ("userId")',
]

const countOnSqlite = (row: 'old' | 'new', change: string) => `
  update discussion set likes = likes ${change} where seq = ${row}."discussionSeq";
  update post set likes = likes ${change}
    where id = (select "postId" from discussion where seq = ${row}."discussionSeq");`

const COUNT_ON_SQLITE = [
  `create trigger "likeAdded" after insert on "postLike" begin ${countOnSqlite('new', '+ 1')} end`,
  `create trigger "likeGone" after delete on "postLike" begin ${countOnSqlite('old', '- 1')} end`,
]

/** Once for each statement. Posts and discussions are locked always in one order. */
const COUNT_ON_POSTGRES = [
  `create or replace function "countLikes"() returns trigger language plpgsql as $$ begin
     perform 1 from post where id in (select "postId" from discussion
       where seq in (select "discussionSeq" from changed)) order by seq for no key update;
     perform 1 from discussion where seq in (select "discussionSeq" from changed)
       order by seq for no key update;
     update discussion set likes = likes + counted.added from
       (select "discussionSeq", count(*) * (case tg_op when 'INSERT' then 1 else -1 end) as added
         from changed group by "discussionSeq") as counted
       where discussion.seq = counted."discussionSeq";
     update post set likes = discussion.likes from discussion
       where post.id = discussion."postId"
         and discussion.seq in (select "discussionSeq" from changed);
     return null;
   end $$`,
  `create or replace trigger "likesAdded" after insert on "postLike"
     referencing new table as changed for each statement execute function "countLikes"()`,
  `create or replace trigger "likesGone" after delete on "postLike"
     referencing old table as changed for each statement execute function "countLikes"()`,
]
