// The text of a post becomes the last column of its row: SQLite goes through a text to reach what
// stands behind it, so that a list of long posts cost as much as reading them. PostgreSQL keeps
// long texts elsewhere. Every step can be repeated: what was cut off goes on with the step that it
// was in.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'

type NoteProgress = (done: number, all: number) => void

const POSTS_AT_ONCE = 2000

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  if (isShared(db)) return
  const known = await columnsOfPost(db)
  if (known.at(-1) === 'content')
    return await sql
      .raw(NOTE_DUE)
      .execute(db)
      .then(() => {})
  if (known.includes('content')) {
    if (!known.includes('body'))
      await db.schema
        .alterTable('post')
        .addColumn('body', 'text', (c) => c.notNull().defaultTo(''))
        .execute()
    await copyAll(db, noteProgress)
    await sql`drop trigger if exists "searchText"`.execute(db)
    await db.schema.alterTable('post').dropColumn('content').execute()
  }
  await db.schema.alterTable('post').renameColumn('body', 'content').execute()
  await sql.raw(NOTE_DUE).execute(db)
}

/** As migration 0014 made it: SQLite drops no column that a trigger names. */
const NOTE_DUE = `create trigger if not exists "searchText" after update of title, content on post
  when old.title <> new.title or old.content <> new.content begin
    insert into "searchPost" (seq, "status", "isHidden", "readers", "userId", "isDue")
      values (new.seq, new."status", new."isHidden", new."readers", new."userId", 1)
      on conflict (seq) do update set "status" = excluded."status",
        "isHidden" = excluded."isHidden", "readers" = excluded."readers",
        "userId" = excluded."userId", "isDue" = 1; end`

async function columnsOfPost(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.find(({ name }) => name === 'post')?.columns.map(({ name }) => name) ?? []
}

async function copyAll(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from post`.execute(db)
  const last = rows[0]?.last ?? 0
  for (let from = 0; from < last; from += POSTS_AT_ONCE) {
    await sql`update post set body = content
      where seq > ${from} and seq <= ${from + POSTS_AT_ONCE}`.execute(db)
    noteProgress?.(Math.min(from + POSTS_AT_ONCE, last), last)
  }
}
