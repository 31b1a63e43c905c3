// Posts in indexes by who sees them, so that a list is made of a few ranges of one and passes no
// others, in each order that lists of a million posts can be asked for; and tags with who sees
// their posts, which triggers keep (decision 0048). Every step can be repeated: what was cut off
// goes on with the step that it was in.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { addColumn, type NoteProgress, runAll, TEXT } from '../migration-steps.ts'

/** As queries have it (backend/posts/post-parts-store.ts), or no index would be found. */
export const SHOWN = shownOf('')

/** PostgreSQL reads rows unless an index holds what its own expression is made of. */
export const ASKED_OF_ROWS = ', "isHidden", readers'

function shownOf(row: string): string {
  return `case when ${row}"isHidden" = 1 then 'hidden' when ${row}status <> 'active' then 'draft' else ${row}readers end`
}

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  for (const column of ['shown', 'userId']) await addColumn(db, 'postTag', column, TEXT)
  const statements = [...indexes(db), ...(isShared(db) ? OF_POSTGRES : OF_SQLITE), ...FILL]
  // PostgreSQL knows nothing yet of how often each value of the new indexes comes.
  if (isShared(db)) statements.push('analyze post', 'analyze "postTag"')
  for (const [at, statement] of statements.entries()) {
    await runAll(db, [statement])
    noteProgress?.(at + 1, statements.length)
  }
}

function indexes(db: Kysely<unknown>): string[] {
  /** Lists of small blogs ask all else of these two, without reading a row. */
  const small = 'id, title, "featuredImage", "updatedAt"'
  const title = isShared(db) ? '(title collate "C")' : 'title'
  const columns = {
    postByTime: `(${SHOWN}), "createdAt" desc, seq, "userId", status, ${small}`,
    postOfUserByTime: `"userId", (${SHOWN}), "createdAt" desc, seq, status, ${small}`,
    postInOrder: `(${SHOWN}), seq, "userId", status`,
    postOfUserInOrder: `"userId", (${SHOWN}), seq, status`,
    postByChange: `(${SHOWN}), "updatedAt" desc, seq, "userId", status`,
    postByTitle: `(${SHOWN}), ${title}, seq, "userId", status`,
  }
  const asked = isShared(db) ? ASKED_OF_ROWS : ''
  return [
    ...Object.entries(columns).map(
      ([name, of]) => `create index if not exists "${name}" on post (${of}${asked})`,
    ),
    'drop index if exists "postFeed"',
    'drop index if exists "postByUser"',
  ]
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

const FILL = [
  `update "postTag" set ${FROM_POST} where shown = ''`,
  `create index if not exists "postTagShown" on "postTag"
     (key, shown, "createdAt" desc, "postSeq", "userId")`,
  'drop index if exists "postTagByTag"',
]
