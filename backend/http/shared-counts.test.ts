// Limits of several processes: of one machine, with the supervisor's counts, and of several with
// those of PostgreSQL.
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { countsInDatabase } from './counts-store.ts'
import { type Count, makeRateLimits } from './rate-limits.ts'
import { answerCounts, type CountOwner, countsOfSupervisor } from './shared-counts.ts'

/** How long is waited between one telling and the next; no time passes. */
const waited: unknown[] = []
vi.mock('node:timers/promises', async (load) => {
  const real = await load<typeof import('node:timers/promises')>()
  const setTimeout = (ms: number) => {
    waited.push(ms)
    return real.setImmediate()
  }
  return { ...real, setTimeout }
})

const HOUR = 3600
const MINUTE = 60
const DAY_MS = 86_400_000

/** `jump` lets everything counted so far seem counted while the clock was a day ahead. */
type Opened = AsyncDisposable & { owner: CountOwner; jump(): Promise<unknown> }

async function openSupervisor(): Promise<Opened> {
  let aheadMs = 0
  const answers = answerCounts(() => Date.now() + aheadMs)
  const ask = async (topic: string, asked: unknown) => answers[topic]?.(asked)
  return {
    owner: countsOfSupervisor({ ask }),
    jump: async () => (aheadMs -= DAY_MS),
    async [Symbol.asyncDispose]() {},
  }
}

async function openPostgres(): Promise<Opened> {
  const [, open] = DATABASES[1] ?? []
  if (!open) throw new Error('There is no PostgreSQL')
  const database = await open()
  return {
    owner: countsInDatabase(database.db),
    jump: () =>
      database.db
        .updateTable('rateCount')
        .set(({ eb }) => ({ endMs: eb('endMs', '+', DAY_MS) }))
        .execute(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const OWNERS: [name: string, open: () => Promise<Opened>][] = [
  ['the supervisor', openSupervisor],
  ['PostgreSQL', openPostgres],
]

describe.each(OWNERS)('two processes that count at %s', (_name, open) => {
  const strict = (max: number, key = 'a'): Count => ({ name: 'strict', rule: [max, HOUR], key })

  test('let through exactly what a strict rule allows, however many come at once', async () => {
    await using opened = await open()
    const processes = [1, 2].map(() => makeRateLimits({ isOn: true, owner: opened.owner }))
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        processes[at % 2]?.takeExactly([strict(10), strict(100, 'b')]).then(
          () => 'ok',
          ({ type, headers }) => `${type} ${headers['x-ratelimit-remaining']}`,
        ),
      ),
    )
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(10)
    expect(outcomes.filter((one) => one === 'general_rate_limit_exceeded 0')).toHaveLength(20)
    // What was refused has counted for no other rule, either.
    const status = await processes[0]?.takeExactly([strict(100, 'b')])
    expect(status).toMatchObject({ limit: 100, remaining: 89 })
  })

  test('give back and forget what the other one has counted', async () => {
    await using opened = await open()
    const [one, other] = [1, 2].map(() => makeRateLimits({ isOn: true, owner: opened.owner }))
    await one?.takeExactly([strict(2)])
    await one?.takeExactly([strict(2)])
    await other?.giveBack([strict(2)])
    expect(await other?.takeExactly([strict(2)])).toMatchObject({ remaining: 0 })
    await one?.forget(strict(2))
    expect(await other?.takeExactly([strict(2)])).toMatchObject({ remaining: 1 })
  })

  test('know of each other under a wide rule before they have let twice as much through', async () => {
    await using opened = await open()
    const said: Promise<unknown>[] = []
    const add: CountOwner['add'] = (shares) => {
      const adding = opened.owner.add(shares)
      said.push(adding)
      return adding
    }
    const owner = { ...opened.owner, add }
    const processes = [1, 2].map(() => makeRateLimits({ isOn: true, owner }))
    const wide: Count = { name: 'wide', rule: [400, MINUTE], key: 'a' }
    let allowed = 0
    for (let call = 0; call < 800; call++) {
      // What has been said is answered before the next calls come.
      if (call % 4 === 0) await Promise.all(said.splice(0)).then(nextTurn)
      try {
        processes[call % 2]?.take([wide])
        allowed++
      } catch {}
    }
    expect(allowed).toBeGreaterThanOrEqual(400)
    expect(allowed).toBeLessThan(600)
    // A hundredth of a second is 1 or 2 calls of a flood.
    expect(new Set(waited)).toEqual(new Set([10]))
  })

  test('forget nothing of a window that another one has begun', async () => {
    await using opened = await open()
    const [one, other] = [1, 2].map((_, at) =>
      makeRateLimits({
        isOn: true,
        owner: opened.owner,
        nowMs: () => Date.now() + at * HOUR * 1000,
      }),
    )
    await other?.takeExactly([strict(2)])
    // Its clock is behind: it counts in the newer window.
    expect(await one?.takeExactly([strict(2)])).toMatchObject({ remaining: 0 })
  })

  test('forget what was counted while the clock was ahead', async () => {
    await using opened = await open()
    const limits = makeRateLimits({ isOn: true, owner: opened.owner })
    await limits.takeExactly([strict(1)])
    await expect(limits.takeExactly([strict(1)])).rejects.toMatchObject({ status: 429 })
    await opened.jump()
    expect(await limits.takeExactly([strict(1)])).toMatchObject({ remaining: 0 })
    await expect(limits.takeExactly([strict(1)])).rejects.toMatchObject({ status: 429 })
  })
})

test('what PostgreSQL keeps of counts names nobody, and goes when it is over', async () => {
  const [, open] = DATABASES[1] ?? []
  if (!open) throw new Error('There is no PostgreSQL')
  await using database = await open()
  const { db } = database
  const owner = countsInDatabase(db)
  await owner.add([
    { id: 'sign-in|alice@example.test', windowMs: 60_000, amount: 1 },
    { id: 'sign-in|bob@example.test', windowMs: 3_600_000, amount: 1 },
  ])
  await db
    .updateTable('rateCount')
    .set({ endMs: Date.now() - 1 })
    .where('id', '=', hash('sha256', 'sign-in|alice@example.test', 'base64'))
    .execute()
  // The clock of this machine is a day ahead.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS })
  await owner.sweep()
  vi.useRealTimers()
  const rows = await db.selectFrom('rateCount').selectAll().execute()
  expect(rows).toMatchObject([{ calls: 1 }])
  expect(JSON.stringify(rows)).not.toContain('example')
})
