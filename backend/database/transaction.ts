// Runs work in a transaction, and after its commit publishes events and runs work on files, mail
// and the network.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { isId } from '#contract/ids.ts'
import type { Background } from '../process/background.ts'
import { codeOf, DatabaseUnavailable } from './database-errors.ts'
import { isShared, prepared, useWriterConnection, withRowLock } from './dialect.ts'
import { notifyOfEvents } from './notify.ts'
import type { RealtimeEvent } from './realtime-events.ts'
import type { Database, UserRow } from './schema.ts'

/** How long a write waits for a lock, counted from its arrival; then 503. */
export const DATABASE_LOCK_TIMEOUT_MS = 5000

/** How many attempts a transaction has that PostgreSQL aborts in favour of another; then 503. */
export const CONFLICT_RETRY_ATTEMPTS = 4

/** The longest pause before the next attempt; it doubles each time. */
const CONFLICT_RETRY_PAUSE_MS = 20

/** Set while a transaction's own code runs; the SQLite dialect refuses outside queries there. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** Runs work on files, mail or the network after the commit. */
export type AfterCommit = (name: string, work: () => Promise<unknown>) => void

/** Events and work that wait for the commit of a running transaction. */
type Pending = {
  db: Database
  events: RealtimeEvent[]
  tasks: [name: string, work: () => Promise<unknown>][]
}

const pending = new WeakMap<Database, Pending>()

/**
 * Runs `work` in one transaction, or in the one that is passed as `db`. `work` must not use the
 * disk, mail or the network: pass such work to `afterCommit`. After a deadlock or a serialisation
 * failure `work` runs again from its beginning, so it must record nothing outside the transaction;
 * work passed to `afterCommit` is dropped.
 *
 * @throws whatever `work` throws; then everything is rolled back and nothing runs after it
 */
export async function inTransaction<Result>(
  db: Database,
  background: Background,
  work: (tx: Database, afterCommit: AfterCommit) => Promise<Result>,
): Promise<Result> {
  if (pending.has(db)) return work(db, afterCommitOf(db))
  const { result, tasks } = await transact(db, (tx) => work(tx, afterCommitOf(tx)))
  for (const [name, task] of tasks) background.run(name, task)
  return result
}

/** The `afterCommit` of a running transaction. */
export function afterCommitOf(tx: Database): AfterCommit {
  return (name, task) => void pending.get(tx)?.tasks.push([name, task])
}

/** The database that a running transaction belongs to. */
export function databaseOf(tx: Database): Database {
  return pending.get(tx)?.db ?? tx
}

/** Runs statements in the transaction `db`, or in a new one. */
export async function ensureTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
) {
  return pending.has(db) ? work(db) : (await transact(db, work)).result
}

async function transact<Result>(db: Database, work: (tx: Database) => Promise<Result>) {
  const attempt = () =>
    db.transaction().execute((tx) =>
      insideTransaction.run(true, async () => {
        await useWriterConnection(tx)
        const waiting: Pending = { db, events: [], tasks: [] }
        pending.set(tx, waiting)
        const result = await work(tx)
        if (isShared(db)) await notifyOfEvents(db, tx, waiting.events)
        return { ...waiting, result }
      }),
    )
  const committed = await retryOnConflict(attempt)
  if (committed.events.length > 0)
    for (const subscriber of subscribers.get(db) ?? []) subscriber(committed.events)
  return committed
}

/** Publishes events once the running transaction has committed. */
export function publishAfterCommit(tx: Database, ...events: RealtimeEvent[]): void {
  const waiting = pending.get(tx)
  if (!waiting) throw new Error('An event was published outside a transaction')
  waiting.events.push(...events)
}

type Subscriber = (events: RealtimeEvent[]) => void
const subscribers = new WeakMap<Database, Subscriber[]>()

/** Subscribes to the events of this process, after each commit and before its call is answered. */
export function onCommitted(db: Database, subscriber: Subscriber): void {
  subscribers.set(db, [...(subscribers.get(db) ?? []), subscriber])
}

/**
 * Locks the row of a user until the end of the transaction, which serialises changes of one user
 * and of the user's counts.
 *
 * @returns the current row; undefined for an unknown or invalid id
 */
export async function lockUser(tx: Database, userId: string): Promise<UserRow | undefined> {
  return isId(userId) ? (await lock(tx, { userId })).rows[0] : undefined
}

const lock = prepared((tx, { userId }: { userId: string }) =>
  withRowLock(tx, tx.selectFrom('user').selectAll().where('id', '=', userId)),
)

/** A newer version has changed a table under a prepared statement. */
export const STALE_PLAN = '0A000'

/** Serialisation failure and deadlock: rolled back, and may succeed next time. */
const CONFLICTS = ['40001', '40P01', STALE_PLAN]

/**
 * @param work changes nothing but the database until it succeeds: it may be run several times
 * @throws the last conflict, a 503, after all attempts; every other error at once
 */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === CONFLICT_RETRY_ATTEMPTS || !isConflict(error)) throw error
      await delay(Math.random() * CONFLICT_RETRY_PAUSE_MS * 2 ** attempt)
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && CONFLICTS.includes(codeOf(error.cause))
}
