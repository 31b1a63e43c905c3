// The queue before the one connection of SQLite that writes. Writes that wait share a transaction,
// and are answered once it is committed: what it holds is durable then, and was invisible before
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

/** How long a transaction is shared, plus the last write of it: others wait for the lock. */
const SHARED_MAX_MS = 20
/** More text with words that are all different would make a commit long. */
const AT_COMMIT_MAX_CHARS = 90_000
const BUSY_RETRY_MAX_MS = 4
/** How long writes follow each other in one turn of the event loop. */
const TURN_MS = 4
const STATEMENTS_MAX = 500

/** Called once, when SQLite could not write or sync; the process then stops. */
export type OnFatal = (error: unknown) => void

/** Other writes wait until it is left. */
export type WriteSlot = Awaited<ReturnType<ReturnType<typeof makeWriteQueue>['enter']>>

/** A transaction of ours is one in the shared transaction. */
export const SAVEPOINT = 'savepoint one'
export const RELEASE = 'release one'
const ROLLBACK_TO = 'rollback to one'

/** `lockMs` is how long a write waits; a test hands in `sharedMs` instead of SHARED_MAX_MS. */
export type QueueOptions = { onFatal: OnFatal; lockMs: number; sharedMs?: number }

export function makeWriteQueue(
  file: SqliteFile.Database,
  { onFatal, lockMs, sharedMs = SHARED_MAX_MS }: QueueOptions,
) {
  const transaction = makeSharedTransaction(file, onFatal)
  const line = makeLine()

  function takeTurn(mine: Shared) {
    const { length: atCommitBefore } = mine.atCommit
    return {
      /** @throws DatabaseUnavailable after a failed write, or when SQLite has taken all back */
      run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
        if (!sql.startsWith(RUN_AT_COMMIT)) return transaction.run<Row>(mine, sql, parameters)
        mine.atCommit.push([sql, parameters])
        return { rows: [] }
      },
      /** Takes back what was done since the savepoint. */
      takeBack() {
        mine.atCommit.length = atCommitBefore
        try {
          this.run(ROLLBACK_TO)
          this.run(RELEASE)
        } catch (error) {
          transaction.lose(new DatabaseUnavailable(error))
        }
      },
      /**
       * Lets the next one in. Resolves once everything before it is committed, also what it has
       * only seen: others may not hear of it before. Rejects when that is not kept.
       */
      async leave(): Promise<void> {
        const isFull = charsOf(mine) >= AT_COMMIT_MAX_CHARS
        const isLast = isFull || line.isEmpty() || performance.now() - mine.begunAtMs > sharedMs
        try {
          if (isLast) await transaction.commit(mine)
        } finally {
          line.leave()
        }
        await mine.done.promise
      },
    }
  }
  return {
    /** @throws DatabaseUnavailable after a failed write */
    refuseAfterFailure: transaction.refuseAfterFailure,
    /** @throws DatabaseUnavailable when the queue is full, or the turn did not come in time */
    async enter() {
      const giveUpAtMs = performance.now() + lockMs
      await line.enter(giveUpAtMs)
      try {
        return takeTurn(transaction.open() ?? (await transaction.begin(giveUpAtMs)))
      } catch (error) {
        line.leave()
        throw error
      }
    },
  }
}

/** `done` is settled once it is committed, or lost. */
type Shared = {
  done: PromiseWithResolvers<void>
  begunAtMs: number
  atCommit: [sql: string, parameters: readonly unknown[]][]
}

