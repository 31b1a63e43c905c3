// Kysely over better-sqlite3 with cached prepared statements (several times as fast for reads by
// key). There is one connection: a query beside a transaction, made inside it, would wait for
// itself for ever, so it throws instead.
import { setTimeout as delay } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#contract/errors.ts'
import { insideTransaction } from './transaction.ts'

const BUSY_RETRY_MS = 20
const BUSY_LIMIT_MS = 5000
const STATEMENTS_MAX = 500

export function openSqliteFile(path: string): SqliteFile.Database {
  const file = new SqliteFile(path)
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  file.pragma('foreign_keys = ON')
  // Kept short because a wait here stops the whole process; `retryWhileBusy` does the longer
  // waiting.
  file.pragma('busy_timeout = 50')
  return file
}

/** Turns Kysely's own queue for the one connection off: it would wait where our driver throws. */
class OwnQueueAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export function makeSqliteDialect(file: SqliteFile.Database): Dialect {
  return {
    createAdapter: () => new OwnQueueAdapter(),
    createDriver: () => makeDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function makeDriver(file: SqliteFile.Database): Driver {
  const statements = new LRUCache<string, SqliteFile.Statement>({ max: STATEMENTS_MAX })
  function prepare(sql: string): SqliteFile.Statement {
    const known = statements.get(sql)
    if (known) return known
    const made = file.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      return retryWhileBusy(() => {
        const statement = prepare(query.sql)
        if (statement.reader) return { rows: statement.all(query.parameters as unknown[]) as Row[] }
        const { changes, lastInsertRowid } = statement.run(query.parameters as unknown[])
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
      })
    },
    async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      for (const row of prepare(query.sql).iterate(query.parameters as unknown[]))
        yield { rows: [row as Row] }
    },
  }
  let last: Promise<void> = Promise.resolve()
  let release: () => void = () => {}
  const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
  return {
    async init() {},
    async acquireConnection() {
      if (insideTransaction.getStore())
        throw new Error('A query used the database from outside inside a transaction: pass tx down')
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      release = resolve
      return connection
    },
    async beginTransaction() {
      await run('begin immediate')
    },
    async commitTransaction() {
      await run('commit')
    },
    async rollbackTransaction() {
      if (file.inTransaction) await run('rollback')
    },
    async releaseConnection() {
      release()
    },
    async destroy() {
      statements.clear()
      file.close()
    },
  }
}

/**
 * Another process may hold the write lock for a moment: try again without stopping the event loop.
 */
async function retryWhileBusy<Result>(work: () => Result): Promise<Result> {
  const giveUpAtMs = performance.now() + BUSY_LIMIT_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof SqliteFile.SqliteError) || !error.code.startsWith('SQLITE_BUSY'))
        throw error
      if (performance.now() > giveUpAtMs) {
        throw new Refusal(
          'general_service_disabled',
          'The server is busy. Please try again in a moment.',
          {
            headers: { 'retry-after': '5' },
            cause: error,
          },
        )
      }
      await delay(BUSY_RETRY_MS)
    }
  }
}
