// The queue for SQLite's single writing connection. Waiting writes share a transaction, and are
// answered once it is committed: only then are its changes durable and visible
// (decision 0061). Once the disk fails a write or a commit, all further writes are refused.
import { statSync } from 'node:fs'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type SqliteFile from 'better-sqlite3'
import type { QueryResult } from 'kysely'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import {
  CommitOutcomeUnknown,
  codeOf,
  DATABASE_WAITING_MAX,
  DatabaseUnavailable,
  isTransientError,
  isWriteFault,
} from './database-errors.ts'
import { RUN_AT_COMMIT } from './dialect.ts'

/** How long writes may join a shared transaction: other processes wait for its lock. */
const SHARED_MAX_MS = 20
/** How much text may be indexed at a commit: more would make the commit long. */
const AT_COMMIT_MAX_CHARS = 90_000
const BUSY_RETRY_MAX_MS = 4
/** How long writes run without yielding to the event loop. */
const YIELD_AFTER_MS = 4
const STATEMENTS_MAX = 500

/** Called once, when SQLite could not write or sync; the process then stops. */
export type OnFatal = (error: unknown) => void

/** The right to write: other writes wait until `leave`. */
export type WriteSlot = Awaited<ReturnType<ReturnType<typeof makeWriteQueue>['enter']>>

/** Each transaction is a savepoint in the shared transaction. */
export const SAVEPOINT = 'savepoint one'
export const RELEASE = 'release one'
const ROLLBACK_TO = 'rollback to one'

/** `lockMs` is how long a write waits; a test passes `sharedMs` instead of SHARED_MAX_MS. */
export type QueueOptions = { onFatal: OnFatal; lockMs: number; sharedMs?: number }

export function makeWriteQueue(
  file: SqliteFile.Database,
  { onFatal, lockMs, sharedMs = SHARED_MAX_MS }: QueueOptions,
) {
  const transaction = makeSharedTransaction(file, onFatal)
  const waitingLine = makeLine()

  function makeSlot(shared: SharedTransaction) {
    const { length: atCommitBefore } = shared.atCommit
    return {
      /** @throws DatabaseUnavailable after a failed write, or when SQLite has rolled back */
      run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
        if (!sql.startsWith(RUN_AT_COMMIT)) return transaction.run<Row>(shared, sql, parameters)
        shared.atCommit.push([sql, parameters])
        return { rows: [] }
      },
      /** Rolls back to the savepoint. */
      rollBack() {
        shared.atCommit.length = atCommitBefore
        try {
          this.run(ROLLBACK_TO)
          this.run(RELEASE)
        } catch (error) {
          transaction.abandon(new DatabaseUnavailable(error))
        }
      },
      /**
       * Admits the next write. Resolves once the shared transaction is committed, also after mere
       * reads: uncommitted data must not leave the server. Rejects when the commit fails.
       */
      async leave(): Promise<void> {
        const isFull = charsOf(shared) >= AT_COMMIT_MAX_CHARS
        const isLast =
          isFull || waitingLine.isEmpty() || performance.now() - shared.begunAtMs > sharedMs
        try {
          if (isLast) await transaction.commit(shared)
        } finally {
          waitingLine.leave()
        }
        await shared.done.promise
      },
    }
  }
  return {
    /** @throws DatabaseUnavailable after a failed write */
    refuseAfterFailure: transaction.refuseAfterFailure,
    /** @throws DatabaseUnavailable when the queue is full, or the wait was too long */
    async enter() {
      const giveUpAtMs = performance.now() + lockMs
      await waitingLine.enter(giveUpAtMs)
      try {
        return makeSlot(transaction.open() ?? (await transaction.begin(giveUpAtMs)))
      } catch (error) {
        waitingLine.leave()
        throw error
      }
    },
  }
}

/** `done` settles once the transaction is committed or rolled back. */
type SharedTransaction = {
  done: PromiseWithResolvers<void>
  begunAtMs: number
  atCommit: [sql: string, parameters: readonly unknown[]][]
}

