// Kysely over a pool of PostgreSQL connections. Every call has a time limit, a lost connection is a
// 503 and never ends the process, and a lost answer to a commit is an error of its own.

import {
  type Dialect,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import type { Log } from '../process/log.ts'
import {
  type CircuitBreaker,
  makeCircuitBreaker,
  POSTGRES_CONNECT_TIMEOUT_MS,
  POSTGRES_PROBE_TIMEOUT_MS,
} from './circuit-breaker.ts'
import {
  CommitOutcomeUnknown,
  codeOf,
  DATABASE_WAITING_MAX,
  DatabaseUnavailable,
  isConnectionError,
  isTransientError,
} from './database-errors.ts'
import { DATABASE_LOCK_TIMEOUT_MS, retryOnConflict, STALE_PLAN } from './transaction.ts'

/** Connections of one process, unless BLOG_DATABASE_CONNECTIONS says otherwise. */
const POSTGRES_CONNECTIONS = 10
/** Prepared statements of each connection; each combination of list filters needs its own. */
const PREPARED_STATEMENTS_MAX = 300
/** PostgreSQL ends a longer statement itself. Migrations have no such limit. */
const POSTGRES_STATEMENT_TIMEOUT_MS = 7000
const POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
/** A PostgreSQL that is silent for longer counts as away. */
const POSTGRES_SILENCE_TIMEOUT_MS = 8000

/** A test passes shorter limits. */
type PostgresOptions = {
  connectionString: string
  log: Log
  limits?: Partial<PostgresLimits> | undefined
  /** The maximum number of connections in the pool. */
  connections?: number | undefined
  /** Receives a function that reads the state of the pool. */
  observePool?:
    | ((numbers: () => { open: number; idle: number; waiting: number }) => void)
    | undefined
}

export function makePostgresDialect(options: PostgresOptions): Dialect {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  return new CompilingDialect({ pool: makePool(options) })
}

class CompilingDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new QueryCompiler()
  }
}

/** Page sizes up to this are literals in the statement. */
const PAGE_MAX = 100

/**
 * Writes the sizes of usual pages into statements. With a limit that is a parameter, PostgreSQL
 * would plan a prepared statement again for each call, because a generic plan has to expect a tenth
 * of all rows.
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

/** A pool without time limits, for migrations, which may take long. */
export function makeMigrationPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Queries once, on a new connection. @throws the error, also when there is no answer in time */
export async function probePostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: POSTGRES_PROBE_TIMEOUT_MS,
    query_timeout: POSTGRES_PROBE_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    destroyConnection(client)
  }
}

function makePool(options: PostgresOptions): PostgresPool {
  const { connectionString, log, observePool, connections: max = POSTGRES_CONNECTIONS } = options
  const limits = { ...LIMITS, ...options.limits }
  /** Connections of earlier generations are discarded: they are dead, or have stale plans. */
  let generation = 0
  const startGeneration = () => {
    generation++
  }
  const generations = new WeakMap<pg.ClientBase, number>()
  const circuitBreaker = makeCircuitBreaker({
    log,
    probe: () => probePostgres(connectionString),
    onOutage: startGeneration,
  })
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.silence,
    keepAlive: true,
    // Runs before a connection is used.
    onConnect: async (client: pg.ClientBase) => {
      generations.set(client, generation)
      await client.query(sessionLimits(limits))
    },
  })
  // Without listeners a connection that drops, idle or in use, would end the process.
  pool.on('error', (error) => void circuitBreaker.suspect(error))
  pool.on('connect', (client) => client.on('error', () => {}))
  observePool?.(() => {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool
    return { open, idle, waiting }
  })
  async function acquire(): Promise<pg.PoolClient> {
    await circuitBreaker.requireAvailable()
    if (pool.waitingCount >= DATABASE_WAITING_MAX)
      throw new DatabaseUnavailable(new Error('Too many calls wait for a connection'))
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw isConnectionError(error) ? circuitBreaker.trip(error) : circuitBreaker.suspect(error)
      })
      if (generations.get(client) === generation) return client
      client.release(true)
      destroyConnection(client)
    }
  }
  const connectionOptions = { acquire, circuitBreaker, onStalePlan: startGeneration }
  return {
    options: {},
    connect: async () => new PostgresConnection(await acquire(), connectionOptions),
    async end() {
      circuitBreaker.end()
      await pool.end()
    },
  }
}

// --- one connection: its limits, prepared statements and errors

/** Time limits in milliseconds. */
export type PostgresLimits = typeof LIMITS

