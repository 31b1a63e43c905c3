// Kysely over better-sqlite3 with cached prepared statements (several times as fast for reads by
// key). One connection writes, the other one reads and sees only what is committed. A query beside
// a transaction, made inside it, would not see what the transaction did, so it throws instead.
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

/** As {@link QueueOptions}; a test hands in other limits. */
type SqliteOptions = Partial<QueueOptions> & Pick<QueueOptions, 'onFatal'>

export function makeSqliteDialect(files: SqliteFiles, options: SqliteOptions): Dialect {
  return {
    createAdapter: () => new OwnQueueAdapter(),
    createDriver: () => makeDriver(files, { lockMs: DATABASE_LOCK_TIMEOUT_MS, ...options }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SamePlanCompiler(),
  }
}

/** What Kysely holds while it runs a query or a transaction. */
type Held = DatabaseConnection & { turn: WriteSlot | undefined }

function makeDriver({ writer, reader }: SqliteFiles, options: QueueOptions): Driver {
  const queue = makeWriteQueue(writer, options)
  const prepareToRead = makePrepare(reader)
  // SQLite answers at once: reads that follow each other would keep the event loop.
  const readTurns = makeYieldToEventLoop()
  async function writeAlone<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const turn = await queue.enter()
    try {
      return turn.run(sql, parameters)
    } finally {
      await turn.leave()
    }
  }
  function connect(): Held {
    return {
      turn: undefined,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        const { sql, parameters } = query
        if (this.turn) return this.turn.run(sql, parameters)
        if (!mayRead(query)) return writeAlone(query)
        await readTurns()
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
      const held = connection as Held
      held.turn = await queue.enter()
      held.turn.run(SAVEPOINT)
    },
    async commitTransaction(connection) {
      ;(connection as Held).turn?.run(RELEASE)
    },
    async rollbackTransaction(connection) {
      ;(connection as Held).turn?.takeBack()
    },
    // Kysely waits for it before it answers, whether the transaction was kept or taken back.
    async releaseConnection(connection) {
      await (connection as Held).turn?.leave()
    },
    async destroy() {
      reader.close()
      writer.close()
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
