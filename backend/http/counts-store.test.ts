// Strict limits that several processes share over one database.
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import type { Database } from '../database/schema.ts'
import { type Count, makeRateLimits } from './rate-limits.ts'

const HOUR = 3600
const DAY_MS = 86_400_000

const strict = (max: number, key = 'a'): Count => ({ name: 'strict', rule: [max, HOUR], key })

function openTwo(db: Database) {
  const open = (aheadMs = 0) =>
    makeRateLimits({ isOn: true, db, processes: 2, nowMs: () => Date.now() + aheadMs })
  return { first: open(), second: open(), openAhead: open }
}

describeEachDatabase('two processes that count', (open, name) => {
  test('allow exactly as many calls as a strict rule, however many are made at once', async () => {
    await using opened = await open()
    const { first, second } = openTwo(opened.db)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? first : second).takeExactly([strict(10), strict(100, 'b')]).then(
          () => 'ok',
          ({ type, headers }) => `${type} ${headers['x-ratelimit-remaining']}`,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'general_rate_limit_exceeded 0')).toHaveLength(
      20,
    )
    // A refused call does not count for the other rules either.
    const status = await first.takeExactly([strict(100, 'b')])
    expect(status).toMatchObject({ limit: 100, remaining: 89 })
    const refused = [first, second].map((each) => each.refusals().get('strict') ?? 0)
    expect(refused.reduce((sum, count) => sum + count)).toBe(20)
  })

  test('can undo and reset counts of the other process', async () => {
    await using opened = await open()
    const { first, second } = openTwo(opened.db)
    await first.takeExactly([strict(2)])
    await first.takeExactly([strict(2)])
    await second.giveBack([strict(2), strict(2, 'never counted')])
    expect(await second.takeExactly([strict(2)])).toMatchObject({ remaining: 0 })
    await first.forget(strict(2))
    expect(await second.takeExactly([strict(2)])).toMatchObject({ remaining: 1 })
  })

  test('allow a last call that counts more than is left', async () => {
    await using opened = await open()
    const { first, second } = openTwo(opened.db)
    const heavy = { ...strict(10), amount: 8.5 }
    expect(await first.takeExactly([heavy])).toMatchObject({ remaining: 1 })
    expect(await second.takeExactly([heavy])).toMatchObject({ remaining: 0 })
    await expect(first.takeExactly([strict(10)])).rejects.toMatchObject({ status: 429 })
  })

  test('reset counts from a time when the clock was fast', async () => {
    await using opened = await open()
    const { first } = openTwo(opened.db)
    await first.takeExactly([strict(1)])
    await expect(first.takeExactly([strict(1)])).rejects.toMatchObject({ status: 429 })
    await opened.db
      .updateTable('rateCount')
      .set(({ eb }) => ({ endMs: eb('endMs', '+', DAY_MS) }))
      .execute()
    expect(await first.takeExactly([strict(1)])).toMatchObject({ remaining: 0 })
    await expect(first.takeExactly([strict(1)])).rejects.toMatchObject({ status: 429 })
  })

  test.runIf(name === 'PostgreSQL')(
    'count by its clock, whatever their own clocks say',
    async () => {
      await using opened = await open()
      const { first, openAhead } = openTwo(opened.db)
      const ahead = openAhead(HOUR * 1000)
      await ahead.takeExactly([strict(2)])
      expect(await first.takeExactly([strict(2)])).toMatchObject({ remaining: 0 })
      await openAhead(DAY_MS).sweep()
      await expect(first.takeExactly([strict(2)])).rejects.toMatchObject({ status: 429 })
    },
  )

  test('store nothing that names a caller, and delete ended windows', async () => {
    await using opened = await open()
    const { db } = opened
    const { first } = openTwo(db)
    for (const key of ['alice@example.test', 'bob@example.test'])
      await first.takeExactly([strict(2, key)])
    await db
      .updateTable('rateCount')
      .set({ endMs: Date.now() - 1 })
      .where('id', '=', hash('sha256', 'strict|alice@example.test', 'base64'))
      .execute()
    await first.sweep()
    const rows = await db.selectFrom('rateCount').selectAll().execute()
    expect(rows).toMatchObject([{ calls: 1 }])
    expect(JSON.stringify(rows)).not.toContain('example')
  })
})
