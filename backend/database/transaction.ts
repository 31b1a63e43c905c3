// Runs work in a transaction, and what must wait for its commit: events for open sockets, and work
// on files, mail and the network.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { isId } from '#contract/ids.ts'
import type { Background } from '../process/background.ts'
import { codeOf, DatabaseUnavailable } from './database-errors.ts'
import { isShared, prepared, useWriterConnection, withRowLock } from './dialect.ts'
import { notifyOfEvents } from './notify.ts'
import type { RealtimeEvent } from './realtime-events.ts'
import type { Database, UserRow } from './schema.ts'

/** How long a write waits for a lock, counted from its arrival. Longer: 503. */
export const DATABASE_LOCK_TIMEOUT_MS = 5000

/** How often a transaction is begun that PostgreSQL gives up in favour of another. Then: 503. */
export const CONFLICT_RETRY_ATTEMPTS = 4

/** The longest pause before it is begun again; it doubles each time. */
const CONFLICT_RETRY_PAUSE_MS = 20

/** Set while a transaction's own code runs; the SQLite dialect refuses outside queries there. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** Runs work on files, mail or the network after the commit. */
export type AfterCommit = (name: string, work: () => Promise<unknown>) => void

/** What waits for the commit of a running transaction. */
type Pending = {
  db: Database
  events: RealtimeEvent[]
  later: [name: string, work: () => Promise<unknown>][]
}

const pending = new WeakMap<Database, Pending>()

/**
 * Runs `work` in one transaction, or in the one that is handed in as `db`. No disk, mail or network
 * inside it: hand that to `afterCommit`. After a deadlock or a serialisation failure `work` runs
 * again from its beginning, so it records nothing outside the transaction; what was handed to
 * `afterCommit` is dropped.
 *
 * @throws whatever `work` throws; then everything is rolled back and nothing runs after it
 */
export async function inTransaction<Result>(
  db: Database,
  background: Background,
  work: (tx: Database, afterCommit: AfterCommit) => Promise<Result>,
): Promise<Result> {
  if (pending.has(db)) return work(db, afterCommitOf(db))
  const { result, later } = await transact(db, (tx) => work(tx, afterCommitOf(tx)))
  for (const [name, todo] of later) background.run(name, todo)
  return result
}

/** For the running transaction. */
export function afterCommitOf(tx: Database): AfterCommit {
  return (name, todo) => void pending.get(tx)?.later.push([name, todo])
}

/** The database that a running transaction belongs to. */
export function databaseOf(tx: Database): Database {
  return pending.get(tx)?.db ?? tx
}

/** Runs statements that publish changes, in the transaction around them or in one of their own. */
export async function ensureTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
) {
  return pending.has(db) ? work(db) : (await transact(db, work)).result
}

async function transact<Result>(db: Database, work: (tx: Database) => Promise<Result>) {
  const once = () =>
    db.transaction().execute((tx) =>
      insideTransaction.run(true, async () => {
        await useWriterConnection(tx)
        const own: Pending = { db, events: [], later: [] }
        pending.set(tx, own)
        const result = await work(tx)
        if (isShared(db)) await notifyOfEvents(db, tx, own.events)
        return { ...own, result }
      }),
    )
  const done = await retryOnConflict(once)
  if (done.events.length > 0)
    for (const subscriber of subscribers.get(db) ?? []) subscriber(done.events)
  return done
}

/** Publishes events once the running transaction has committed. */
export function publishAfterCommit(tx: Database, ...events: RealtimeEvent[]): void {
  const own = pending.get(tx)
  if (!own) throw new Error('An event was published outside a transaction')
  own.events.push(...events)
}

type Subscriber = (events: RealtimeEvent[]) => void
const subscribers = new WeakMap<Database, Subscriber[]>()

/** Subscribes to the events of this process, after each commit and before its call is answered. */
export function onCommitted(db: Database, subscriber: Subscriber): void {
  subscribers.set(db, [...(subscribers.get(db) ?? []), subscriber])
}

/**
 * Locks the row of a user until the end of the transaction, so that changes of one user, and of
 * what is counted for them, happen one after the other.
 *
 * @returns the row as it now is; undefined when the user does not exist, or for no valid id
 */
export async function lockUser(tx: Database, userId: string): Promise<UserRow | undefined> {
  return isId(userId) ? (await lock(tx, { userId })).rows[0] : undefined
}

const lock = prepared((tx, { userId }: { userId: string }) =>
  withRowLock(tx, tx.selectFrom('user').selectAll().where('id', '=', userId)),
)

/** A table was changed under a prepared statement, by a newer program that has just started. */
export const STALE_PLAN = '0A000'

/** Serialisation failure and deadlock: all of it was rolled back, and may succeed next time. */
const GIVEN_UP = ['40001', '40P01', STALE_PLAN]

/**
 * @param work changes nothing but the database until it succeeds: it may be run several times
 * @throws the last fault, a 503, when it was given up each time; every other fault at once
 */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === CONFLICT_RETRY_ATTEMPTS || !wasGivenUp(error)) throw error
      await delay(Math.random() * CONFLICT_RETRY_PAUSE_MS * 2 ** attempt)
    }
  }
}

function wasGivenUp(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && GIVEN_UP.includes(codeOf(error.cause))
}
