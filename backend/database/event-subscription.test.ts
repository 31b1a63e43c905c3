// Events reach subscribers in this process, and from other processes on one PostgreSQL.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { describeEachDatabase, openPostgres } from '#test/support/databases.ts'
import { openDatabase } from './database.ts'
import { subscribeToEvents } from './event-subscription.ts'
import type { RealtimeEvent } from './realtime-events.ts'
import type { Database } from './schema.ts'
import { inTransaction, onCommitted, publishAfterCommit } from './transaction.ts'

const ACCESS = {
  userId: 'alice',
  status: 'active',
  readers: 'any',
  isHidden: 0,
  isAuthorBlocked: 0,
}
const log = makeLog('silent')

function postEvent(action: 'update' | 'delete', text: string): RealtimeEvent {
  return { kind: 'post', action, id: 'one', payload: { text }, access: ACCESS }
}

function say(db: Database, ...events: RealtimeEvent[]): Promise<void> {
  return inTransaction(db, makeBackground(log), async (tx) => publishAfterCommit(tx, ...events))
}

async function subscribe(db: Database, url: string | undefined) {
  const received: (RealtimeEvent | 'missed')[] = []
  const stop = await subscribeToEvents(
    { db, databaseUrl: url, log, otherWorkers: undefined },
    {
      handle: async (event) => void received.push(event),
      missed: () => void received.push('missed'),
    },
  )
  return { received, [Symbol.asyncDispose]: stop }
}

describeEachDatabase('events', (open) => {
  test('each event is received once, in the order of the commits, and none of a failed transaction', async () => {
    await using database = await open()
    const { db, url } = database
    await sql`create table counted (n integer)`.execute(db)
    await sql`insert into counted values (0)`.execute(db)
    await using listener = await subscribe(db, url)
    const count = async (turn: number) =>
      inTransaction(db, makeBackground(log), async (tx) => {
        const { rows } = await sql<{
          n: number
        }>`update counted set n = n + 1 returning n`.execute(tx)
        publishAfterCommit(tx, { kind: 'access', userId: String(rows[0]?.n) })
        if (turn % 3 === 0) throw new Error('rolled back')
      }).catch(() => {})
    await Promise.all(Array.from({ length: 30 }, (_, turn) => count(turn)))
    const expected = Array.from({ length: 20 }, (_, at) => ({
      kind: 'access',
      userId: String(at + 1),
    }))
    await expect.poll(() => listener.received).toEqual(expected)
  })

  test('a subscriber in the process receives an unchanged event before its call is answered', async () => {
    await using database = await open()
    const { db } = database
    const received: RealtimeEvent[][] = []
    onCommitted(db, (events) => void received.push(events))
    const events = [postEvent('update', 'whole'), { kind: 'access', userId: 'alice' } as const]
    const saying = inTransaction(db, makeBackground(log), async (tx) => {
      publishAfterCommit(tx, ...events)
      expect(received).toEqual([])
    })
    await saying
    expect(received).toEqual([events])
  })
})

async function openTwice() {
  const database = await openPostgres()
  const other = await openDatabase({ dataDir: '', databaseUrl: database.url })
  return {
    ...database,
    other,
    async [Symbol.asyncDispose]() {
      await other.destroy()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('another process receives the event of a changed post without its payload, and that of a deleted post with it', {
  tags: ['more'],
}, async () => {
  await using database = await openTwice()
  const { db, other, url } = database
  await using here = await subscribe(db, url)
  await using there = await subscribe(other, url)
  const long = `${'lámpara 💡 '.repeat(20_000)}\u0000\ud800`
  const events = [postEvent('update', long), postEvent('delete', long)]
  await say(db, ...events)
  await say(other, { kind: 'access', userId: 'last' })
  const last = { kind: 'access', userId: 'last' }
  await expect.poll(() => here.received).toEqual([...events, last])
  const { payload: _, ...update } = postEvent('update', long) as Extract<
    RealtimeEvent,
    { kind: 'post' }
  >
  await expect.poll(() => there.received).toEqual([update, events[1], last])
})

test('after a lost connection the subscriber learns that events may have been missed', {
  tags: ['more'],
}, async () => {
  await using database = await openTwice()
  const { db, other, url } = database
  await using listener = await subscribe(db, url)
  const { received } = listener
  const access = (userId: string) => ({ kind: 'access' as const, userId })
  for (const payload of ['', '17', '1/1 {', '1/2 {"key"', '7/9 }'])
    await sql`select pg_notify('lamplight_change', ${payload})`.execute(db)
  await say(other, access('one'))
  await expect.poll(() => received).toEqual([access('one')])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await expect.poll(() => received.at(-1)).toBe('missed')
  await say(other, access('two'))
  await expect.poll(() => received).toEqual([access('one'), 'missed', access('two')])
})
