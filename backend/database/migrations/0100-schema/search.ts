// The index of the words of posts (decision 0067). `searchPost` repeats the columns that decide who
// sees a post; its `title` is null while the index does not hold the post as it is. Triggers write
// all of that, so that writes by other programs count, too; posts come into the index in the
// background (post-texts/regenerate-texts.ts).
import { raiseVersion } from './public-version.ts'

export const createSearch = (isPostgres: boolean): string[] => [
  `create table "searchPost" (
    seq ${isPostgres ? 'bigint' : 'integer'} primary key,
    status text not null,
    "isHidden" integer not null,
    readers text not null,
    "userId" text not null,
    "createdAt" text not null default '',
    title text
  )`,
  'create index "searchPending" on "searchPost" (seq) where title is null',
  ...(isPostgres ? WORDS_ON_POSTGRES : WORDS_ON_SQLITE),
  ...createSearchTriggers(isPostgres),
]

/** FTS5 merges eight segments of a level at a time: it writes each word again less often. */
const WORDS_ON_SQLITE = [
  `create virtual table "postWords" using fts5(title, body, content = '',
    contentless_delete = 1, tokenize = 'ascii', prefix = '2 3')`,
  `insert into "postWords" ("postWords", rank) values ('automerge', 8)`,
]

/** The words of most posts are stored beside the row, uncompressed, and found by many of them. */
const WORDS_ON_POSTGRES = [
  'alter table "searchPost" add column lexemes tsvector',
  'alter table "searchPost" set (toast_tuple_target = 128)',
  'alter table "searchPost" alter column lexemes set storage external',
  'alter table "searchPost" alter column lexemes set statistics 400',
  'create index "searchLexemes" on "searchPost" using gin (lexemes)',
]

export function createSearchTriggers(isPostgres: boolean): string[] {
  return [
    ...(isPostgres ? TRIGGERS_ON_POSTGRES : TRIGGERS_ON_SQLITE),
    raiseVersion(
      isPostgres,
      'searchPost',
      'update of title',
      "old.title is null and new.title is not null and new.status = 'active'",
    ),
  ]
}

const SAVE_AS_PENDING = `
  insert into "searchPost" (seq, status, "isHidden", readers, "userId", "createdAt")
    values (new.seq, new.status, new."isHidden", new.readers, new."userId", new."createdAt")
    on conflict (seq) do update set status = excluded.status, "isHidden" = excluded."isHidden",
      readers = excluded.readers, "userId" = excluded."userId",
      "createdAt" = excluded."createdAt", title = null;`

const COPY_COLUMNS = `
  update "searchPost" set status = new.status, "isHidden" = new."isHidden", readers = new.readers,
    "userId" = new."userId", "createdAt" = new."createdAt" where seq = new.seq;`

const TEXT_CHANGES = 'old.title <> new.title or old.content <> new.content'

const COLUMNS_CHANGE = `old.status <> new.status or old."isHidden" <> new."isHidden"
  or old.readers <> new.readers or old."userId" <> new."userId"
  or old."createdAt" <> new."createdAt"`

const TRIGGERS_ON_SQLITE = [
  `create trigger "searchInsert" after insert on post begin ${SAVE_AS_PENDING} end`,
  `create trigger "searchText" after update of title, content on post
    when ${TEXT_CHANGES} begin ${SAVE_AS_PENDING} end`,
  `create trigger "searchSeen" after update of status, "isHidden", readers, "userId", "createdAt"
    on post when ${COLUMNS_CHANGE} begin ${COPY_COLUMNS} end`,
  `create trigger "searchDelete" after delete on post begin
    delete from "postWords" where rowid = old.seq;
    delete from "searchPost" where seq = old.seq; end`,
]

const TRIGGERS_ON_POSTGRES = [
  `create function "noteSearched"() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      delete from "searchPost" where seq = old.seq;
    elsif tg_op = 'INSERT' then
      ${SAVE_AS_PENDING}
    elsif ${TEXT_CHANGES} then
      ${SAVE_AS_PENDING}
    elsif ${COLUMNS_CHANGE} then
      ${COPY_COLUMNS}
    end if;
    return null; end $$`,
  `create trigger "noteSearched" after insert or delete
    or update of title, content, status, "isHidden", readers, "userId", "createdAt"
    on post for each row execute function "noteSearched"()`,
]
