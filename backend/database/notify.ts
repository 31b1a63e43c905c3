// Sends events between processes by PostgreSQL's NOTIFY, which preserves the order of commits.
import { sql } from 'kysely'
import { makeId } from '../process/ids.ts'
import type { RealtimeEvent } from './realtime-events.ts'
import type { Database } from './schema.ts'

/** The name of the NOTIFY channel; each database has its own. */
export const EVENT_CHANNEL = 'lamplight_change'

/** A NOTIFY payload has less than 8,000 bytes, and a character at most four. */
const PIECE = /.{1,1900}/gsu

/** Events waiting for NOTIFY. When there are more, older events are sent without their payload. */
const WAITING_EVENTS_MAX = 100

/** Events of this process with their payloads, by the key of their message. */
const waitingEvents = new WeakMap<Database, Map<string, RealtimeEvent[]>>()

/** Must be called at the end of the transaction. */
export async function notifyOfEvents(db: Database, tx: Database, events: RealtimeEvent[]) {
  if (events.length === 0) return
  const key = makeId()
  remember(waitingEventsOf(db), key, events)
  const text = JSON.stringify({ key, events: events.map(withoutPayload) })
  const pieces = text.match(PIECE) ?? []
  const payloads = pieces.map((piece, at) => `${at + 1}/${pieces.length} ${piece}`)
  await sql`select pg_notify(${EVENT_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(tx)
}

/**
 * Reassembles the payloads of one transaction, which arrive one after the other.
 *
 * @returns a function that reads one payload, and returns the events with the last one
 */
export function makeMessageReader(db: Database): (payload: string) => RealtimeEvent[] {
  let text = ''
  return (payload) => {
    const [, at, count, piece = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    text = at === '1' ? piece : text + piece
    if (at === undefined || at !== count) return []
    const { key, events } = JSON.parse(text)
    const eventsWithPayload = waitingEventsOf(db).get(key)
    waitingEventsOf(db).delete(key)
    return eventsWithPayload ?? events
  }
}

function waitingEventsOf(db: Database): Map<string, RealtimeEvent[]> {
  const eventsByKey = waitingEvents.get(db) ?? new Map()
  waitingEvents.set(db, eventsByKey)
  return eventsByKey
}

function remember(
  eventsByKey: Map<string, RealtimeEvent[]>,
  key: string,
  events: RealtimeEvent[],
): void {
  eventsByKey.set(key, events)
  const [oldest] = eventsByKey.keys()
  if (eventsByKey.size > WAITING_EVENTS_MAX && oldest !== undefined) eventsByKey.delete(oldest)
}

/** Drops the payload of a post, whose text may be long: receivers read the post again. */
export function withoutPayload(event: RealtimeEvent): RealtimeEvent {
  return event.kind === 'post' && event.action !== 'delete' && event.action !== 'unpublish'
    ? { ...event, payload: undefined }
    : event
}
