// Changes on their way to those who listen: in this process, and from others on one PostgreSQL.
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

function postChange(action: 'update' | 'delete', text: string): RealtimeEvent {
  return { kind: 'post', action, id: 'one', payload: { text }, access: ACCESS }
}

function say(db: Database, ...changes: RealtimeEvent[]): Promise<void> {
  return inTransaction(db, makeBackground(log), async (tx) => publishAfterCommit(tx, ...changes))
}

async function hear(db: Database, url: string | undefined) {
  const heard: (RealtimeEvent | 'missed')[] = []
  const stop = await subscribeToEvents(
    { db, databaseUrl: url, log, otherWorkers: undefined },
    {
      handle: async (change) => void heard.push(change),
      missed: () => void heard.push('missed'),
    },
  )
  return { heard, [Symbol.asyncDispose]: stop }
}

describeEachDatabase('changes', (open) => {
  test('changes are heard in the order of their commits, each once, and none is of what failed', async () => {
    await using database = await open()
    const { db, url } = database
    await sql`create table counted (n integer)`.execute(db)
    await sql`insert into counted values (0)`.execute(db)
    await using listener = await hear(db, url)
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
    await expect.poll(() => listener.heard).toEqual(expected)
  })

  test('who listens in the process hears of a change before its call goes on, as it was made', async () => {
    await using database = await open()
    const { db } = database
    const heard: RealtimeEvent[][] = []
    onCommitted(db, (changes) => void heard.push(changes))
    const changes = [postChange('update', 'whole'), { kind: 'access', userId: 'alice' } as const]
    const saying = inTransaction(db, makeBackground(log), async (tx) => {
      publishAfterCommit(tx, ...changes)
      expect(heard).toEqual([])
    })
    await saying
    expect(heard).toEqual([changes])
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

test('another process hears of a post without its text, but of a deleted one all', {
  tags: ['more'],
}, async () => {
  await using database = await openTwice()
  const { db, other, url } = database
  await using here = await hear(db, url)
  await using there = await hear(other, url)
  const long = `${'lámpara 💡 '.repeat(20_000)}\u0000\ud800`
  const changes = [postChange('update', long), postChange('delete', long)]
  await say(db, ...changes)
  await say(other, { kind: 'access', userId: 'last' })
  const last = { kind: 'access', userId: 'last' }
  await expect.poll(() => here.heard).toEqual([...changes, last])
  const { payload: _, ...update } = postChange('update', long) as Extract<
    RealtimeEvent,
    { kind: 'post' }
  >
  await expect.poll(() => there.heard).toEqual([update, changes[1], last])
})

test('after a lost connection it is said that changes may have been missed', {
  tags: ['more'],
}, async () => {
  await using database = await openTwice()
  const { db, other, url } = database
  await using listener = await hear(db, url)
  const { heard } = listener
  const access = (userId: string) => ({ kind: 'access' as const, userId })
  for (const payload of ['', '17', '1/1 {', '1/2 {"key"', '7/9 }'])
    await sql`select pg_notify('lamplight_change', ${payload})`.execute(db)
  await say(other, access('one'))
  await expect.poll(() => heard).toEqual([access('one')])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await expect.poll(() => heard.at(-1)).toBe('missed')
  await say(other, access('two'))
  await expect.poll(() => heard).toEqual([access('one'), 'missed', access('two')])
})
