// What the API key declares, in SQL (tables `declaredAttribute`, `declaredIndex`). Knows no rule.
import type { Insertable, Selectable } from 'kysely'
import type { Database, DeclaredTable } from '../database/schema.ts'

/** The two kinds of declarations. */
export type Table = 'declaredAttribute' | 'declaredIndex'
export type DeclaredRow = Selectable<DeclaredTable>

/** In the order of their first declaration. */
export async function listDeclared(db: Database, table: Table): Promise<DeclaredRow[]> {
  return await db.selectFrom(table).selectAll().orderBy('seq').execute()
}

/** Takes the place of what was declared under this key before. */
export async function saveDeclared(
  db: Database,
  table: Table,
  row: Omit<Insertable<DeclaredTable>, 'seq'>,
): Promise<void> {
  const { key: _key, createdAt: _createdAt, ...changes } = row
  await db
    .insertInto(table)
    .values(row)
    .onConflict((c) => c.column('key').doUpdateSet(changes))
    .execute()
}

export async function deleteDeclared(db: Database, table: Table, key: string): Promise<void> {
  await db.deleteFrom(table).where('key', '=', key).execute()
}
