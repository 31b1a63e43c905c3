// What the API key declares, in SQL (tables `declaredAttribute`, `declaredIndex`).
import type { Selectable } from 'kysely'
import type { Database, DeclaredTable } from '../database/schema.ts'

/** The two kinds of declarations. */
export type Table = 'declaredAttribute' | 'declaredIndex'
export type DeclaredRow = Selectable<DeclaredTable>

/** In the order of their first declaration. */
export async function listDeclared(db: Database, table: Table): Promise<DeclaredRow[]> {
  return await db.selectFrom(table).selectAll().orderBy('seq').execute()
}

/** Takes the place of what was declared under this key before. @param definition becomes JSON */
export async function saveDeclared(
  db: Database,
  table: Table,
  { key, definition, isListed }: { key: string; definition: object; isListed: boolean },
  time: string,
): Promise<void> {
  const row = {
    definition: JSON.stringify(definition),
    isListed: Number(isListed),
    updatedAt: time,
  }
  await db
    .insertInto(table)
    .values({ ...row, key, createdAt: time })
    .onConflict((c) => c.column('key').doUpdateSet(row))
    .execute()
}

export async function deleteDeclared(db: Database, table: Table, key: string): Promise<void> {
  await db.deleteFrom(table).where('key', '=', key).execute()
}
