// The index of words knows where words stand, so that the database finds phrases and beginnings by
// itself (decision 0067). `searchPost` has the folded title: null where the index does not hold the
// post as it is. Posts come into it beside other work (posts/renew-texts.ts). On PostgreSQL the
// old columns and `searchState` stay for processes of the release before that still run. Every step
// can be repeated.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { addColumn, runAll } from '../migration-steps.ts'
import { COLUMNS, NEW, NOTE_SEEN, SAME, SEEN_DIFFERS, TEXT_DIFFERS } from './0014-search.ts'

const NOTE_PENDING = `insert into "searchPost" (seq, ${COLUMNS}, "isDue") values (new.seq, ${NEW}, 1)
  on conflict (seq) do update set ${SAME}, "isDue" = 1, title = null;`
const IS_INDEXED = `old.title is null and new.title is not null and new.status = 'active'`

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'searchPost', 'title', 'text')
  await runAll(db, [
    `insert into "searchPost" (seq, ${COLUMNS}, "isDue")
       select seq, ${COLUMNS}, 1 from post where 1 = 1 on conflict (seq) do nothing`,
    'create index if not exists "searchPending" on "searchPost" (seq) where title is null',
    ...(isShared(db) ? ON_POSTGRES : ON_SQLITE),
  ])
}

const ON_SQLITE = [
  'drop table if exists "postSearchWords"',
  'drop trigger if exists "searchDelete"',
  'drop table if exists "postSearch"',
  `create virtual table if not exists "postWords" using fts5(title, body, content = '',
    contentless_delete = 1, tokenize = 'ascii', prefix = '2 3')`,
  'drop trigger if exists "searchInsert"',
  `create trigger "searchInsert" after insert on post begin ${NOTE_PENDING} end`,
  'drop trigger if exists "searchText"',
  `create trigger "searchText" after update of title, content on post
    when ${TEXT_DIFFERS} begin ${NOTE_PENDING} end`,
  `create trigger "searchDelete" after delete on post begin
    delete from "postWords" where rowid = old.seq;
    delete from "searchPost" where seq = old.seq; end`,
  'drop trigger if exists "public_searchPost_update"',
  `create trigger "public_searchPost_update" after update of title on "searchPost"
    when ${IS_INDEXED} begin update "publicVersion" set version = version + 1; end`,
]

const ON_POSTGRES = [
  'drop index if exists "searchWords"',
  'alter table "searchPost" add column if not exists lexemes tsvector',
  'alter table "searchPost" set (toast_tuple_target = 128)',
  'alter table "searchPost" alter column lexemes set storage external',
  'alter table "searchPost" alter column lexemes set statistics 400',
  'create index if not exists "searchLexemes" on "searchPost" using gin (lexemes)',
  `create or replace function "noteSearched"() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      delete from "searchPost" where seq = old.seq;
    elsif tg_op = 'INSERT' then
      ${NOTE_PENDING}
    elsif ${TEXT_DIFFERS} then
      ${NOTE_PENDING}
    elsif ${SEEN_DIFFERS} then
      ${NOTE_SEEN}
    end if;
    return null;
  end $$`,
  'drop trigger if exists "public_searchPost_update" on "searchPost"',
  `create constraint trigger "public_searchPost_update" after update of title on "searchPost"
    deferrable initially deferred for each row when (${IS_INDEXED})
    execute function "raisePublicVersion"()`,
]
