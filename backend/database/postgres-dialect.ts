// Kysely over a pool of PostgreSQL connections. Every call has a time limit, a lost connection is a
// 503 and never the end of the process, and a lost answer to a commit is told apart.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
  SelectQueryNode,
} from 'kysely'
import pg from 'pg'
import {
  DATABASE_WAITING_MAX,
  POSTGRES_CONNECTIONS,
  POSTGRES_PROBE_TIMEOUT_MS,
  READERS_SHARE,
} from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import { DatabaseAway, isConnectionFault, UnknownOutcome } from './faults.ts'
import { makeOutage } from './outage.ts'
import {
  cut,
  LIMITS,
  openPool,
  PostgresConnection,
  type PostgresLimits,
  toResult,
  toStatement,
  withinTime,
} from './postgres-connection.ts'
import { makeReader, type Reader } from './postgres-reader.ts'
import { repeated } from './transaction.ts'

/** A test hands in shorter limits. */
export type PostgresNeeds = {
  connectionString: string
  log: Log
  limits?: Partial<PostgresLimits> | undefined
  /** How many connections there may be at most. */
  connections?: number | undefined
  /** Handed how to find out how the connections are used. */
  notePool?: ((numbers: () => { open: number; idle: number; waiting: number }) => void) | undefined
}

export function makePostgresDialect(needs: PostgresNeeds): Dialect {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => makeDriver(needs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  }
}

/** Page sizes up to this stand in the statement. */
const PAGE_MAX = 100

/**
 * Writes the sizes of usual pages into statements: PostgreSQL makes a plan for each call of a
 * prepared statement with an unknown limit, because it would have to expect a tenth of all rows.
 */
class QueryCompiler extends PostgresQueryCompiler {
  #last = ''

  protected override append(text: string): void {
    this.#last = text
    super.append(text)
  }

  protected override appendValue(value: unknown): void {
    const isPage = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= PAGE_MAX
    const isFixed =
      (isPage && this.#last.endsWith('limit ')) || (value === 0 && this.#last.endsWith('offset '))
    if (isFixed) this.append(String(value))
    else super.appendValue(value)
  }
}

/** A pool without time limits, for migrations, which may rightly take long. */
export function makePatientPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Asks once, on a connection of its own. @throws the reason when there is no answer in time */
export async function probePostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    const asking = client.connect().then(() => client.query('select 1'))
    await withinTime(asking, POSTGRES_PROBE_TIMEOUT_MS)
  } finally {
    cut(client)
  }
}

/** Takes a connection only for the first statement that needs one: reads share others. */
class Lent implements DatabaseConnection {
  readonly #acquire: () => Promise<PostgresConnection>
  readonly #read: Read
  held: PostgresConnection | undefined
  #isInTransaction = false

  constructor(acquire: () => Promise<PostgresConnection>, read: Read) {
    this.#acquire = acquire
    this.#read = read
  }

  async begin(): Promise<void> {
    this.#isInTransaction = true
    await this.run({ text: 'begin' })
  }

  async run(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.held ??= await this.#acquire()
    return await this.held.run(statement)
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = toStatement(query)
    if (this.#isInTransaction) return toResult(await this.run(statement))
    return await repeated(async () => {
      if (this.held?.isLost) this.release()
      const reading = isRead(query) && !this.held ? await this.#read(statement) : undefined
      return toResult(reading ?? (await this.run(statement)))
    })
  }

  // biome-ignore lint/correctness/useYield: nothing streams rows, and Kysely wants the method
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed')
  }

  release(): void {
    this.held?.release()
    this.held = undefined
  }
}

/** @returns undefined when it is to be asked on a connection of its own */
type Read = (statement: pg.QueryConfig) => Promise<pg.QueryResult | undefined>

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*select\b/i.test(sql))
}

function numbersOf(pool: pg.Pool, reader: Reader) {
  const { open, idle } = reader.numbers()
  return {
    open: pool.totalCount + open,
    idle: pool.idleCount + idle,
    waiting: pool.waitingCount,
  }
}

function makeDriver(needs: PostgresNeeds): Driver {
  const { connectionString, log, notePool, connections = POSTGRES_CONNECTIONS } = needs
  const limits = { ...LIMITS, ...needs.limits }
  const readers = Math.max(1, Math.floor(connections * READERS_SHARE))
  /** Connections from before it changed are not used again: they are dead, or know old tables. */
  let generation = 0
  const renew = () => {
    generation++
    reader.renew()
  }
  const generations = new WeakMap<pg.ClientBase, number>()
  const outage = makeOutage({
    log,
    probe: () => probePostgres(connectionString),
    onBegin: renew,
  })
  const pool = openPool({ connectionString, max: connections - readers, limits }, (client) =>
    generations.set(client, generation),
  )
  const reader = makeReader({
    ...{ connectionString, connections: readers, limits, onStalePlan: renew },
    onLost: (error) => outage.began(error),
  })
  notePool?.(() => numbersOf(pool, reader))
  pool.on('error', (error) => void outage.suspect(error))
  async function read(statement: pg.QueryConfig): Promise<pg.QueryResult | undefined> {
    await outage.pass()
    return await reader.read(statement)
  }
  async function acquire(): Promise<PostgresConnection> {
    await outage.pass()
    if (pool.waitingCount >= DATABASE_WAITING_MAX)
      throw new DatabaseAway(new Error('Too many calls wait for a connection'))
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw isConnectionFault(error) ? outage.began(error) : outage.suspect(error)
      })
      const own = { outage, silenceMs: limits.silence, onStalePlan: renew }
      const connection = new PostgresConnection(client, own)
      if (generations.get(client) === generation) return connection
      connection.isLost = true
      connection.release()
    }
  }
  return {
    async init() {},
    acquireConnection: async () => new Lent(acquire, read),
    beginTransaction: (connection) => (connection as Lent).begin(),
    async commitTransaction(connection) {
      const lent = connection as Lent
      try {
        const { command } = await lent.run({ text: 'commit' })
        if (command !== 'COMMIT') throw new Error('A failed transaction was committed')
      } catch (error) {
        // An error that the server itself reports on a living connection is a rollback.
        throw lent.held?.isLost ? new UnknownOutcome((error as Error).cause ?? error) : error
      }
    },
    async rollbackTransaction(connection) {
      const { held } = connection as Lent
      if (!held || held.isLost) return
      // What failed before is what the caller hears; a connection in doubt is cut.
      await held.run({ text: 'rollback' }).catch(() => {
        held.isLost = true
      })
    },
    async releaseConnection(connection) {
      ;(connection as Lent).release()
    },
    async destroy() {
      outage.end()
      await Promise.all([pool.end(), reader.end()])
    },
  }
}
