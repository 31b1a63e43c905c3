// Kysely over a pool of PostgreSQL connections. Every call has a time limit, a lost connection is a
// 503 and never the end of the process, and a lost answer to a commit is told apart.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import {
  DATABASE_LOCK_TIMEOUT_MS,
  DATABASE_WAITING_MAX,
  POSTGRES_CONNECT_TIMEOUT_MS,
  POSTGRES_CONNECTIONS,
  POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  POSTGRES_PROBE_TIMEOUT_MS,
  POSTGRES_SILENCE_TIMEOUT_MS,
  POSTGRES_STATEMENT_TIMEOUT_MS,
} from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import { DatabaseAway, isConnectionFault, isPassingFault, UnknownOutcome } from './faults.ts'
import { makeOutage, type Outage } from './outage.ts'

/** How long each thing may take, in milliseconds. */
export type PostgresLimits = typeof LIMITS

const LIMITS = {
  connect: POSTGRES_CONNECT_TIMEOUT_MS,
  statement: POSTGRES_STATEMENT_TIMEOUT_MS,
  lock: DATABASE_LOCK_TIMEOUT_MS,
  idleInTransaction: POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  silence: POSTGRES_SILENCE_TIMEOUT_MS,
}

/** Set by statements, not at the connection's start: poolers refuse unknown start parameters. */
function sessionLimits({ statement, lock, idleInTransaction }: PostgresLimits): string {
  return [
    `set statement_timeout = ${statement}`,
    `set lock_timeout = ${lock}`,
    `set idle_in_transaction_session_timeout = ${idleInTransaction}`,
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  ].join(';')
}

/** A test hands in shorter limits. */
export type PostgresNeeds = {
  connectionString: string
  log: Log
  limits?: Partial<PostgresLimits> | undefined
  /** Handed how to find out how the connections are used. */
  notePool?: ((numbers: () => { open: number; idle: number; waiting: number }) => void) | undefined
}

export function makePostgresDialect(needs: PostgresNeeds): Dialect {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => makeDriver(needs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
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

/** @throws an error with the code ETIMEDOUT */
async function withinTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error(`No answer for ${limitMs} ms`), { code: 'ETIMEDOUT' })),
    limitMs,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // What fails after the time limit has been answered already.
    work.catch(() => {})
  }
}

/** Ends a connection without waiting for the other side. */
function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** One connection of the pool while somebody has it. */
class PostgresConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  readonly #outage: Outage
  readonly #silenceMs: number
  /** Of no use any more: it is cut instead of going back to the pool. */
  isLost = false

  constructor(client: pg.PoolClient, outage: Outage, silenceMs: number) {
    this.client = client
    this.#outage = outage
    this.#silenceMs = silenceMs
    client.on('error', this.#onError)
  }

  #onError = () => {
    this.isLost = true
  }

  async run(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      const asking = this.client.query(text, parameters as unknown[])
      return await withinTime(asking, this.#silenceMs)
    } catch (error) {
      const { severity } = error as { severity?: string }
      if (['FATAL', 'PANIC'].includes(severity ?? '') || isConnectionFault(error))
        this.isLost = true
      if (this.isLost) throw this.#outage.began(error)
      throw isPassingFault(error) ? new DatabaseAway(error) : error
    }
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.run(sql, parameters)
    const isWrite = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
    return isWrite ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows: rows ?? [] }
  }

  // biome-ignore lint/correctness/useYield: nothing streams rows, and Kysely wants the method
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed')
  }

  release(): void {
    this.client.off('error', this.#onError)
    this.client.release(this.isLost)
    if (this.isLost) cut(this.client)
  }
}

function makeDriver({ connectionString, log, limits: given, notePool }: PostgresNeeds): Driver {
  const limits = { ...LIMITS, ...given }
  /** Connections from before the last outage are not used again: they may be dead silently. */
  let generation = 0
  const generations = new WeakMap<pg.ClientBase, number>()
  const outage = makeOutage({
    log,
    probe: () => probePostgres(connectionString),
    onBegin: () => generation++,
  })
  const pool = new pg.Pool({
    connectionString,
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    onConnect: async (client: pg.ClientBase) => {
      generations.set(client, generation)
      await withinTime(client.query(sessionLimits(limits)), limits.connect)
    },
  })
  notePool?.(() => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  // Without listeners a connection that drops, idle or in use, would end the process.
  pool.on('error', (error) => void outage.suspect(error))
  pool.on('connect', (client) => client.on('error', () => {}))

  async function acquire(): Promise<PostgresConnection> {
    await outage.pass()
    if (pool.waitingCount >= DATABASE_WAITING_MAX)
      throw new DatabaseAway(new Error('Too many calls wait for a connection'))
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw isConnectionFault(error) ? outage.began(error) : outage.suspect(error)
      })
      const connection = new PostgresConnection(client, outage, limits.silence)
      if (generations.get(client) === generation) return connection
      connection.isLost = true
      connection.release()
    }
  }
  return {
    async init() {},
    acquireConnection: acquire,
    async beginTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('begin'))
    },
    async commitTransaction(connection) {
      const held = connection as PostgresConnection
      try {
        const { command } = await held.run('commit', [])
        if (command !== 'COMMIT') throw new Error('A failed transaction was committed')
      } catch (error) {
        // An error that the server itself reports on a living connection is a rollback.
        throw held.isLost ? new UnknownOutcome((error as Error).cause ?? error) : error
      }
    },
    async rollbackTransaction(connection) {
      const held = connection as PostgresConnection
      if (held.isLost) return
      // What failed before is what the caller hears; a connection in doubt is cut.
      await held.run('rollback', []).catch(() => {
        held.isLost = true
      })
    },
    async releaseConnection(connection) {
      ;(connection as PostgresConnection).release()
    },
    async destroy() {
      outage.end()
      await pool.end()
    },
  }
}
