// Kysely over a pool of PostgreSQL connections. Every call has a time limit, a lost connection is a
// 503 and never the end of the process, and a lost answer to a commit is told apart.

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
/** Statements that each connection has prepared; a list asked otherwise is another one. */
const PREPARED_STATEMENTS_MAX = 300
/** PostgreSQL ends a longer statement itself. Migrations have no such limit. */
const POSTGRES_STATEMENT_TIMEOUT_MS = 7000
const POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
/** A PostgreSQL that is silent for longer counts as away. */
const POSTGRES_IDLE_TIMEOUT_MS = 8000

/** A test hands in shorter limits. */
type PostgresOptions = {
  connectionString: string
  log: Log
  limits?: Partial<PostgresLimits> | undefined
  /** How many connections there may be at most. */
  connections?: number | undefined
  /** Handed how to find out how the connections are used. */
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
export function makeMigrationPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Asks once, on a connection of its own. @throws the reason when there is no answer in time */
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
  /** Connections from before it changed are not used again: they are dead, or know old tables. */
  let generation = 0
  const renew = () => {
    generation++
  }
  const generations = new WeakMap<pg.ClientBase, number>()
  const circuitBreaker = makeCircuitBreaker({
    log,
    probe: () => probePostgres(connectionString),
    onBegin: renew,
  })
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.silence,
    keepAlive: true,
    // Before anybody has it.
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
    await circuitBreaker.pass()
    if (pool.waitingCount >= DATABASE_WAITING_MAX)
      throw new DatabaseUnavailable(new Error('Too many calls wait for a connection'))
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw isConnectionError(error) ? circuitBreaker.began(error) : circuitBreaker.suspect(error)
      })
      if (generations.get(client) === generation) return client
      client.release(true)
      destroyConnection(client)
    }
  }
  const own = { acquire, circuitBreaker, onStalePlan: renew }
  return {
    options: {},
    connect: async () => new PostgresConnection(await acquire(), own),
    async end() {
      circuitBreaker.end()
      await pool.end()
    },
  }
}

// --- one connection: its limits, its prepared statements, and what a fault of it means

/** How long each thing may take, in milliseconds. */
export type PostgresLimits = typeof LIMITS

const LIMITS = {
  connect: POSTGRES_CONNECT_TIMEOUT_MS,
  statement: POSTGRES_STATEMENT_TIMEOUT_MS,
  lock: DATABASE_LOCK_TIMEOUT_MS,
  idleInTransaction: POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  silence: POSTGRES_IDLE_TIMEOUT_MS,
}

/** Commits that wait for less than the log on disk, here and at a synchronous standby. */
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
 * Whether a fault means that the connection is lost: the server ends it, or the driver says by
 * itself that a statement cannot be answered, which it does in many words and without a code.
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

/** Names for statements that come again, so that a connection has each of them read only once. */
const names = new Map<string, string>()
const seenOnce = new Set<string>()

function nameOf(text: string): string | undefined {
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
  readonly #needs: ConnectionOptions
  #isInTransaction = false
  /** It cannot be used any more: it is cut instead of going back to the pool. */
  isLost = false

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#needs = options
    this.#take(client)
  }

  #take(client: pg.PoolClient): pg.PoolClient {
    this.isLost = false
    client.on('error', this.#onError)
    this.#client = client
    return client
  }

  #onError = () => {
    this.isLost = true
  }

  async run(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const { acquire, circuitBreaker, onStalePlan } = this.#needs
    const client = this.#client ?? this.#take(await acquire())
    try {
      return await client.query(statement)
    } catch (error) {
      if (statement.name !== undefined && codeOf(error) === STALE_PLAN) {
        onStalePlan()
        this.isLost = true
        throw new DatabaseUnavailable(error)
      }
      if (isLoss(error)) this.isLost = true
      if (this.isLost) throw circuitBreaker.began(error)
      throw isTransientError(error) ? new DatabaseUnavailable(error) : error
    }
  }

  /** As Kysely asks, which begins and ends transactions in these words. */
  query = (async (text: string, values: unknown[]) => {
    if (text === 'commit') return await this.#commit()
    if (text === 'rollback') return await this.#rollBack()
    if (text === 'begin') this.#isInTransaction = true
    const name = text === 'begin' ? undefined : nameOf(text)
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
      // An error that the server itself reports on a living connection is a rollback.
      throw this.isLost ? new CommitOutcomeUnknown((error as Error).cause ?? error) : error
    }
  }

  async #rollBack(): Promise<object> {
    // What failed before is what the caller hears; a connection in doubt is cut.
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
  /** A connection in place of one that was lost. */
  acquire: () => Promise<pg.PoolClient>
  circuitBreaker: CircuitBreaker
  /** Tables have changed under prepared statements: other connections have such, too. */
  onStalePlan: () => void
}
