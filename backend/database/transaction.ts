// One transaction, what it changes, and the work that may only start after its commit. Changes are
// told once they are committed: in this process, and by messages in others, which PostgreSQL's
// NOTIFY brings in the order of commits. A message may be lost, so nobody's right depends on one
// (decision 0063).

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { isId } from '#contract/ids.ts'
import type { Background } from '../process/background.ts'
import { makeId } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { OtherWorkers } from '../process/workers.ts'
import { codeOf, DatabaseUnavailable } from './database-errors.ts'
import { compiledOnce, goStraight, isShared, locked } from './dialect.ts'
import type { Database, PostRow, UserRow } from './schema.ts'

/** How long a write waits for a lock, counted from its arrival. Longer: 503. */
export const DATABASE_LOCK_TIMEOUT_MS = 5000
/** How often a transaction is begun that PostgreSQL gives up in favour of another. Then: 503. */
export const CONFLICT_RETRY_ATTEMPTS = 4
/** The longest pause before it is begun again; it doubles each time. */
const CONFLICT_RETRY_PAUSE_MS = 20

/** Set while a transaction's own code runs; the SQLite dialect refuses outside queries there. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** Hands over work (files, mail, events) that starts only after the commit. */
export type After = (name: string, work: () => Promise<unknown>) => void

/** What waits for the commit of a running transaction. */
type Pending = {
  db: Database
  changes: Change[]
  later: [name: string, work: () => Promise<unknown>][]
}
const pending = new WeakMap<Database, Pending>()

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
  if (pending.has(db)) return work(db, afterOf(db))
  const { result, later } = await transact(db, (tx) => work(tx, afterOf(tx)))
  for (const [name, todo] of later) background.run(name, todo)
  return result
}

/** For the running transaction. */
export function afterOf(tx: Database): After {
  return (name, todo) => void pending.get(tx)?.later.push([name, todo])
}

/** The database that a running transaction belongs to. */
export function rootOf(tx: Database): Database {
  return pending.get(tx)?.db ?? tx
}

/** Runs statements that publish changes, in the transaction around them or in one of their own. */
export async function withChanges<Result>(db: Database, work: (tx: Database) => Promise<Result>) {
  return pending.has(db) ? work(db) : (await transact(db, work)).result
}

async function transact<Result>(db: Database, work: (tx: Database) => Promise<Result>) {
  const once = () =>
    db.transaction().execute((tx) =>
      insideTransaction.run(true, async () => {
        await goStraight(tx)
        const own: Pending = { db, changes: [], later: [] }
        pending.set(tx, own)
        const result = await work(tx)
        if (isShared(db)) await notifyOfChanges(db, tx, own.changes)
        return { ...own, result }
      }),
    )
  const done = await retryOnConflict(once)
  if (done.changes.length > 0)
    for (const listener of listeners.get(db) ?? []) listener(done.changes)
  return done
}

/** Notes what a transaction changes. Listeners hear of it only once it is committed. */
export function publishOnCommit(tx: Database, ...changes: Change[]): void {
  const own = pending.get(tx)
  if (!own) throw new Error('A change was published outside a transaction')
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

export type SubscribeOptions = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  /** Undefined where one process runs alone. */
  otherWorkers: OtherWorkers | undefined
}

export type ChangeHandler = {
  /** The next change waits until this one is done. */
  change(change: Change): Promise<void>
  /** Changes may have been missed. */
  missed(): void
}

/**
 * @returns once it listens, or tries to while PostgreSQL is away; the function stops it, and
 *   resolves when all that came has been heard
 */
export async function subscribeToChanges(context: SubscribeOptions, hear: ChangeHandler) {
  const { db, databaseUrl, log, otherWorkers } = context
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
          // Any user of the database may send anything by NOTIFY.
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

/** Who may see a post, as it was when the change was made. */
export type PostAccess = Pick<PostRow, 'userId' | 'status' | 'readers' | 'isHidden'> & {
  isAuthorBlocked: number
}

/**
 * `payload` is what the answer of the call had. It is undefined for a post that another process has
 * created or changed: then the post is read again.
 */
export type Change =
  | {
      kind: 'post'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: object | undefined
      access: PostAccess
    }
  | {
      kind: 'comment'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: { content: string }
      /** Of its post. */
      access: PostAccess
      postId: string
      /** Null when the account is gone. */
      writerId: string | null
      /** Whether all hear of it who may read the post; else its writer and those who moderate. */
      isOpen: boolean
    }
  | {
      kind: 'file'
      action: 'create' | 'update' | 'delete'
      bucketId: string
      id: string
      /** Null for the API key. */
      ownerId: string | null
      payload: object
    }
  /** `name` is the end of the event's name, as `update.prefs` or `sessions.ID.delete`. */
  | { kind: 'account'; userId: string; name: string; payload: object }
  /** What a person may do is different, or some of their sessions have ended. */
  | { kind: 'access'; userId: string }

/** The name of the NOTIFY channel; each database has its own. */
export const CHANGE_CHANNEL = 'lamplight_change'
/** A payload of NOTIFY has less than 8,000 bytes; a character at most four. */
const PIECE = /.{1,1900}/gsu
/** Own changes that wait for their message; older ones are told without their text. */
const OWN_MAX = 100

/** Whole changes of this process, by the key of their message. */
const ownChanges = new WeakMap<Database, Map<string, Change[]>>()

/** Inside the transaction, at its end. */
export async function notifyOfChanges(db: Database, tx: Database, changes: Change[]) {
  if (changes.length === 0) return
  const key = makeId()
  remember(ownChangesOf(db), key, changes)
  const text = JSON.stringify({ key, changes: changes.map(withoutText) })
  const pieces = text.match(PIECE) ?? []
  const payloads = pieces.map((piece, at) => `${at + 1}/${pieces.length} ${piece}`)
  await sql`select pg_notify(${CHANGE_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(tx)
}

/**
 * Puts the payloads of one transaction, which come one after the other, together again.
 *
 * @returns reads one payload: the changes, once all of them have come
 */
export function makeMessageReader(db: Database): (payload: string) => Change[] {
  let text = ''
  return (payload) => {
    const [, at, count, piece = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    text = at === '1' ? piece : text + piece
    if (at === undefined || at !== count) return []
    const { key, changes } = JSON.parse(text)
    const whole = ownChangesOf(db).get(key)
    ownChangesOf(db).delete(key)
    return whole ?? changes
  }
}

function ownChangesOf(db: Database): Map<string, Change[]> {
  const known = ownChanges.get(db) ?? new Map()
  ownChanges.set(db, known)
  return known
}

function remember(known: Map<string, Change[]>, key: string, changes: Change[]): void {
  known.set(key, changes)
  const [oldest] = known.keys()
  if (known.size > OWN_MAX && oldest !== undefined) known.delete(oldest)
}

/** A post can be read again as long as it is there; its text may be long. */
export function withoutText(change: Change): Change {
  return change.kind === 'post' && change.action !== 'delete'
    ? { ...change, payload: undefined }
    : change
}
