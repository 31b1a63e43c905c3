// One transaction, and the work that may only start after its commit.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Background } from '../process/background.ts'
import { gatherChanges, isGathering, notifyOfChanges, tellOwnChanges } from './changes.ts'
import { compiledOnce, goStraight, locked } from './dialect.ts'
import { codeOf, DatabaseAway } from './faults.ts'
import type { Database, UserRow } from './schema.ts'

/** How long a write waits for a lock, counted from its arrival. Longer: 503. */
export const DATABASE_LOCK_TIMEOUT_MS = 5000
/** How often a transaction is begun that PostgreSQL gives up in favour of another. Then: 503. */
export const REPEAT_ATTEMPTS = 4
/** The longest pause before it is begun again; it doubles each time. */
const REPEAT_PAUSE_MS = 20

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

/**
 * Locks the row of a user until the end of the transaction, so that changes of one user, and of
 * what is counted for them, happen one after the other.
 *
 * @returns the row as it now is; undefined when the user does not exist
 */
export async function lockUser(tx: Database, userId: string): Promise<UserRow | undefined> {
  return (await lock(tx, { userId })).rows[0]
}

const lock = compiledOnce((tx, { userId }: { userId: string }) =>
  locked(tx, tx.selectFrom('user').selectAll().where('id', '=', userId)),
)

/** A table was changed under a prepared statement, by a newer program that has just started. */
export const STALE_PLAN = '0A000'

/** Serialisation failure and deadlock: all of it was rolled back, and may succeed next time. */
const GIVEN_UP = ['40001', '40P01', STALE_PLAN]

/**
 * @param work changes nothing but the database until it succeeds: it may be run several times
 * @throws the last fault, a 503, when it was given up each time; every other fault at once
 */
export async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === REPEAT_ATTEMPTS || !wasGivenUp(error)) throw error
      await delay(Math.random() * REPEAT_PAUSE_MS * 2 ** attempt)
    }
  }
}

function wasGivenUp(error: unknown): boolean {
  return error instanceof DatabaseAway && GIVEN_UP.includes(codeOf(error.cause))
}
