// One transaction, and the work that may only start after its commit.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Background } from '../process/background.ts'
import { notifyOfChanges } from './change-messages.ts'
import { gatherChanges, isGathering, tellOwnChanges } from './changes.ts'
import { goStraight } from './compiled.ts'
import { repeated } from './repeat.ts'
import type { Database } from './schema.ts'

/** Set while a transaction's own code runs; the SQLite dialect refuses outside queries there. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** Hands over work (files, mail, events) that starts only after the commit. */
export type After = (name: string, work: () => Promise<unknown>) => void

/** What each transaction under way hands over. */
const afters = new WeakMap<Database, After>()

/**
 * Runs `work` in one transaction, or in the one that is handed in as `db`. No disk, mail or network
 * inside it: hand that to `after`. A deadlock or a serialisation failure runs it again from its
 * beginning, so it notes nothing outside the transaction; what `after` was handed then is dropped.
 *
 * @throws whatever `work` throws; then everything is rolled back and nothing of `after` runs
 */
export async function inTransaction<Result>(
  db: Database,
  background: Background,
  work: (tx: Database, after: After) => Promise<Result>,
): Promise<Result> {
  const outer = afters.get(db)
  if (outer) return work(db, outer)
  const later: [string, () => Promise<unknown>][] = []
  const after: After = (name, todo) => void later.push([name, todo])
  const result = await gathering(db, (tx) => {
    later.length = 0
    afters.set(tx, after)
    return work(tx, after)
  })
  for (const [name, todo] of later) background.run(name, todo)
  return result
}

/** Few statements that announce changes: in the transaction that they are in, else in their own. */
export async function announcing<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return isGathering(db) ? work(db) : gathering(db, work)
}

async function gathering<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const once = () =>
    db.transaction().execute((tx) =>
      insideTransaction.run(true, async () => {
        await goStraight(tx)
        const changes = gatherChanges(tx)
        const result = await work(tx)
        await notifyOfChanges(db, tx, changes)
        return { result, changes }
      }),
    )
  const { result, changes } = await repeated(once)
  tellOwnChanges(db, changes)
  return result
}
