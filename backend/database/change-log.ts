// Changes on their way to those who listen. With SQLite there is one process, and they are told as
// soon as they are committed. With PostgreSQL the writing transaction keeps each change as a row
// and sends its number by NOTIFY, so that every process, this one too, hears all changes in the
// order of their commits; after a lost connection the rows are read again (decision 0035).
import { sql } from 'kysely'
import { CHANGES_KEPT_MS } from '#contract/server-limits.ts'
import { tellAtOnce } from './change-ears.ts'
import type { Change } from './changes.ts'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

/** The name of the NOTIFY channel; each database has its own. */
export const CHANGE_CHANNEL = 'lamplight_change'

export type KeptChange = { seq: number; change: Change }

/** Resolves once the other processes of this machine have heard it, or do not do so in time. */
type Ear = (kept: KeptChange[]) => void | Promise<void>
const ears = new WeakMap<Database, Ear>()

/**
 * Hears the changes of this process: on SQLite once they are committed; on PostgreSQL just before,
 * so that it need not read what its own NOTIFY names.
 */
export function hearOwn(db: Database, ear: Ear): void {
  ears.set(db, ear)
}

const listeners = new WeakMap<Database, (change: Change) => void>()

/** Hears of each change of this process once it is committed. */
export function hearOwnChanges(db: Database, listener: (change: Change) => void): void {
  listeners.set(db, listener)
}

/** Inside the transaction, at its end. */
export async function keepChanges(
  db: Database,
  tx: Database,
  changes: Change[],
): Promise<KeptChange[]> {
  if (changes.length === 0) return []
  if (!isShared(db)) return changes.map((change) => ({ seq: 0, change }))
  const createdAt = new Date().toISOString()
  const rows = changes.map((change) => ({ createdAt, body: JSON.stringify(withoutText(change)) }))
  const kept = await tx.insertInto('change').values(rows).returning('seq').execute()
  const seqs = kept.map(({ seq }) => Number(seq)).sort((a, b) => a - b)
  await sql`select pg_notify(${CHANGE_CHANNEL}, seq) from unnest(${seqs.map(String)}::text[]) as seq`.execute(
    tx,
  )
  const own = changes.map((change, at) => ({ seq: seqs[at] ?? 0, change }))
  ears.get(db)?.(own)
  return own
}

/**
 * After the commit. @param kept what {@link keepChanges} gave
 * @returns once the other processes of this machine have heard of it, as far as they do at once
 */
export async function tellChanges(db: Database, kept: KeptChange[]): Promise<void> {
  for (const { change } of kept) {
    tellAtOnce(db, change)
    listeners.get(db)?.(change)
  }
  if (kept.length > 0 && !isShared(db)) await ears.get(db)?.(kept)
}

/** A post can be read again as long as it is there; its text may be long. */
export function withoutText(change: Change): Change {
  return change.kind === 'post' && change.action !== 'delete'
    ? { ...change, payload: undefined }
    : change
}

/** @returns undefined when it is not there any more */
export async function findChange(db: Database, seq: number): Promise<Change | undefined> {
  const row = await db.selectFrom('change').select('body').where('seq', '=', seq).executeTakeFirst()
  return row && (JSON.parse(row.body) as Change)
}

/** The numbers above this one, in their order. */
export async function listChangesAfter(db: Database, seq: number): Promise<number[]> {
  const rows = await db
    .selectFrom('change')
    .select('seq')
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute()
  return rows.map((row) => Number(row.seq))
}

/** 0 when there is none. */
export async function findLastChange(db: Database): Promise<number> {
  const { last } = await db
    .selectFrom('change')
    .select((eb) => eb.fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export async function forgetOldChanges(db: Database): Promise<void> {
  if (!isShared(db)) return
  const before = new Date(Date.now() - CHANGES_KEPT_MS).toISOString()
  await db.deleteFrom('change').where('createdAt', '<', before).execute()
}
