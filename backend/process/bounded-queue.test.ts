// Heavy work: how many jobs run and wait, and which are refused.
import { describe, expect, test, vi } from 'vitest'
import { makeBoundedQueue, makeKeyedLock } from './bounded-queue.ts'

/** Work that ends when the test resolves it. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, resolve, reject }
}

test('no more jobs than the limit run at once, and the others follow in order of arrival', async () => {
  const inQueue = makeBoundedQueue({ concurrency: 2, waiting: 10 })
  const started: number[] = []
  const works = Array.from({ length: 4 }, makeWork)
  const results = works.map(({ work }, index) =>
    inQueue(() => {
      started.push(index)
      return work()
    }),
  )
  expect(started).toEqual([0, 1])
  works[1]?.resolve('one')
  await results[1]
  await new Promise(setImmediate)
  expect(started).toEqual([0, 1, 2])
  for (const { resolve } of works) resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'one', 'done', 'done'])
  expect(started).toEqual([0, 1, 2, 3])
})

test('work beyond the waiting limit is refused at once, and later work is accepted again', async () => {
  const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 1 })
  const first = makeWork()
  const running = inQueue(first.work)
  const waiting = inQueue(async () => 'second')
  let started = false
  await expect(
    inQueue(async () => {
      started = true
    }),
  ).rejects.toMatchObject({
    type: 'general_service_disabled',
    status: 503,
    headers: { 'retry-after': '2' },
  })
  expect(started).toBe(false)
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await inQueue(async () => 'third')).toBe('third')
})

test('after failed work the next job runs', async () => {
  const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 1 })
  const first = makeWork()
  const running = inQueue(first.work)
  const waiting = inQueue(async () => 'second')
  first.reject(new Error('first failed'))
  await expect(running).rejects.toThrow('first failed')
  expect(await waiting).toBe('second')
})

describe('callers', () => {
  test('take turns, however many jobs each has in the queue', async () => {
    const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 10 })
    const first = makeWork()
    const order: string[] = []
    const results = [inQueue(first.work, { key: 'a' })]
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
      results.push(
        inQueue(
          async () => {
            order.push(name)
            return name
          },
          { key: name.slice(0, 1) },
        ),
      )
    first.resolve('done')
    await Promise.all(results)
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('can use only their share of the waiting slots', async () => {
    const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 4, waitingPerKey: 2 })
    const first = makeWork()
    const running = inQueue(first.work, { key: 'a' })
    const waiting = [1, 2].map(() => inQueue(async () => 'a', { key: 'a' }))
    await expect(inQueue(async () => 'a', { key: 'a' })).rejects.toMatchObject({ status: 503 })
    waiting.push(inQueue(async () => 'b', { key: 'b' }))
    expect(inQueue.stats()).toEqual({ running: 1, waiting: 3, refused: 1, dropped: 0 })
    first.resolve('a')
    expect(await Promise.all([running, ...waiting])).toEqual(['a', 'a', 'a', 'b'])
    expect(inQueue.stats()).toEqual({ running: 0, waiting: 0, refused: 1, dropped: 0 })
  })

  test('are refused after the longest wait, and their work never starts', async () => {
    vi.useFakeTimers()
    try {
      const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 4, waitMaxMs: 5000 })
      const first = makeWork()
      const running = inQueue(first.work)
      let started = 0
      const late = inQueue(async () => started++, { key: 'a' })
      const refused = expect(late).rejects.toMatchObject({
        type: 'general_service_disabled',
        headers: { 'retry-after': '2' },
      })
      await vi.advanceTimersByTimeAsync(5000)
      await refused
      first.resolve('done')
      await running
      expect([started, inQueue.stats()]).toEqual([
        0,
        { running: 0, waiting: 0, refused: 1, dropped: 0 },
      ])
      expect(await inQueue(async () => 'next')).toBe('next')
    } finally {
      vi.useRealTimers()
    }
  })

  test('that disconnect leave the queue: waiting work is dropped, running work goes on', async () => {
    const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 4 })
    const first = makeWork()
    const second = makeWork()
    const gone = new AbortController()
    const { signal } = gone
    const running = inQueue(first.work, { signal })
    let started = 0
    const dropped = inQueue(async () => started++, { signal })
    const next = inQueue(second.work)
    gone.abort(new Error('gone'))
    await expect(dropped).rejects.toThrow('gone')
    await expect(inQueue(async () => started++, { signal })).rejects.toThrow('gone')
    first.resolve('first')
    second.resolve('second')
    expect([await running, await next, started]).toEqual(['first', 'second', 0])
    expect(inQueue.stats()).toEqual({ running: 0, waiting: 0, refused: 0, dropped: 2 })
  })

  test('that disconnect just when their work starts do no harm', async () => {
    const inQueue = makeBoundedQueue({ concurrency: 1, waiting: 4 })
    const first = makeWork()
    const gone = new AbortController()
    const running = inQueue(first.work)
    const second = inQueue(
      async () => {
        gone.abort(new Error('gone'))
        return 'second'
      },
      { signal: gone.signal },
    )
    first.resolve('first')
    expect([await running, await second]).toEqual(['first', 'second'])
    expect(await inQueue(async () => 'third')).toBe('third')
    expect(inQueue.stats().waiting).toBe(0)
  })
})

// The lock by key.

test('jobs under one key run one after another, and those under another key at the same time', async () => {
  const withLock = makeKeyedLock({ waiting: 2 })
  const steps: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = withLock('a', async () => {
    steps.push('first begins')
    await gate.promise
    steps.push('first ends')
  })
  const second = withLock('a', async () => steps.push('second'))
  await withLock('b', async () => steps.push('other key'))
  expect(steps).toEqual(['first begins', 'other key'])
  gate.resolve()
  await Promise.all([first, second])
  expect(steps).toEqual(['first begins', 'other key', 'first ends', 'second'])
})

test('a failure reaches only its own caller', async () => {
  const withLock = makeKeyedLock({ waiting: 2 })
  const failing = withLock('a', async () => {
    throw new Error('mine')
  })
  const next = withLock('a', async () => 'fine')
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
  expect(await withLock('a', async () => 'later')).toBe('later')
})

test('work beyond the waiting limit of a key is refused at once, other keys are not affected', async () => {
  const withLock = makeKeyedLock({ waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const taken = Array.from({ length: 3 }, () => withLock('a', () => gate.promise))
  let ran = false
  const tooMany = withLock('a', async () => {
    ran = true
  })
  await expect(tooMany).rejects.toMatchObject({ type: 'general_service_disabled', status: 503 })
  expect(await withLock('b', async () => 'other key')).toBe('other key')
  gate.resolve()
  await Promise.all(taken)
  expect(ran).toBe(false)
  expect(await withLock('a', async () => 'again')).toBe('again')
})

test('work that is added after the first has ended still waits for the second', async () => {
  const withLock = makeKeyedLock({ waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const steps: string[] = []
  const first = withLock('a', async () => steps.push('first'))
  const second = withLock('a', async () => {
    await gate.promise
    steps.push('second')
  })
  await first
  const third = withLock('a', async () => steps.push('third'))
  await withLock('b', async () => steps.push('other key'))
  gate.resolve()
  await Promise.all([second, third])
  expect(steps).toEqual(['first', 'other key', 'second', 'third'])
})
