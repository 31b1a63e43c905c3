// When a post was active for the first time: `publishedAt`, empty until then. The index of words
// and the tags of a post repeat its `createdAt`, which moves to that moment: triggers copy it.
// Every step can be repeated.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'
import { addColumn, inBatches, type NoteProgress, runAll, TEXT } from '../migration-steps.ts'
import { SEEN, TEXT_DIFFERS } from './0014-search.ts'
import { up as moveContentToEnd } from './0024-body-last.ts'

const POSTS_AT_ONCE = 2000

/**
 * What only a post that was active once can have: readers read, like and comment on no other. Until
 * now it kept the time at which it was begun, and readers have seen it under that time.
 */
const WAS_ACTIVE = `status = 'active'
  or exists (select 1 from "postVersion" where "postId" = post.id and kind = 'published')
  or exists (select 1 from "postLike" where "postId" = post.id)
  or exists (select 1 from "postRead" where "postId" = post.id)
  or exists (select 1 from discussion join comment on "discussionSeq" = discussion.seq
    where discussion."postId" = post.id)`
const DELETED_WAS_ACTIVE = `status = 'active'
  or exists (select 1 from "postVersion" where "deletedId" = "deletedPost".id and kind = 'published')
  or exists (select 1 from "deletedLike" where "deletedId" = "deletedPost".id)
  or exists (select 1 from "deletedRead" where "deletedId" = "deletedPost".id)
  or exists (select 1 from discussion join comment on "discussionSeq" = discussion.seq
    where discussion."deletedId" = "deletedPost".id)`

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  for (const table of ['post', 'deletedPost']) await addColumn(db, table, 'publishedAt', TEXT)
  await addColumn(db, 'searchPost', 'createdAt', TEXT)
  const publish = (batch: string) =>
    sql
      .raw(
        `update post set "publishedAt" = "createdAt"
          where ${batch} and "publishedAt" = '' and (${WAS_ACTIVE})`,
      )
      .execute(db)
  await inBatches(db, POSTS_AT_ONCE, publish, noteProgress)
  await moveContentToEnd(db, noteProgress)
  await runAll(db, [
    `update "deletedPost" set "publishedAt" = "createdAt"
      where "publishedAt" = '' and (${DELETED_WAS_ACTIVE})`,
    ...(isShared(db) ? ON_POSTGRES : ON_SQLITE),
    `update "searchPost" set "createdAt" =
        (select post."createdAt" from post where post.seq = "searchPost".seq)
      where "createdAt" = '' and seq in (select seq from post)`,
  ])
}

const COPIED = [...SEEN, 'createdAt']
const COLUMNS = COPIED.map((name) => `"${name}"`).join(', ')
const NEW = COPIED.map((name) => `new."${name}"`).join(', ')
const DIFFERS = COPIED.map((name) => `old."${name}" <> new."${name}"`).join(' or ')
const copy = (from: string) => COPIED.map((name) => `"${name}" = ${from}."${name}"`).join(', ')

const NOTE_PENDING = `insert into "searchPost" (seq, ${COLUMNS}, "isDue") values (new.seq, ${NEW}, 1)
  on conflict (seq) do update set ${copy('excluded')}, "isDue" = 1, title = null;`
const NOTE_SEEN = `update "searchPost" set ${copy('new')} where seq = new.seq;`
const COPY_TO_TAGS = `update "postTag" set "createdAt" = new."createdAt" where "postSeq" = new.seq;`
const IS_MOVED = 'old."createdAt" <> new."createdAt"'

const ON_SQLITE = [
  'drop trigger if exists "searchInsert"',
  `create trigger "searchInsert" after insert on post begin ${NOTE_PENDING} end`,
  'drop trigger if exists "searchText"',
  `create trigger "searchText" after update of title, content on post
    when ${TEXT_DIFFERS} begin ${NOTE_PENDING} end`,
  'drop trigger if exists "searchSeen"',
  `create trigger "searchSeen" after update of ${COLUMNS} on post
    when ${DIFFERS} begin ${NOTE_SEEN} end`,
  'drop trigger if exists "tagTime"',
  `create trigger "tagTime" after update of "createdAt" on post
    when ${IS_MOVED} begin ${COPY_TO_TAGS} end`,
]

const ON_POSTGRES = [
  `create or replace function "noteSearched"() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      delete from "searchPost" where seq = old.seq;
    elsif tg_op = 'INSERT' then
      ${NOTE_PENDING}
    elsif ${TEXT_DIFFERS} then
      ${NOTE_PENDING}
    elsif ${DIFFERS} then
      ${NOTE_SEEN}
    end if;
    return null;
  end $$`,
  `create or replace trigger "noteSearched"
    after insert or delete or update of title, content, ${COLUMNS}
    on post for each row execute function "noteSearched"()`,
  `create or replace function "copyTimeToTags"() returns trigger language plpgsql as $$ begin
    ${COPY_TO_TAGS} return null; end $$`,
  `create or replace trigger "tagTime" after update of "createdAt" on post
    for each row when (${IS_MOVED}) execute function "copyTimeToTags"()`,
]
