// One transaction, what it changes, and the work that may only start after its commit. Changes are
// told once they are committed: in this process, and by messages in others. A message may be lost,
// so nobody's right depends on one (decision 0063).
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { isId } from '#contract/ids.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { OtherWorkers } from '../process/workers.ts'
import {
  CHANGE_CHANNEL,
  type Change,
  makeMessageReader,
  notifyOfChanges,
  withoutText,
} from './changes.ts'
import { compiledOnce, goStraight, isShared, locked } from './dialect.ts'
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

/** What a transaction under way has said so far. */
type Said = { changes: Change[]; later: [name: string, work: () => Promise<unknown>][] }
const said = new WeakMap<Database, Said>()

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
  const afterOf = (tx: Database): After => {
    return (name, todo) => void said.get(tx)?.later.push([name, todo])
  }
  if (said.has(db)) return work(db, afterOf(db))
  const { result, later } = await transact(db, (tx) => work(tx, afterOf(tx)))
  for (const [name, todo] of later) background.run(name, todo)
  return result
}

/** Few statements that announce changes: in the transaction that they are in, else in their own. */
export async function announcing<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return said.has(db) ? work(db) : (await transact(db, work)).result
}

async function transact<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Said & { result: Result }> {
  const once = () =>
    db.transaction().execute((tx) =>
      insideTransaction.run(true, async () => {
        await goStraight(tx)
        const own: Said = { changes: [], later: [] }
        said.set(tx, own)
        const result = await work(tx)
        if (isShared(db)) await notifyOfChanges(db, tx, own.changes)
        return { ...own, result }
      }),
    )
  const done = await repeated(once)
  if (done.changes.length > 0)
    for (const listener of listeners.get(db) ?? []) listener(done.changes)
  return done
}

/** Says what a transaction changes. Nothing is heard of it if it fails. */
export function announce(tx: Database, ...changes: Change[]): void {
  const own = said.get(tx)
  if (!own) throw new Error('A change was announced outside a transaction')
  own.changes.push(...changes)
}

const listeners = new WeakMap<Database, ((changes: Change[]) => void)[]>()

/** Hears what this process changes, after each commit and before its call is answered. */
export function hearOwnChanges(db: Database, listener: (changes: Change[]) => void): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
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

export type HearNeeds = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  /** Undefined where one process runs alone. */
  otherWorkers: OtherWorkers | undefined
}

export type Hear = {
  /** The next change waits until this one is done. */
  change(change: Change): Promise<void>
  /** Changes may have been missed. */
  missed(): void
}

/**
 * @returns once it listens, or tries to while PostgreSQL is away; the function stops it, and
 *   resolves when all that came has been heard
 */
export async function hearChanges(needs: HearNeeds, hear: Hear): Promise<() => Promise<void>> {
  const { db, databaseUrl, log, otherWorkers } = needs
  let last = Promise.resolve()
  const inTurn = (work: () => void | Promise<void>) => {
    last = last
      .then(work)
      .catch((err: unknown) => log.error({ err }, 'a change was not told to its listeners'))
  }
  const tell = (changes: Change[]) => {
    for (const change of changes) inTurn(() => hear.change(change))
  }
  if (databaseUrl === undefined) {
    hearOwnChanges(db, (changes) => {
      tell(changes)
      otherWorkers?.tell(changes.map(withoutText))
    })
    otherWorkers?.hear((body) => tell(body as Change[]))
    return () => last
  }
  const read = makeMessageReader(db)
  const { startListening } = await import('./postgres-listening.ts')
  const listening = startListening(
    { connectionString: databaseUrl, log, channel: CHANGE_CHANNEL },
    {
      notify(payload) {
        try {
          tell(read(payload))
        } catch (err) {
          // Whoever may use the database may send anything by NOTIFY.
          log.warn({ err }, 'a message of PostgreSQL could not be read')
        }
      },
      missed: () => inTurn(hear.missed),
    },
  )
  await listening.tried
  return async () => {
    await listening.stop()
    await last
  }
}

const TURN_MS = 5

/** Called between pieces of long work: others have their turn once it has held the loop a while. */
export function makeTurns(): () => Promise<void> {
  let beganMs = performance.now()
  return async () => {
    if (performance.now() - beganMs < TURN_MS) return
    await nextTurn()
    beganMs = performance.now()
  }
}

/** What rules work with, whatever they are about. */
export type Live = { db: Database; background: Background; log: Log; now: () => Date }
