// A connection to PostgreSQL that listens for NOTIFY, and reconnects when it is lost.
import pg from 'pg'
import type { Log } from '../process/log.ts'
import { POSTGRES_CONNECT_TIMEOUT_MS, POSTGRES_PROBE_TIMEOUT_MS } from './circuit-breaker.ts'
import { describePostgresError } from './database-errors.ts'

/** How often the connection is checked. */
const PROBE_EVERY_MS = 10_000
const RECONNECT_MS = 1000

/** `missed` is called after a reconnection: events sent meanwhile are lost. */
export function startListening(
  { connectionString, log, channel }: { connectionString: string; log: Log; channel: string },
  subscriber: { notify(payload: string): void; missed(): void },
) {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isDisconnected = false

  async function connect(): Promise<void> {
    const newClient = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
      query_timeout: POSTGRES_PROBE_TIMEOUT_MS,
    })
    client = newClient
    const handleLoss = (error: unknown) => handleConnectionLoss(newClient, error)
    newClient.on('error', handleLoss)
    newClient.on('end', () => handleLoss(new Error('The connection has ended')))
    newClient.on('notification', ({ payload = '' }) => subscriber.notify(payload))
    try {
      await newClient.connect()
      await newClient.query(`listen ${channel}`)
    } catch (error) {
      return handleLoss(error)
    }
    if (client !== newClient) return
    timer = setInterval(() => newClient.query('select 1').catch(handleLoss), PROBE_EVERY_MS).unref()
    if (!isDisconnected) return
    isDisconnected = false
    log.warn({ event: 'events received again' }, 'events of other processes are received again')
    subscriber.missed()
  }
  function handleConnectionLoss(lostClient: pg.Client, error: unknown): void {
    if (client !== lostClient) return
    void close()
    if (!isDisconnected)
      log.warn(
        { event: 'events missed', reason: describePostgresError(error) },
        'PostgreSQL sends no events',
      )
    isDisconnected = true
    timer = setTimeout(() => void connect(), RECONNECT_MS).unref()
  }
  async function close(): Promise<void> {
    clearTimeout(timer)
    const closing = client
    client = undefined
    await closing?.end().catch(() => {})
  }
  /** `firstAttempt` resolves after the first attempt to listen, whether it succeeded or failed. */
  return { firstAttempt: connect(), stop: close }
}
