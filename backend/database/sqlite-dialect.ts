// Kysely over better-sqlite3 with cached prepared statements (several times as fast for reads by
// key). One connection writes; it reads, too, while it has no transaction, because its cache
// outlives its own commits. The other one reads meanwhile. A query beside a transaction, made
// inside it, would not see what the transaction did, so it throws instead.
import SqliteFile from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { DATABASE_LOCK_TIMEOUT_MS } from '#contract/server-limits.ts'
import { whileBusy } from './sqlite-groups.ts'
import { type LogSync, makeLogSync } from './sqlite-log-sync.ts'
import {
  makePrepare,
  makeSqliteWriter,
  runStatement,
  type SqliteTransaction,
  type WriterNeeds,
} from './sqlite-writer.ts'
import { insideTransaction } from './transaction.ts'

type SqliteFiles = { writer: SqliteFile.Database; reader: SqliteFile.Database; log: LogSync }

export function openSqliteFiles(path: string): SqliteFiles {
  const writer = new SqliteFile(path)
  writer.pragma('journal_mode = WAL')
  // A commit syncs nothing: `log` does it for all that are waiting. So do checkpoints in a thread.
  writer.pragma('synchronous = NORMAL')
  writer.pragma('wal_autocheckpoint = 0')
  writer.pragma('foreign_keys = ON')
  const reader = new SqliteFile(path, { readonly: true })
  // A wait inside SQLite stops the whole process: `whileBusy` waits instead.
  for (const file of [writer, reader]) file.pragma('busy_timeout = 0')
  return { writer, reader, log: makeLogSync(`${path}-wal`) }
}

/**
 * Turns Kysely's own queue for the one connection off: it would wait where our driver throws. And
 * migrations run in a transaction, so that one that was cut off has changed nothing: SQLite can
 * take back changes of tables, although Kysely does not count on it.
 */
class OwnQueueAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * SQLite plans a statement anew each time if its plan could depend on a bound value: the size of a
 * limit, or whether a compared value is 0 or 1. Limits become part of the statement, and a plus
 * sign keeps the rest from being looked at.
 */
class SamePlanCompiler extends SqliteQueryCompiler {
  #isLimit = false
  protected override append(text: string): void {
    this.#isLimit = /\blimit $/.test(text)
    super.append(text)
  }
  protected override appendValue(parameter: unknown): void {
    if (this.#isLimit && typeof parameter === 'number') this.append(String(parameter))
    else super.appendValue(parameter)
  }
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** As {@link WriterNeeds}; a test hands in less. */
type SqliteNeeds = Partial<WriterNeeds> & Pick<WriterNeeds, 'onFatal'>

export function makeSqliteDialect(files: SqliteFiles, needs: SqliteNeeds): Dialect {
  return {
    createAdapter: () => new OwnQueueAdapter(),
    createDriver: () => makeDriver(files, needs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SamePlanCompiler(),
  }
}

/** What Kysely holds while it runs a query or a transaction. */
type Held = DatabaseConnection & { transaction: SqliteTransaction | undefined }

function makeDriver(
  files: SqliteFiles,
  { lockMs = DATABASE_LOCK_TIMEOUT_MS, ...needs }: SqliteNeeds,
): Driver {
  const writer = makeSqliteWriter({ file: files.writer, log: files.log }, { ...needs, lockMs })
  const prepareToRead = makePrepare(files.reader)
  const prepareBesideWrites = makePrepare(files.writer)
  function connect(): Held {
    return {
      transaction: undefined,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (this.transaction) return this.transaction.run(query)
        if (!mayRead(query)) return writer.runAlone(query)
        const giveUpAtMs = performance.now() + lockMs
        const prepare = files.writer.inTransaction ? prepareToRead : prepareBesideWrites
        const statement = await whileBusy(() => prepare(query.sql), giveUpAtMs)
        if (!statement.readonly) return writer.runAlone(query)
        return whileBusy(() => runStatement<Row>(statement, query.parameters), giveUpAtMs)
      },
      async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
        yield await this.executeQuery<Row>(query)
      },
    }
  }
  return {
    async init() {},
    async acquireConnection() {
      if (insideTransaction.getStore())
        throw new Error('A query used the database from outside inside a transaction: pass tx down')
      writer.refuseAfterFailure()
      return connect()
    },
    async beginTransaction(connection) {
      ;(connection as Held).transaction = await writer.begin()
    },
    async commitTransaction(connection) {
      await (connection as Held).transaction?.commit()
    },
    async rollbackTransaction(connection) {
      await (connection as Held).transaction?.rollback()
    },
    async releaseConnection(connection) {
      ;(connection as Held).transaction = undefined
    },
    async destroy() {
      files.reader.close()
      await writer.close()
    },
  }
}

/**
 * Kysely's own reads, and raw SQL, which its statement decides about. Not where that depends on the
 * tables: by what the reading connection has last seen of them there may be nothing to do.
 */
function mayRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'RawNode') return !CHANGES_TABLES.test(sql)
  return query.kind === 'SelectQueryNode'
}

const CHANGES_TABLES = /^\s*(create|drop|alter)\s/i
