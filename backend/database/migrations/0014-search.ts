// The index of words for the search of posts (decision 0044), and which posts it does not hold yet:
// triggers take note of everything that is written, also past this program. Posts that are there
// already are put in beside other work (backend/search/fill.ts). Every step can be repeated,
// because SQLite may be stopped between two of them.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('searchPost')
    .ifNotExists()
    .addColumn('seq', isShared(db) ? 'bigint' : 'integer', (c) => c.primaryKey())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('isHidden', 'integer', (c) => c.notNull())
    .addColumn('readers', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('isDue', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('searchState')
    .ifNotExists()
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('doneFrom', 'bigint', (c) => c.notNull())
    .execute()
  await sql`create index if not exists "searchDue" on "searchPost" (seq) where "isDue" = 1`.execute(
    db,
  )
  if (isShared(db)) await upPostgres(db)
  else await upSqlite(db)
  await sql`insert into "searchState" (id, version, "doneFrom")
    select 1, '', coalesce(max(seq), 0) + 1 from post where 1 = 1 on conflict (id) do nothing`.execute(
    db,
  )
}

const SEEN = ['status', 'isHidden', 'readers', 'userId']
const COLUMNS = SEEN.map((name) => `"${name}"`).join(', ')
const NEW = SEEN.map((name) => `new."${name}"`).join(', ')
const SAME = SEEN.map((name) => `"${name}" = excluded."${name}"`).join(', ')
const NOTE_DUE = `insert into "searchPost" (seq, ${COLUMNS}, "isDue") values (new.seq, ${NEW}, 1)
  on conflict (seq) do update set ${SAME}, "isDue" = 1;`
const NOTE_SEEN = `update "searchPost" set ${SEEN.map((name) => `"${name}" = new."${name}"`).join(', ')} where seq = new.seq;`
const SEEN_DIFFERS = SEEN.map((name) => `old."${name}" <> new."${name}"`).join(' or ')
const TEXT_DIFFERS = 'old.title <> new.title or old.content <> new.content'

async function upSqlite(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create virtual table if not exists "postSearch" using fts5(words, content = '',
       contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'")`,
    'create virtual table if not exists "postSearchWords" using fts5vocab("postSearch", instance)',
    `create trigger if not exists "searchInsert" after insert on post begin ${NOTE_DUE} end`,
    `create trigger if not exists "searchText" after update of title, content on post
       when ${TEXT_DIFFERS} begin ${NOTE_DUE} end`,
    `create trigger if not exists "searchSeen" after update of ${COLUMNS} on post
       when ${SEEN_DIFFERS} begin ${NOTE_SEEN} end`,
    `create trigger if not exists "searchDelete" after delete on post begin
       delete from "postSearch" where rowid = old.seq;
       delete from "searchPost" where seq = old.seq; end`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function upPostgres(db: Kysely<unknown>): Promise<void> {
  const statements = [
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
  for (const statement of statements) await sql.raw(statement).execute(db)
}
