// Subscribes to the events of this process and, by NOTIFY or by messages between workers, to those
// of others.
import type { Log } from '../process/log.ts'
import type { OtherWorkers } from '../process/workers.ts'
import { EVENT_CHANNEL, makeMessageReader, withoutPayload } from './notify.ts'
import type { RealtimeEvent } from './realtime-events.ts'
import type { Database } from './schema.ts'
import { onCommitted } from './transaction.ts'

export type SubscribeOptions = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  /** Undefined for a single process. */
  otherWorkers: OtherWorkers | undefined
}

export type EventHandler = {
  /** Events are handled one after the other. */
  handle(event: RealtimeEvent): Promise<void>
  /** Events may have been missed. */
  missed(): void
}

/**
 * @returns after the first attempt to listen: a function that stops listening, and resolves when
 *   all received events are handled
 */
export async function subscribeToEvents(options: SubscribeOptions, handler: EventHandler) {
  const { db, databaseUrl, log, otherWorkers } = options
  let last = Promise.resolve()
  const inTurn = (work: () => void | Promise<void>) => {
    last = last.then(work).catch((err: unknown) => log.error({ err }, 'an event was not handled'))
  }
  const handleAll = (events: RealtimeEvent[]) => {
    for (const event of events) inTurn(() => handler.handle(event))
  }
  if (databaseUrl === undefined) {
    onCommitted(db, (events) => {
      handleAll(events)
      otherWorkers?.send(events.map(withoutPayload))
    })
    otherWorkers?.onMessage((body) => handleAll(body as RealtimeEvent[]))
    return () => last
  }
  const read = makeMessageReader(db)
  const { startListening } = await import('./postgres-listening.ts')
  const listening = startListening(
    { connectionString: databaseUrl, log, channel: EVENT_CHANNEL },
    {
      notify(payload) {
        try {
          handleAll(read(payload))
        } catch (err) {
          // Any user of the database may send anything by NOTIFY.
          log.warn({ err }, 'a message of PostgreSQL could not be read')
        }
      },
      missed: () => inTurn(handler.missed),
    },
  )
  await listening.firstAttempt
  return async () => {
    await listening.stop()
    await last
  }
}
