// Reads are counted once per reader and day, written in batches, and shown to their author alone.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  deleteUncountedReads,
  makeReads,
  PENDING_POSTS_MAX,
  READS_RETENTION_DAYS,
} from './reads.ts'
import { READS_SUM_BATCH_SIZE } from './reads-store.ts'
import { makeUniqueReaders, READERS_PER_ADDRESS_MAX } from './unique-readers.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const NOON = Date.parse('2023-11-20T12:00:00.000Z')
const DAY_MS = 86_400_000

function guest(number = 1, userAgent = 'Firefox') {
  return { address: `192.0.2.${number}`, userAgent }
}

async function start(db: Database, { isOn = true } = {}) {
  let nowMs = NOON
  await addPeople(db, ['alice', 'bob'])
  const posts = makeTestPosts(db, { now: () => new Date(nowMs) })
  for (const id of ['a', 'b']) await posts.write(alice, id)
  await posts.write(alice, 'draft', { status: 'inactive' })
  await posts.write(bob, 'c')
  const reads = makeReads({ ...posts, hasReadCounts: isOn })
  const listReads = async (viewer = alice) => {
    const rows = []
    for await (const row of reads.streamReadsOf(viewer)) rows.push(row)
    return rows
  }
  return { reads, posts, listReads, advance: (ms: number) => (nowMs += ms) }
}

/** Adds posts with reads of yesterday and today; many have the same number. */
async function addReadPosts(db: Database, count: number): Promise<void> {
  const numbers = sql`with recursive number(at) as (select 1 union all select at + 1 from number where at < ${sql.lit(count)})`
  await sql`insert into post (id, title, content, "featuredImage", status, "userId", permissions, readers,
      "isHidden", "createdAt", "updatedAt")
    ${numbers} select 'many-' || at, 'T', '', '', 'active', 'alice', '[]', 'any', 0, '2023', '2023' from number`.execute(
    db,
  )
  for (const [day, step] of [
    ['2023-12-18', 7],
    ['2023-12-19', 11],
  ] as const)
    await sql`insert into "postRead" ("postId", day, "userId", count)
      ${numbers} select 'many-' || at, ${day}, 'alice', 1 + (at * ${sql.lit(step)}) % 97 from number`.execute(
      db,
    )
}

