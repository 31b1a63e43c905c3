// Kysely over a pool of PostgreSQL connections. Every call has a time limit, a lost connection is a
// 503 and never the end of the process, and a lost answer to a commit is told apart.
import {
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import {
  DATABASE_WAITING_MAX,
  POSTGRES_CONNECTIONS,
  POSTGRES_PROBE_TIMEOUT_MS,
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
  withinTime,
} from './postgres-connection.ts'

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

function makeDriver(needs: PostgresNeeds): Driver {
  const { connectionString, log, notePool, connections: max = POSTGRES_CONNECTIONS } = needs
  const limits = { ...LIMITS, ...needs.limits }
  /** Connections from before it changed are not used again: they are dead, or know old tables. */
  let generation = 0
  const renew = () => {
    generation++
  }
  const generations = new WeakMap<pg.ClientBase, number>()
  const outage = makeOutage({
    log,
    probe: () => probePostgres(connectionString),
    onBegin: renew,
  })
  const pool = openPool({ connectionString, max, limits }, (client) =>
    generations.set(client, generation),
  )
  notePool?.(() => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  pool.on('error', (error) => void outage.suspect(error))
  async function acquire(): Promise<pg.PoolClient> {
    await outage.pass()
    if (pool.waitingCount >= DATABASE_WAITING_MAX)
      throw new DatabaseAway(new Error('Too many calls wait for a connection'))
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw isConnectionFault(error) ? outage.began(error) : outage.suspect(error)
      })
      if (generations.get(client) === generation) return client
      client.release(true)
      cut(client)
    }
  }
  const own = { acquire, outage, silenceMs: limits.silence, onStalePlan: renew }
  return {
    async init() {},
    acquireConnection: async () => new PostgresConnection(await acquire(), own),
    async beginTransaction(connection) {
      const begun = connection as PostgresConnection
      begun.isInTransaction = true
      await begun.run({ text: 'begin' })
    },
    async commitTransaction(connection) {
      const committed = connection as PostgresConnection
      try {
        const { command } = await committed.run({ text: 'commit' })
        if (command !== 'COMMIT') throw new Error('A failed transaction was committed')
      } catch (error) {
        // An error that the server itself reports on a living connection is a rollback.
        throw committed.isLost ? new UnknownOutcome((error as Error).cause ?? error) : error
      }
    },
    async rollbackTransaction(connection) {
      const failed = connection as PostgresConnection
      if (failed.isLost) return
      // What failed before is what the caller hears; a connection in doubt is cut.
      await failed.run({ text: 'rollback' }).catch(() => {
        failed.isLost = true
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
