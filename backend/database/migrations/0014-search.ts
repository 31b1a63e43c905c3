// The index of words for the search of posts (decision 0067), and which posts it does not hold yet:
// triggers take note of everything that is written, also past this program. Posts that are there
// already are put in beside other work (backend/posts/renew-texts.ts).

export const statements = (isPostgres: boolean) => [
  `create table "searchPost" (seq ${isPostgres ? 'bigint' : 'integer'} primary key,
       status text not null, "isHidden" integer not null, readers text not null,
       "userId" text not null, "isDue" integer not null)`,
  `create table "searchState" (id integer primary key, version text not null,
       "doneFrom" bigint not null)`,
  'create index "searchDue" on "searchPost" (seq) where "isDue" = 1',
  ...(isPostgres ? ON_POSTGRES : ON_SQLITE),
  `insert into "searchState" (id, version, "doneFrom")
       select 1, '', coalesce(max(seq), 0) + 1 from post`,
]

export const SEEN = ['status', 'isHidden', 'readers', 'userId']
export const COLUMNS = SEEN.map((name) => `"${name}"`).join(', ')
export const NEW = SEEN.map((name) => `new."${name}"`).join(', ')
export const SAME = SEEN.map((name) => `"${name}" = excluded."${name}"`).join(', ')
const NOTE_DUE = `insert into "searchPost" (seq, ${COLUMNS}, "isDue") values (new.seq, ${NEW}, 1)
  on conflict (seq) do update set ${SAME}, "isDue" = 1;`
export const NOTE_SEEN = `update "searchPost" set ${SEEN.map((name) => `"${name}" = new."${name}"`).join(', ')} where seq = new.seq;`
export const SEEN_DIFFERS = SEEN.map((name) => `old."${name}" <> new."${name}"`).join(' or ')
export const TEXT_DIFFERS = 'old.title <> new.title or old.content <> new.content'
export const NOTE_TEXT = `create trigger if not exists "searchText"
  after update of title, content on post when ${TEXT_DIFFERS} begin ${NOTE_DUE} end`

const ON_SQLITE = [
  `create virtual table "postSearch" using fts5(words, content = '',
       contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'")`,
  'create virtual table "postSearchWords" using fts5vocab("postSearch", instance)',
  `create trigger "searchInsert" after insert on post begin ${NOTE_DUE} end`,
  NOTE_TEXT,
  `create trigger "searchSeen" after update of ${COLUMNS} on post
       when ${SEEN_DIFFERS} begin ${NOTE_SEEN} end`,
  `create trigger "searchDelete" after delete on post begin
       delete from "postSearch" where rowid = old.seq;
       delete from "searchPost" where seq = old.seq; end`,
]

const ON_POSTGRES = [
  'alter table "searchPost" add column words tsvector',
  'create index "searchWords" on "searchPost" using gin (words)',
  `create function "noteSearched"() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' then
         delete from "searchPost" where seq = old.seq;
       elsif tg_op = 'INSERT' then
         ${NOTE_DUE}
       elsif ${TEXT_DIFFERS} then
         ${NOTE_DUE}
       elsif ${SEEN_DIFFERS} then
         ${NOTE_SEEN}
       end if;
       return null;
     end $$`,
  `create trigger "noteSearched" after insert or delete or update of title, content, ${COLUMNS}
       on post for each row execute function "noteSearched"()`,
]
