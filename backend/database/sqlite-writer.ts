// The connection of SQLite that writes: one call at a time, each waiting for a limited time from
// its own arrival, and none after a write that the disk failed.
import { setTimeout as delay } from 'node:timers/promises'
import type SqliteFile from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { codeOf, DatabaseAway, isPassingFault, isWriteFault, UnknownOutcome } from './faults.ts'
import { makeWriterLine } from './writer-line.ts'

const BUSY_RETRY_MS = 20
const STATEMENTS_MAX = 500

/** Called once, when SQLite could not write or sync; the process then stops. */
export type OnFatal = (error: unknown) => void

type Prepare = (sql: string) => SqliteFile.Statement

export function makePrepare(file: SqliteFile.Database): Prepare {
  const statements = new LRUCache<string, SqliteFile.Statement>({ max: STATEMENTS_MAX })
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const made = file.prepare(sql)
    statements.set(sql, made)
    return made
  }
}

export function runStatement<Row>(
  statement: SqliteFile.Statement,
  parameters: readonly unknown[],
): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters as unknown[]) as Row[] }
  const { changes, lastInsertRowid } = statement.run(parameters as unknown[])
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

export type SqliteWriter = {
  /** Opens a transaction. @returns lets the next one in, once this one is over */
  begin(): Promise<() => void>
  runInside<Row>(query: CompiledQuery): QueryResult<Row>
  commit(): void
  rollback(): void
  /** One statement by itself. */
  runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  /** @throws DatabaseAway after a failed write */
  refuseAfterFailure(): void
}

/** `lockMs` is how long a call waits for a lock. */
export function makeSqliteWriter(
  file: SqliteFile.Database,
  { onFatal, lockMs }: { onFatal: OnFatal; lockMs: number },
): SqliteWriter {
  const line = makeWriterLine()
  const prepare = makePrepare(file)
  /** Why nothing may be written any more. */
  let failure: { error: unknown } | undefined

  function refuseAfterFailure(): void {
    if (failure) throw new DatabaseAway(failure.error, 'The server is stopping.')
  }
  /** A failed write or sync is the last thing it does. */
  function write<Result>(work: () => Result, isCommit: boolean): Result {
    refuseAfterFailure()
    try {
      return work()
    } catch (error) {
      if (!isWriteFault(error, { isCommit })) throw error
      failure = { error }
      onFatal(error)
      throw isCommit ? new UnknownOutcome(error) : new DatabaseAway(error)
    }
  }
  return {
    refuseAfterFailure,
    async begin() {
      const giveUpAtMs = performance.now() + lockMs
      const leave = await line.enter(giveUpAtMs)
      try {
        await whileBusy(() => write(() => prepare('begin immediate').run(), false), giveUpAtMs)
        return leave
      } catch (error) {
        leave()
        throw error
      }
    },
    runInside: ({ sql, parameters }) => write(() => runStatement(prepare(sql), parameters), false),
    commit: () => void write(() => prepare('commit').run(), true),
    rollback() {
      // After a failed write nothing is certain; the next start reads what the disk really has.
      if (file.inTransaction && !failure) write(() => prepare('rollback').run(), false)
    },
    async runAlone<Row>({ sql, parameters }: CompiledQuery) {
      const giveUpAtMs = performance.now() + lockMs
      const leave = await line.enter(giveUpAtMs)
      try {
        const run = () => write(() => runStatement<Row>(prepare(sql), parameters), true)
        return await whileBusy(run, giveUpAtMs)
      } finally {
        leave()
      }
    },
  }
}

/** Another process may hold a lock: tries again without stopping the event loop. */
export async function whileBusy<Result>(work: () => Result, giveUpAtMs: number): Promise<Result> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isPassingFault(error)) throw error
      if (!codeOf(error).startsWith('SQLITE_BUSY')) throw new DatabaseAway(error)
      if (performance.now() + BUSY_RETRY_MS > giveUpAtMs) throw new DatabaseAway(error)
      await delay(BUSY_RETRY_MS)
    }
  }
}
