// Removes a file or an unfinished upload: the row first, then the bytes (threat-model.md §10).
// Knows nothing of who may do it.
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import { announceFile } from './file-access.ts'
import type { Keeper } from './keeper.ts'
import * as store from './store.ts'

export type RemovalNeeds = {
  db: Database
  background: Background
  keeper: Keeper
  /** Where the chunks of unfinished uploads are. */
  chunks: Keeper
}

/** @returns false when it was already gone */
export async function removeRow(needs: RemovalNeeds, row: store.FileRow): Promise<boolean> {
  return await inTransaction(needs.db, needs.background, (tx, after) =>
    deleteRow(needs, tx, after, row),
  )
}

/** The same within a transaction: the bytes go after its commit. */
export async function deleteRow(
  { keeper, chunks }: Pick<RemovalNeeds, 'keeper' | 'chunks'>,
  tx: Database,
  after: After,
  row: store.FileRow,
): Promise<boolean> {
  const named = row.isComplete ? [] : await store.findChunks(tx, row)
  if (!(await store.deleteFile(tx, row.storedName))) return false
  announceFile(tx, 'delete', row)
  after('removal of a file', () => keeper.remove(row.storedName))
  for (const { storedName } of named) after('removal of a chunk', () => chunks.remove(storedName))
  return true
}
