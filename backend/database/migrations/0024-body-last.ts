// The text of a post becomes the last column of its row: SQLite goes through a text to reach what
// stands behind it, so that a list of long posts cost as much as reading them. PostgreSQL keeps
// long texts elsewhere. Every step can be repeated: what was cut off goes on with the step that it
// was in.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'
import {
  addColumn,
  columnsOf,
  inBatches,
  type NoteProgress,
  runAll,
  TEXT,
} from '../migration-steps.ts'
import { NOTE_TEXT } from './0014-search.ts'

const POSTS_AT_ONCE = 2000

export async function up(db: Kysely<unknown>, noteProgress?: NoteProgress): Promise<void> {
  const known = await columnsOf(db, 'post')
  if (isShared(db)) return
  if (known.includes('content') && known.at(-1) !== 'content') {
    await addColumn(db, 'post', 'body', TEXT)
    const copy = (batch: string) =>
      sql.raw(`update post set body = content where ${batch}`).execute(db)
    await inBatches(db, POSTS_AT_ONCE, copy, noteProgress)
    await runAll(db, [
      'drop trigger if exists "searchText"',
      'alter table post drop column content',
    ])
  }
  if (known.at(-1) !== 'content')
    await runAll(db, ['alter table post rename column body to content'])
  // SQLite drops no column that a trigger names.
  await runAll(db, [NOTE_TEXT])
}