function charsOf({ atCommit }: Shared): number {
  const texts = atCommit.flatMap(([, parameters]) => parameters.map(String))
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** The transaction of SQLite that is open, if any. */
function makeSharedTransaction(file: SqliteFile.Database, onFatal: OnFatal) {
  const prepare = makePrepare(file)
  const requireInPlace = makeInPlace(file)
  let open: Shared | undefined
  let failure: { error: unknown } | undefined

  function refuseAfterFailure(): void {
    if (failure) throw new DatabaseUnavailable(failure.error, 'The server is stopping.')
  }
  /** After a failed write nothing is certain; the next start reads what the disk really has. */
  function lose(error: unknown): void {
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
      let seen = error
      if (isWriteFault(error, { isCommit })) {
        failure = { error }
        onFatal(error)
        seen = isCommit ? new CommitOutcomeUnknown(error) : new DatabaseUnavailable(error)
      }
      // SQLite takes all back by itself where it could not go on.
      if (failure || !file.inTransaction) lose(seen)
      throw seen
    }
  }
  return {
    refuseAfterFailure,
    lose,
    open: () => open,
    async begin(giveUpAtMs: number): Promise<Shared> {
      // Writes of this turn of the event loop share it. And other processes get the lock.
      await nextTurn()
      await whileBusy(() => execute('begin immediate'), giveUpAtMs)
      open = { done: Promise.withResolvers<void>(), begunAtMs: performance.now(), atCommit: [] }
      open.done.promise.catch(() => {})
      return open
    },
    run<Row>(mine: Shared, sql: string, parameters?: readonly unknown[]): QueryResult<Row> {
      if (mine !== open) throw new DatabaseUnavailable(new Error('SQLite has taken it back'))
      return execute(sql, parameters)
    },
    async commit(mine: Shared): Promise<void> {
      if (mine !== open) return
      const yieldToEventLoop = makeYieldToEventLoop()
      try {
        for (const statement of mine.atCommit) {
          await yieldToEventLoop()
          execute(...statement)
        }
        requireInPlace()
        execute('commit')
        open = undefined
        mine.done.resolve()
      } catch (error) {
        lose(error)
      }
    },
  }
}

/** A bounded number of writes waits, each for a limited time from its own arrival. */
function makeLine() {
  let isTaken = false
  let turnAtMs = 0
  const waiting: { goOn: () => void; timer: NodeJS.Timeout }[] = []
  async function stand(giveUpAtMs: number): Promise<void> {
    if (waiting.length >= DATABASE_WAITING_MAX)
      throw new DatabaseUnavailable(new Error('Too many writes wait'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.splice(waiting.indexOf(mine), 1)
      reject(new DatabaseUnavailable(new Error('Other writes took too long')))
    }
    const timer = setTimeout(giveUp, Math.max(0, giveUpAtMs - performance.now()))
    const mine = { goOn: resolve, timer }
    waiting.push(mine)
    await promise
  }
  return {
    isEmpty: () => waiting.length === 0,
    async enter(giveUpAtMs: number): Promise<void> {
      if (isTaken) await stand(giveUpAtMs)
      isTaken = true
    },
    leave(): void {
      const next = waiting.shift()
      // It has its turn from here on, and does not give up any more.
      clearTimeout(next?.timer)
      if (!next) isTaken = false
      else if (performance.now() - turnAtMs < TURN_MS) next.goOn()
      // Reads come in between, and the next write joins the transaction.
      else
        setImmediate(() => {
          turnAtMs = performance.now()
          next.goOn()
        })
    },
  }
}

/**
 * A process can write to open files after they were deleted or replaced. Such writes would be lost:
 * the next start opens what is there.
 *
 * @throws (each call) DatabaseUnavailable while database and log are not those of the first call
 */
function makeInPlace({ name }: SqliteFile.Database): () => void {
  const first = new Map<string, string>()
  return () => {
    for (const path of [name, `${name}-wal`]) {
      const found = statSync(path, { throwIfNoEntry: false })
      const now = found ? `${found.dev} ${found.ino}` : 'gone'
      if (!first.has(path)) first.set(path, now)
      if (now !== first.get(path))
        throw new DatabaseUnavailable(new Error(`${path} is another file than the one in use`))
    }
  }
}

/** Prepares each statement once. */
export function makePrepare(file: SqliteFile.Database): (sql: string) => SqliteFile.Statement {
  const statements = new Map<string, SqliteFile.Statement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    const made = file.prepare(sql)
    statements.set(sql, made)
    return made
  }
}

export function runStatement<Row>(statement: SqliteFile.Statement, parameters: readonly unknown[]) {
  if (statement.reader) return { rows: statement.all(parameters as unknown[]) as Row[] }
  const { changes, lastInsertRowid } = statement.run(parameters as unknown[])
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Another process may hold a lock: tries again without stopping the event loop. */
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
