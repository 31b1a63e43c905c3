// One connection to PostgreSQL that waits for NOTIFY, and connects again when it is lost.
import pg from 'pg'
import {
  CHANGES_CONNECT_AGAIN_MS,
  CHANGES_PROBE_EVERY_MS,
  POSTGRES_CONNECT_TIMEOUT_MS,
  POSTGRES_PROBE_TIMEOUT_MS,
} from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import { CHANGE_CHANNEL } from './change-log.ts'
import { reasonOf } from './faults.ts'

export type Listening = {
  /** Resolves once the first attempt to listen has ended, well or not. */
  tried: Promise<void>
  stop(): Promise<void>
}

type Hearer = {
  /** It listens; what this throws counts as a lost connection. */
  ready(): Promise<void>
  notify(payload: string): void
  /** PostgreSQL has answered. */
  alive(): void
  lost(): void
}

export function startListening(
  { connectionString, log }: { connectionString: string; log: Log },
  hearer: Hearer,
): Listening {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isAway = false

  async function connect(): Promise<void> {
    const own = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
      query_timeout: POSTGRES_PROBE_TIMEOUT_MS,
    })
    client = own
    own.on('error', (error) => lose(own, error))
    own.on('end', () => lose(own, new Error('The connection has ended')))
    own.on('notification', ({ payload = '' }) => hearer.notify(payload))
    try {
      await own.connect()
      await own.query(`listen ${CHANGE_CHANNEL}`)
      await hearer.ready()
      if (client !== own) return
      hearer.alive()
      if (isAway) log.warn({ event: 'changes heard again' }, 'changes of other processes are heard')
      isAway = false
      timer = setTimeout(() => void probe(own), CHANGES_PROBE_EVERY_MS).unref()
    } catch (error) {
      lose(own, error)
    }
  }
  async function probe(own: pg.Client): Promise<void> {
    try {
      await own.query('select 1')
      if (client !== own) return
      hearer.alive()
      timer = setTimeout(() => void probe(own), CHANGES_PROBE_EVERY_MS).unref()
    } catch (error) {
      lose(own, error)
    }
  }
  function lose(own: pg.Client, error: unknown): void {
    if (client !== own) return
    client = undefined
    clearTimeout(timer)
    void own.end().catch(() => {})
    if (isStopped) return
    if (!isAway)
      log.warn({ event: 'changes unheard', reason: reasonOf(error) }, 'PostgreSQL tells no changes')
    isAway = true
    hearer.lost()
    timer = setTimeout(() => void connect(), CHANGES_CONNECT_AGAIN_MS).unref()
  }
  return {
    tried: connect(),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const own = client
      client = undefined
      await own?.end().catch(() => {})
    },
  }
}
