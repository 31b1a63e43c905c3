// One transaction, and the work that may only start after its commit.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Background } from '../process/background.ts'
import type { Database } from './schema.ts'

/** Set while a transaction's own code runs; the SQLite dialect refuses outside queries there. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** Hands over work (files, mail, events) that starts only after the commit. */
export type After = (name: string, work: () => Promise<unknown>) => void

/**
 * Runs `work` in one transaction. No disk, mail or network inside it: hand that to `after`.
 *
 * @throws whatever `work` throws; then everything is rolled back and nothing of `after` runs
 */
export async function inTransaction<Result>(
  db: Database,
  background: Background,
  work: (tx: Database, after: After) => Promise<Result>,
): Promise<Result> {
  const later: [string, () => Promise<unknown>][] = []
  const result = await db
    .transaction()
    .execute((tx) =>
      insideTransaction.run(true, () => work(tx, (name, todo) => later.push([name, todo]))),
    )
  for (const [name, todo] of later) background.run(name, todo)
  return result
}
