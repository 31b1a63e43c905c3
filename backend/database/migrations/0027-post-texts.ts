// What is made of the text of a post is one row that is whole or not used: it names the text and
// the rules that it was made of. What there was names none: it is made anew beside other work
// (decision 0064). The three old digests stay for processes of the release before that still run.
// Every step can be repeated.
import type { Kysely } from 'kysely'

const NEW = ['rules', 'digest', 'shownDigest'] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const known = tables.find(({ name }) => name === 'postText')?.columns.map(({ name }) => name)
  const table = db.schema.alterTable('postText')
  for (const name of NEW)
    if (!known?.includes(name))
      await table.addColumn(name, 'text', (c) => c.notNull().defaultTo('')).execute()
  if (!known?.includes('words')) await table.addColumn('words', 'integer').execute()
}