const LIMITS = {
  connect: POSTGRES_CONNECT_TIMEOUT_MS,
  statement: POSTGRES_STATEMENT_TIMEOUT_MS,
  lock: DATABASE_LOCK_TIMEOUT_MS,
  idleInTransaction: POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  silence: POSTGRES_SILENCE_TIMEOUT_MS,
}

/** Values of `synchronous_commit` that do not wait for the disk, here and at a standby. */
const WEAK_COMMITS = "'off', 'local', 'remote_write'"

/** Set by statements, not at the connection's start: poolers refuse unknown start parameters. */
function sessionLimits({ statement, lock, idleInTransaction }: PostgresLimits): string {
  return [
    `set statement_timeout = ${statement}`,
    `set lock_timeout = ${lock}`,
    `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
    `select set_config('synchronous_commit', 'on', false)
     where current_setting('synchronous_commit') in (${WEAK_COMMITS})`,
  ].join(';')
}

/**
 * Whether an error means that the connection is lost: the server ended it, or the driver failed,
 * whose errors have many texts and no code.
 */
function isLoss(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError))
    return !(error instanceof TypeError || error instanceof RangeError)
  return ['FATAL', 'PANIC'].includes(error.severity ?? '') || isConnectionError(error)
}

/** Ends a connection without waiting for the other side. */
export function destroyConnection(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** Names of repeated statements, so that each connection parses them only once. */
const names = new Map<string, string>()
const seenOnce = new Set<string>()

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= PREPARED_STATEMENTS_MAX) return known
  if (!seenOnce.delete(text)) {
    if (seenOnce.size >= PREPARED_STATEMENTS_MAX) seenOnce.clear()
    seenOnce.add(text)
    return undefined
  }
  const name = `b${names.size}`
  names.set(text, name)
  return name
}

/** One connection of the pool while it is in use. */
export class PostgresConnection {
  #client: pg.PoolClient | undefined
  readonly #options: ConnectionOptions
  #isInTransaction = false
  /** The connection is unusable: it is destroyed instead of returned to the pool. */
  isLost = false

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#options = options
    this.#use(client)
  }

  #use(client: pg.PoolClient): pg.PoolClient {
    this.isLost = false
    client.on('error', this.#onError)
    this.#client = client
    return client
  }

  #onError = () => {
    this.isLost = true
  }

  async run(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const { acquire, circuitBreaker, onStalePlan } = this.#options
    const client = this.#client ?? this.#use(await acquire())
    try {
      return await client.query(statement)
    } catch (error) {
      if (statement.name !== undefined && codeOf(error) === STALE_PLAN) {
        onStalePlan()
        this.isLost = true
        throw new DatabaseUnavailable(error)
      }
      if (isLoss(error)) this.isLost = true
      if (this.isLost) throw circuitBreaker.trip(error)
      throw isTransientError(error) ? new DatabaseUnavailable(error) : error
    }
  }

  /** Called by Kysely, which sends `begin`, `commit` and `rollback` in lower case. */
  query = (async (text: string, values: unknown[]) => {
    if (text === 'commit') return await this.#commit()
    if (text === 'rollback') return await this.#rollBack()
    if (text === 'begin') this.#isInTransaction = true
    const name = text === 'begin' ? undefined : statementName(text)
    const statement = { text, values, ...(name === undefined ? {} : { name }) }
    if (this.#isInTransaction) return await this.run(statement)
    return await retryOnConflict(async () => {
      if (this.isLost) this.release()
      return await this.run(statement)
    })
  }) as PostgresPoolClient['query']

  async #commit(): Promise<pg.QueryResult> {
    try {
      return await this.run({ text: 'commit' })
    } catch (error) {
      // If the server itself reports an error on a working connection, it has rolled back.
      throw this.isLost ? new CommitOutcomeUnknown((error as Error).cause ?? error) : error
    }
  }

  async #rollBack(): Promise<object> {
    // The caller gets the earlier error; a connection in doubt is destroyed.
    if (!this.isLost)
      await this.run({ text: 'rollback' }).catch(() => {
        this.isLost = true
      })
    return { command: 'ROLLBACK', rows: [] }
  }

  release(): void {
    const client = this.#client
    this.#client = undefined
    client?.off('error', this.#onError)
    client?.release(this.isLost)
    if (client && this.isLost) destroyConnection(client)
  }
}

type ConnectionOptions = {
  /** Returns a connection that replaces a lost one. */
  acquire: () => Promise<pg.PoolClient>
  circuitBreaker: CircuitBreaker
  /** Called when tables have changed under prepared statements, also of other connections. */
  onStalePlan: () => void
}
