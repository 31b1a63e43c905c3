// What is made of the text of a post is one row that is whole or not used: it names the text and
// the rules that it was made of. What there was names none: it is made anew beside other work
// (decision 0064). Every step can be repeated.
import type { Kysely } from 'kysely'
import { addColumn, TEXT } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['rules', 'digest', 'shownDigest']) await addColumn(db, 'postText', name, TEXT)
  await addColumn(db, 'postText', 'words', 'integer')
}
