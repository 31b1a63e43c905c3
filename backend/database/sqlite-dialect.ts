// Kysely over better-sqlite3 with cached prepared statements (several times as fast for reads by
// key). One connection writes, the other reads committed data. A query on the database inside a
// transaction would not see the changes of that transaction, so it throws.
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
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import {
  makePrepare,
  makeWriteQueue,
  type QueueOptions,
  RELEASE,
  runStatement,
  SAVEPOINT,
  type WriteSlot,
  whileBusy,
} from './sqlite-write-queue.ts'
import { DATABASE_LOCK_TIMEOUT_MS, insideTransaction } from './transaction.ts'

type SqliteFiles = { writer: SqliteFile.Database; reader: SqliteFile.Database }

export function openSqliteFiles(path: string): SqliteFiles {
  const writer = new SqliteFile(path)
  writer.pragma('journal_mode = WAL')
  writer.pragma('synchronous = FULL')
  writer.pragma('foreign_keys = ON')
  const reader = new SqliteFile(path, { readonly: true })
  // A wait inside SQLite stops the whole process: `whileBusy` waits instead.
  for (const file of [writer, reader]) file.pragma('busy_timeout = 0')
  return { writer, reader }
}

/**
 * Disables Kysely's own queue for a single connection, which would wait where our driver throws.
 * Also makes migrations run in a transaction, so that an interrupted one has changed nothing:
 * SQLite can roll back DDL, although Kysely does not rely on it.
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
 * SQLite replans a statement if its plan could depend on a bound value: a limit, or whether a
 * compared value is 0 or 1. So limits become part of the statement, and a plus sign hides the other
 * values from the planner.
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

/** As {@link QueueOptions}; a test passes other limits. */
type SqliteOptions = Partial<QueueOptions> & Pick<QueueOptions, 'onFatal'>

export function makeSqliteDialect(files: SqliteFiles, options: SqliteOptions): Dialect {
  return {
    createAdapter: () => new OwnQueueAdapter(),
    createDriver: () => makeDriver(files, { lockMs: DATABASE_LOCK_TIMEOUT_MS, ...options }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SamePlanCompiler(),
  }
}

/** The connection that Kysely uses for a query or a transaction. */
type SqliteConnection = DatabaseConnection & { slot: WriteSlot | undefined }

function makeDriver({ writer, reader }: SqliteFiles, options: QueueOptions): Driver {
  const queue = makeWriteQueue(writer, options)
  const prepareToRead = makePrepare(reader)
  // SQLite reads synchronously: a series of reads would block the event loop.
  const yieldToEventLoop = makeYieldToEventLoop()
  async function writeAlone<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const slot = await queue.enter()
    try {
      return slot.run(sql, parameters)
    } finally {
      await slot.leave()
    }
  }
  function connect(): SqliteConnection {
    return {
      slot: undefined,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        const { sql, parameters } = query
        if (this.slot) return this.slot.run(sql, parameters)
        if (!mayRead(query)) return writeAlone(query)
        await yieldToEventLoop()
        const read = () => {
          const statement = prepareToRead(sql)
          return statement.readonly ? runStatement<Row>(statement, parameters) : undefined
        }
        return (await whileBusy(read, performance.now() + options.lockMs)) ?? writeAlone(query)
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
      queue.refuseAfterFailure()
      return connect()
    },
    async beginTransaction(connection) {
      const sqliteConnection = connection as SqliteConnection
      sqliteConnection.slot = await queue.enter()
      sqliteConnection.slot.run(SAVEPOINT)
    },
    async commitTransaction(connection) {
      ;(connection as SqliteConnection).slot?.run(RELEASE)
    },
    async rollbackTransaction(connection) {
      ;(connection as SqliteConnection).slot?.rollBack()
    },
    // Kysely waits for it before it returns, after a commit and after a rollback.
    async releaseConnection(connection) {
      await (connection as SqliteConnection).slot?.leave()
    },
    async destroy() {
      reader.close()
      writer.close()
    },
  }
}

/**
 * Whether the reading connection may prepare the query: SELECTs by Kysely, and raw SQL, for which
 * SQLite then tells whether it only reads. Never DDL: with an outdated schema the reading
 * connection may take it for a no-op.
 */
function mayRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'RawNode') return !CHANGES_TABLES.test(sql)
  return query.kind === 'SelectQueryNode'
}

const CHANGES_TABLES = /^\s*(create|drop|alter)\s/i
