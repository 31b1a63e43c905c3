// The line of people about themselves, which readers see, in a column of its own: only that raises
// the public version, not the rest of the prefs, which is private.
import { type Kysely, sql } from 'kysely'
import { readAboutAuthor } from '#contract/authors.ts'
import { isShared } from '../dialect.ts'
import { addColumn, runAll, TEXT } from '../migration-steps.ts'
import { raise, triggersOf } from './0025-public-version.ts'

const BATCH = 1000
const SHOWN_COLUMNS = ['name', 'about', 'isBlocked']

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'user', 'about', TEXT)
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; prefs: string }>`
      select id, prefs from "user" where id > ${after} and prefs like '%"about"%'
      order by id limit ${BATCH}`.execute(db)
    for (const { id, prefs } of rows) {
      const { about } = JSON.parse(prefs) as { about?: unknown }
      const line = typeof about === 'string' ? readAboutAuthor(about) : undefined
      if (line) await sql`update "user" set about = ${line} where id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  const columns = SHOWN_COLUMNS.map((name) => `"${name}"`).join(', ')
  const differs = SHOWN_COLUMNS.map((name) => `old."${name}" <> new."${name}"`).join(' or ')
  await runAll(db, [
    ...(isShared(db) ? [] : ['drop trigger if exists "public_user_update"']),
    ...triggersOf([raise('user', `update of ${columns}`, differs)], isShared(db)),
  ])
}
