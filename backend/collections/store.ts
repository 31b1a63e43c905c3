// What the API key declares, in SQL (tables `declaredAttribute`, `declaredIndex`), and what posts
// may have by it.

import type { Selectable } from 'kysely'
import { TITLE_MAX_CHARS } from '#contract/limits.ts'
import { findRole } from '#contract/posts.ts'
import type { Database, DeclaredTable } from '../database/schema.ts'
import type { Declared, Definition } from './declared.ts'

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

// --- what posts may have

/** What is declared of attributes that posts have, and of their title. */
type DeclaredAttributes = { declared: Declared; title: { isRequired: boolean; standard: string } }

/** @returns tells what attributes posts may have at this moment; a transaction hands in itself */
export function makeAttributes({
  hasExtraAttributes: hasExtras,
  publicStatuses,
}: {
  hasExtraAttributes: boolean
  publicStatuses: readonly string[]
}) {
  let last: { rows: string; read: DeclaredAttributes } | undefined
  return async (db: Database) => {
    const rows = await listDeclared(db, 'declaredAttribute')
    const text = JSON.stringify(rows)
    if (last?.rows !== text) last = { rows: text, read: readDeclaredAttributes(rows) }
    return { hasExtras, publicStatuses, ...last.read }
  }
}

function readDeclaredAttributes(rows: DeclaredRow[]): DeclaredAttributes {
  const listed = rows.flatMap(({ isListed, definition }) =>
    isListed ? [JSON.parse(definition) as Definition] : [],
  )
  // Until the key says something of it, a title is required.
  const isAsBuilt = !rows.some(({ key }) => key === 'title')
  const titles = listed.filter(({ key }) => findRole(key, { hasOwn: true }) === 'title')
  const standard = titles.find((one) => one.default !== null)?.default
  return {
    declared: new Map(listed.map((one) => [one.key, one])),
    title: {
      isRequired: isAsBuilt || titles.some(({ required }) => required),
      standard: isTitle(standard) ? standard.trim() : '',
    },
  }
}

/** Declared texts may be longer than a title. */
function isTitle(text: unknown): text is string {
  return typeof text === 'string' && text.length <= TITLE_MAX_CHARS && !/\p{Cc}/u.test(text)
}
