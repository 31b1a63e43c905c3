// Posts in indexes by who sees them, so that a list is made of a few ranges of one and passes no
// others, in each order that lists of a million posts can be asked for; and tags with who sees
// their posts, which triggers keep (decision 0048). Every step can be repeated: what was cut off
// goes on with the step that it was in.
import { type Kysely, sql } from 'kysely'
import { byCodePoint, isShared } from '../dialect.ts'

type NoteProgress = (done: number, all: number) => void
type Step = () => Promise<unknown>

const TAGGED_POSTS_AT_ONCE = 5000

/** As queries have it (backend/posts/post-scope-store.ts), or no index would be found. */
export const SHOWN = shownOf('')

/** PostgreSQL reads rows unless an index holds what its own expression is made of. */
export const ASKED_OF_ROWS = ', "isHidden", readers'

function shownOf(row: string): string {
  return `case when ${row}"isHidden" = 1 then 'hidden' when ${row}status <> 'active' then 'draft' else ${row}readers end`
}

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  const steps = [...indexSteps(db), ...(await tagSteps(db))]
  for (const [at, step] of steps.entries()) {
    await step()
    noteProgress?.(at + 1, steps.length)
  }
}

function indexSteps(db: Kysely<unknown>): Step[] {
  const title = byCodePoint(db, sql.ref('title'))
  const [shown, time, changed] = [sql.raw(`(${SHOWN})`), sql.ref('createdAt'), sql.ref('updatedAt')]
  const [userId, image] = [sql.ref('userId'), sql.ref('featuredImage')]
  /** Lists of small blogs ask all else of these two, without reading a row. */
  const small = sql`id, title, ${image}, ${changed}`
  const indexes = {
    postByTime: sql`${shown}, ${time} desc, seq, ${userId}, status, ${small}`,
    postOfUserByTime: sql`${userId}, ${shown}, ${time} desc, seq, status, ${small}`,
    postInOrder: sql`${shown}, seq, ${userId}, status`,
    postOfUserInOrder: sql`${userId}, ${shown}, seq, status`,
    postByChange: sql`${shown}, ${changed} desc, seq, ${userId}, status`,
    postByTitle: sql`${shown}, ${title}, seq, ${userId}, status`,
  }
  const asked = isShared(db) ? ASKED_OF_ROWS : ''
  const create = Object.entries(indexes).map(
    ([name, columns]) =>
      () =>
        sql`create index if not exists ${sql.id(name)} on post (${columns}${sql.raw(asked)})`.execute(
          db,
        ),
  )
  const drop = ['postFeed', 'postByUser'].map(
    (name) => () => db.schema.dropIndex(name).ifExists().execute(),
  )
  // PostgreSQL knows nothing yet of how often each value of the new indexes comes.
  const count = isShared(db) ? [() => sql`analyze post`.execute(db)] : []
  return [...create, ...drop, ...count]
}

async function tagSteps(db: Kysely<unknown>): Promise<Step[]> {
  const { rows } = await sql<{ last: number | string | null }>`
    select max("postSeq") as last from "postTag"`.execute(db)
  const batches = Math.ceil(Number(rows[0]?.last ?? 0) / TAGGED_POSTS_AT_ONCE)
  return [
    () => addColumns(db),
    ...(isShared(db) ? OF_POSTGRES : OF_SQLITE).map(
      (statement) => () => sql.raw(statement).execute(db),
    ),
    ...Array.from({ length: batches }, (_, at) => () => fillTags(db, at * TAGGED_POSTS_AT_ONCE)),
    () =>
      sql`create index if not exists "postTagShown" on "postTag"
        (key, shown, "createdAt" desc, "postSeq", "userId")`.execute(db),
    () => db.schema.dropIndex('postTagByTag').ifExists().execute(),
    ...(isShared(db) ? [() => sql`analyze "postTag"`.execute(db)] : []),
  ]
}

async function addColumns(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const known = tables.find(({ name }) => name === 'postTag')?.columns.map(({ name }) => name) ?? []
  for (const column of ['shown', 'userId'])
    if (!known.includes(column))
      await db.schema
        .alterTable('postTag')
        .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
        .execute()
}

const DIFFERS = ['status', '"isHidden"', 'readers', '"userId"']
  .map((column) => `old.${column} <> new.${column}`)
  .join(' or ')
const FROM_POST = `shown = (select ${SHOWN} from post where seq = "postSeq"),
  "userId" = (select "userId" from post where seq = "postSeq")`

/** Also for an older program, which knows nothing of the new columns. */
const OF_SQLITE = [
  `create trigger if not exists "tagShown" after update of status, "isHidden", readers, "userId"
     on post when ${DIFFERS} begin
     update "postTag" set shown = ${shownOf('new.')}, "userId" = new."userId"
       where "postSeq" = new.seq; end`,
  `create trigger if not exists "tagAdded" after insert on "postTag" when new.shown = '' begin
     update "postTag" set ${FROM_POST} where "postSeq" = new."postSeq" and shown = ''; end`,
]
const OF_POSTGRES = [
  `create or replace function "noteTagShown"() returns trigger language plpgsql as $$ begin
     update "postTag" set shown = ${shownOf('new.')}, "userId" = new."userId"
       where "postSeq" = new.seq;
     return null;
   end $$`,
  `create or replace trigger "tagShown" after update of status, "isHidden", readers, "userId"
     on post for each row when (${DIFFERS}) execute function "noteTagShown"()`,
  `create or replace function "fillTagShown"() returns trigger language plpgsql as $$ begin
     select ${SHOWN}, "userId" into new.shown, new."userId" from post where seq = new."postSeq";
     return new;
   end $$`,
  `create or replace trigger "tagAdded" before insert on "postTag"
     for each row when (new.shown = '') execute function "fillTagShown"()`,
]

function fillTags(db: Kysely<unknown>, from: number): Promise<unknown> {
  return sql`update "postTag" set ${sql.raw(FROM_POST)} where shown = ''
    and "postSeq" > ${from} and "postSeq" <= ${from + TAGGED_POSTS_AT_ONCE}`.execute(db)
}