describeEachDatabase('reads', (open) => {
  test('each reader counts once a day; the author never counts, nor do drafts and unknown posts', async () => {
    await using opened = await open()
    const { reads, listReads, advance } = await start(opened.db)
    for (const reader of [guest(), guest(), guest(2), guest(2, 'Chrome'), alice, bob, bob])
      reads.record('a', reader)
    for (const id of ['draft', 'none']) reads.record(id, guest())
    expect(await listReads()).toEqual([])
    await reads.write()
    expect(await listReads()).toEqual([{ postId: 'a', day: '2023-11-20', reads: 4 }])
    reads.record('a', guest())
    reads.record('a', guest(3))
    advance(DAY_MS)
    reads.record('a', guest())
    reads.record('b', bob)
    await reads.write()
    expect(await listReads()).toEqual([
      { postId: 'a', day: '2023-11-20', reads: 5 },
      { postId: 'a', day: '2023-11-21', reads: 1 },
      { postId: 'b', day: '2023-11-21', reads: 1 },
    ])
    expect(await listReads(bob)).toEqual([])
  })

  test('the numbers cover thirty days including today, and list the most read posts first', async () => {
    await using opened = await open()
    const { reads, advance } = await start(opened.db)
    reads.record('a', guest())
    await reads.write()
    advance(29 * DAY_MS)
    for (const number of [1, 2, 3]) reads.record('b', guest(number))
    reads.record('a', guest())
    await reads.write()
    const { isCounted, days, posts } = await reads.readNumbers(alice)
    expect([isCounted, days.length]).toEqual([true, 30])
    expect([days[0], days[1], days.at(-1)]).toEqual([
      { day: '2023-11-20', reads: 1 },
      { day: '2023-11-21', reads: 0 },
      { day: '2023-12-19', reads: 4 },
    ])
    expect(posts).toEqual([
      { $id: 'b', title: 'b', reads: 3, today: 3 },
      { $id: 'a', title: 'a', reads: 2, today: 1 },
    ])
    advance(DAY_MS)
    expect((await reads.readNumbers(alice)).posts[1]).toMatchObject({ reads: 1, today: 0 })
    expect((await reads.readNumbers(bob)).posts).toEqual([])
  })

  test('summing the reads of thousands of posts is exact and yields to the event loop', async () => {
    await using opened = await open()
    const { db } = opened
    const { reads, advance } = await start(db)
    advance(29 * DAY_MS)
    await addReadPosts(db, READS_SUM_BATCH_SIZE + 7)
    const { rows: days } = await sql<{ day: string; reads: number }>`
      select day, sum(count) as reads from "postRead" where "userId" = 'alice' group by day`.execute(
      db,
    )
    const { rows: most } = await sql<{ $id: string; reads: number; today: number }>`
      select "postId" as "$id", sum(count) as reads, sum(case when day = '2023-12-19' then count else 0 end) as today
      from "postRead" where "userId" = 'alice' group by "postId" order by 2 desc, 1 limit 25`.execute(
      db,
    )
    let yields = 0
    let isDone = false
    const others = (async () => {
      for (; !isDone; yields++) await new Promise((next) => setImmediate(next))
    })()
    const numbers = await reads.readNumbers(alice)
    isDone = true
    await others
    expect(yields).toBeGreaterThan(2)
    expect(numbers.days.filter(({ reads }) => reads > 0)).toEqual(
      days
        .map(({ day, reads }) => ({ day, reads: Number(reads) }))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
    )
    expect(numbers.posts).toEqual(
      most.map(({ $id, reads, today }) => ({
        $id,
        title: 'T',
        reads: Number(reads),
        today: Number(today),
      })),
    )
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => reads.readNumbers(alice)),
    )
    const refused = results.filter(({ status }) => status === 'rejected')
    expect([refused.length > 0, refused.length < 40]).toEqual([true, true])
  })

  test('turning counting off deletes the counted days and drops pending reads', async () => {
    await using opened = await open()
    const { db } = opened
    const { reads, posts, listReads } = await start(db)
    for (const id of ['a', 'b', 'c']) reads.record(id, guest())
    await reads.write()
    await posts.remove(alice, 'b', { unlessNewerThan: undefined })
    reads.record('a', guest(2))
    const prefs = { readCounts: 'off' }
    await inTransaction(db, posts.background, async (tx, afterCommit) => {
      await deleteUncountedReads(tx, afterCommit, { userId: 'alice', prefs })
      await tx
        .updateTable('user')
        .set({ prefs: JSON.stringify(prefs) })
        .where('id', '=', 'alice')
        .execute()
    })
    await posts.background.drained()
    await reads.write()
    expect([await listReads(), (await listReads(bob)).length]).toEqual([[], 1])
    expect(await db.selectFrom('deletedRead').selectAll().execute()).toEqual([])
    expect(await reads.readNumbers(alice)).toEqual({ isCounted: false, days: [], posts: [] })
    await inTransaction(db, posts.background, (tx, afterCommit) =>
      deleteUncountedReads(tx, afterCommit, { userId: 'bob', prefs: { theme: 'dark' } }),
    )
    await posts.background.drained()
    expect((await listReads(bob)).length).toBe(1)
  })

  test('the reads of a deleted post are restored with it, and deleted with it for good', async () => {
    await using opened = await open()
    const { reads, posts, listReads } = await start(opened.db)
    for (const id of ['a', 'b']) reads.record(id, guest())
    await reads.write()
    const before = await listReads()
    for (const id of ['a', 'b']) await posts.remove(alice, id, { unlessNewerThan: undefined })
    expect(await listReads()).toEqual([])
    const { deleted } = await posts.listDeleted(alice, {
      userId: undefined,
      cursor: undefined,
      limit: 10,
    })
    for (const { $id, postId } of deleted)
      if (postId === 'a') await posts.restoreDeleted(alice, $id)
      else await posts.purgeDeleted(alice, $id)
    const deletedReads = () => opened.db.selectFrom('deletedRead').selectAll().execute()
    expect(await listReads()).toEqual(before.slice(0, 1))
    expect(await deletedReads()).toEqual([])
    await posts.remove(alice, 'a', { unlessNewerThan: undefined })
    expect((await deletedReads()).length).toBe(1)
    await inTransaction(opened.db, posts.background, (tx) => posts.removePostsOf(tx, 'alice'))
    expect(await deletedReads()).toEqual([])
  })

  test('days are stored for a little more than a year', async () => {
    await using opened = await open()
    const { reads, listReads, advance } = await start(opened.db)
    for (const id of ['a', 'b']) reads.record(id, guest())
    await reads.write()
    advance((READS_RETENTION_DAYS - 1) * DAY_MS)
    reads.record('a', guest())
    await reads.write()
    expect(await reads.sweep()).toBe(0)
    advance(DAY_MS)
    expect(await reads.sweep()).toBe(2)
    expect((await listReads()).map(({ postId }) => postId)).toEqual(['a'])
  })

  test('the export has each row once, however many there are', async () => {
    await using opened = await open()
    const { listReads } = await start(opened.db)
    const rows = Array.from({ length: 200 }, (_, at) => {
      const day = new Date(NOON + at * DAY_MS).toISOString().slice(0, 10)
      return ['a', 'b', 'draft'].map((postId) => ({ postId, day, userId: 'alice', count: 1 }))
    }).flat()
    await opened.db.insertInto('postRead').values(rows).execute()
    expect(await listReads()).toEqual(rows.map(({ postId, day }) => ({ postId, day, reads: 1 })))
  })

  test('reads that could not be written are written the next time, or when the server stops', async () => {
    await using opened = await open()
    const { db } = opened
    const { reads, listReads } = await start(db)
    reads.record('a', guest())
    await db.schema.alterTable('postRead').renameTo('away').execute()
    await expect(reads.write()).rejects.toThrow()
    reads.record('a', guest(2))
    await db.schema.alterTable('away').renameTo('postRead').execute()
    await reads.stop()
    reads.record('a', guest(3))
    await reads.write()
    expect(await listReads()).toEqual([{ postId: 'a', day: '2023-11-20', reads: 2 }])
  })

  test('a blog that does not count has no numbers', async () => {
    await using opened = await open()
    const { reads, listReads } = await start(opened.db, { isOn: false })
    reads.record('a', guest())
    await reads.write()
    expect(await listReads()).toEqual([])
    expect(await reads.readNumbers(alice)).toEqual({ isCounted: false, days: [], posts: [] })
  })
})

