// Whose copied link has set the present password of an account: the id of that operator.
import type { Kysely } from 'kysely'
import { addColumn, TEXT } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'user', 'passwordSetBy', TEXT)
}
