// One connection to PostgreSQL that waits for NOTIFY, and connects again when it is lost.
import pg from 'pg'
import type { Log } from '../process/log.ts'
import { POSTGRES_CONNECT_TIMEOUT_MS, POSTGRES_PROBE_TIMEOUT_MS } from './circuit-breaker.ts'
import { describePostgresError } from './database-errors.ts'

/** How often it asks whether PostgreSQL is still there. */
const PROBE_EVERY_MS = 10_000
const CONNECT_AGAIN_MS = 1000

/** `missed` is called when it listens again: what was sent meanwhile is lost. */
export function startListening(
  { connectionString, log, channel }: { connectionString: string; log: Log; channel: string },
  subscriber: { notify(payload: string): void; missed(): void },
) {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isAway = false

  async function connect(): Promise<void> {
    const own = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
      query_timeout: POSTGRES_PROBE_TIMEOUT_MS,
    })
    client = own
    const loseIt = (error: unknown) => lose(own, error)
    own.on('error', loseIt)
    own.on('end', () => loseIt(new Error('The connection has ended')))
    own.on('notification', ({ payload = '' }) => subscriber.notify(payload))
    try {
      await own.connect()
      await own.query(`listen ${channel}`)
    } catch (error) {
      return loseIt(error)
    }
    if (client !== own) return
    timer = setInterval(() => own.query('select 1').catch(loseIt), PROBE_EVERY_MS).unref()
    if (!isAway) return
    isAway = false
    log.warn({ event: 'events received again' }, 'events of other processes are received again')
    subscriber.missed()
  }
  function lose(own: pg.Client, error: unknown): void {
    if (client !== own) return
    void close()
    if (!isAway)
      log.warn(
        { event: 'events missed', reason: describePostgresError(error) },
        'PostgreSQL sends no events',
      )
    isAway = true
    timer = setTimeout(() => void connect(), CONNECT_AGAIN_MS).unref()
  }
  async function close(): Promise<void> {
    clearTimeout(timer)
    const own = client
    client = undefined
    await own?.end().catch(() => {})
  }
  /** `tried` resolves once the first attempt to listen has ended, well or not. */
  return { tried: connect(), stop: close }
}