function charsOf({ atCommit }: SharedTransaction): number {
  const texts = atCommit.flatMap(([, parameters]) => parameters.map(String))
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** The transaction of SQLite that is open, if any. */
function makeSharedTransaction(file: SqliteFile.Database, onFatal: OnFatal) {
  const prepare = makePrepare(file)
  const requireSameFiles = makeFileCheck(file)
  let open: SharedTransaction | undefined
  let failure: { error: unknown } | undefined

  function refuseAfterFailure(): void {
    if (failure) throw new DatabaseUnavailable(failure.error, 'The server is stopping.')
  }
  /** After a failed write nothing is certain; the next start reads what the disk really has. */
  function abandon(error: unknown): void {
    open?.done.reject(error)
    open = undefined
    if (file.inTransaction && !failure) prepare('rollback').run()
  }
  function execute<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    refuseAfterFailure()
    try {
      return runStatement(prepare(sql), parameters)
    } catch (error) {
      const isCommit = sql === 'commit'
      let thrown = error
      if (isWriteFault(error, { isCommit })) {
        failure = { error }
        onFatal(error)
        thrown = isCommit ? new CommitOutcomeUnknown(error) : new DatabaseUnavailable(error)
      }
      // SQLite rolls back by itself after some errors.
      if (failure || !file.inTransaction) abandon(thrown)
      throw thrown
    }
  }
  return {
    refuseAfterFailure,
    abandon,
    open: () => open,
    async begin(giveUpAtMs: number): Promise<SharedTransaction> {
      // Lets writes of this turn of the event loop join, and other processes get the lock.
      await nextTurn()
      await whileBusy(() => execute('begin immediate'), giveUpAtMs)
      open = { done: Promise.withResolvers<void>(), begunAtMs: performance.now(), atCommit: [] }
      open.done.promise.catch(() => {})
      return open
    },
    run<Row>(
      shared: SharedTransaction,
      sql: string,
      parameters?: readonly unknown[],
    ): QueryResult<Row> {
      if (shared !== open) throw new DatabaseUnavailable(new Error('SQLite has taken it back'))
      return execute(sql, parameters)
    },
    async commit(shared: SharedTransaction): Promise<void> {
      if (shared !== open) return
      const yieldToEventLoop = makeYieldToEventLoop()
      try {
        for (const statement of shared.atCommit) {
          await yieldToEventLoop()
          execute(...statement)
        }
        requireSameFiles()
        execute('commit')
        open = undefined
        shared.done.resolve()
      } catch (error) {
        abandon(error)
      }
    },
  }
}

/** The line of waiting writes: bounded in length and in waiting time. */
function makeLine() {
  let isTaken = false
  let yieldedAtMs = 0
  const waiting: { proceed: () => void; timer: NodeJS.Timeout }[] = []
  async function waitInLine(giveUpAtMs: number): Promise<void> {
    if (waiting.length >= DATABASE_WAITING_MAX)
      throw new DatabaseUnavailable(new Error('Too many writes wait'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.splice(waiting.indexOf(waiter), 1)
      reject(new DatabaseUnavailable(new Error('Other writes took too long')))
    }
    const timer = setTimeout(giveUp, Math.max(0, giveUpAtMs - performance.now()))
    const waiter = { proceed: resolve, timer }
    waiting.push(waiter)
    await promise
  }
  return {
    isEmpty: () => waiting.length === 0,
    async enter(giveUpAtMs: number): Promise<void> {
      if (isTaken) await waitInLine(giveUpAtMs)
      isTaken = true
    },
    leave(): void {
      const next = waiting.shift()
      // The next write no longer times out.
      clearTimeout(next?.timer)
      if (!next) isTaken = false
      else if (performance.now() - yieldedAtMs < YIELD_AFTER_MS) next.proceed()
      // Reads run in between, and the next write joins the transaction.
      else
        setImmediate(() => {
          yieldedAtMs = performance.now()
          next.proceed()
        })
    },
  }
}

/**
 * Checks that the open files are still in place: writes to deleted or replaced files would be lost.
 *
 * @throws (each call) DatabaseUnavailable while database and log are not the files of the first
 *   call
 */
function makeFileCheck({ name }: SqliteFile.Database): () => void {
  const first = new Map<string, string>()
  return () => {
    for (const path of [name, `${name}-wal`]) {
      const stats = statSync(path, { throwIfNoEntry: false })
      const identity = stats ? `${stats.dev} ${stats.ino}` : 'gone'
      if (!first.has(path)) first.set(path, identity)
      if (identity !== first.get(path))
        throw new DatabaseUnavailable(new Error(`${path} is another file than the one in use`))
    }
  }
}

/** Prepares each statement once. */
export function makePrepare(file: SqliteFile.Database): (sql: string) => SqliteFile.Statement {
  const statements = new Map<string, SqliteFile.Statement>()
  return (sql) => {
    const cached = statements.get(sql)
    if (cached) return cached
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    const statement = file.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

export function runStatement<Row>(statement: SqliteFile.Statement, parameters: readonly unknown[]) {
  if (statement.reader) return { rows: statement.all(parameters as unknown[]) as Row[] }
  const { changes, lastInsertRowid } = statement.run(parameters as unknown[])
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Retries while another process holds a lock, without blocking the event loop. */
export async function whileBusy<Result>(work: () => Result, giveUpAtMs: number): Promise<Result> {
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, BUSY_RETRY_MAX_MS)) {
    try {
      return work()
    } catch (error) {
      if (!isTransientError(error)) throw error
      if (!codeOf(error).startsWith('SQLITE_BUSY')) throw new DatabaseUnavailable(error)
      if (performance.now() + pauseMs > giveUpAtMs) throw new DatabaseUnavailable(error)
      await delay(pauseMs)
    }
  }
}