test('a reader counts once for each post and day', () => {
  const readers = makeUniqueReaders()
  expect(readers.isFirst('2023-11-20', 'a', guest())).toBe(true)
  expect(readers.isFirst('2023-11-20', 'a', guest())).toBe(false)
  expect(readers.isFirst('2023-11-20', 'b', guest())).toBe(true)
  expect(readers.isFirst('2023-11-21', 'a', guest())).toBe(true)
})

test('an address counts only a few times for a post, however many user agents it names', () => {
  const readers = makeUniqueReaders()
  const counted = (address: string) =>
    Array.from({ length: 500 }, (_, at) =>
      readers.isFirst('2023-11-20', 'a', { address, userAgent: `p${at}` }),
    ).filter(Boolean).length
  expect(counted('192.0.2.1')).toBe(READERS_PER_ADDRESS_MAX)
  expect(counted('2001:db8::1')).toBe(READERS_PER_ADDRESS_MAX)
  expect(counted('2001:db8::2')).toBe(0)
})

test('memory is bounded: the readers seen longest ago are forgotten', () => {
  const readers = makeUniqueReaders(100)
  for (let number = 0; number < 1000; number++)
    readers.isFirst('2023-11-20', 'a', { userId: `u${number}` })
  expect(readers.isFirst('2023-11-20', 'a', { userId: 'u999' })).toBe(false)
  expect(readers.isFirst('2023-11-20', 'a', { userId: 'u0' })).toBe(true)
})

test('while too many posts have pending reads, further posts are not counted', async () => {
  await using opened = await openSqlite()
  const { reads, listReads } = await start(opened.db)
  for (let number = 0; number < PENDING_POSTS_MAX; number++) reads.record(`x${number}`, bob)
  reads.record('a', guest())
  await reads.write()
  expect(await listReads()).toEqual([])
  reads.record('b', guest())
  await reads.write()
  expect((await listReads()).length).toBe(1)
})
