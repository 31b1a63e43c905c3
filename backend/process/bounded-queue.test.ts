// Heavy work: how much runs, how much waits, what is refused.
import { expect, test } from 'vitest'
import { makeBoundedQueue } from './bounded-queue.ts'

/** Work that ends when it is told to. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, resolve, reject }
}

test('no more than the limit run at once, the others in the order they came', async () => {
  const inQueue = makeBoundedQueue({ atOnce: 2, waiting: 10 })
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
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2])
  for (const { resolve } of works) resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'one', 'done', 'done'])
  expect(started).toEqual([0, 1, 2, 3])
})

test('one more than may wait is refused at once, and later work is accepted again', async () => {
  const inQueue = makeBoundedQueue({ atOnce: 1, waiting: 1 })
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

test('failed work gives its place to the next', async () => {
  const inQueue = makeBoundedQueue({ atOnce: 1, waiting: 1 })
  const first = makeWork()
  const running = inQueue(first.work)
  const waiting = inQueue(async () => 'second')
  first.reject(new Error('first failed'))
  await expect(running).rejects.toThrow('first failed')
  expect(await waiting).toBe('second')
})
