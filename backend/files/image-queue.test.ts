// The order of image jobs: uploads first, one heavy job at a time, addresses in turn.

import { expect, test } from 'vitest'
import type { QueueCaller } from '../process/bounded-queue.ts'
import {
  IMAGE_QUEUE_MAX,
  IMAGE_QUEUE_SHARE,
  type ImageWork,
  makeImageQueue,
} from './image-process.ts'

/** A queue whose jobs end when `end` is called; `started` has their names in order. */
function makeSite() {
  const queue = makeImageQueue()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    queue,
    started,
    add: (name: string, work: ImageWork = {}, caller: QueueCaller = {}) =>
      queue(
        async () => {
          started.push(name)
          const { promise, resolve } = Promise.withResolvers<void>()
          ends.set(name, resolve)
          await promise
          return name
        },
        caller,
        work,
      ),
    end: (name: string) => ends.get(name)?.(),
    endAll: async (all: Promise<unknown>[]) => {
      const settled = Promise.allSettled(all)
      let isOver = false
      void settled.then(() => {
        isOver = true
      })
      await expect
        .poll(() => {
          for (const end of ends.values()) end()
          return isOver
        })
        .toBe(true)
      return await settled
    },
  }
}

test('one heavy job runs at a time, and light jobs run beside it', async () => {
  const site = makeSite()
  const all = ['h1', 'h2', 'h3'].map((name) => site.add(name, { isHeavy: true }))
  all.push(site.add('light 1'), site.add('light 2'), site.add('light 3'))
  await expect.poll(() => site.started).toEqual(['h1', 'light 1', 'light 2'])
  site.end('light 1')
  await expect.poll(() => site.started).toEqual(['h1', 'light 1', 'light 2', 'light 3'])
  site.end('h1')
  await expect.poll(() => site.started.at(-1)).toBe('h2')
  await site.endAll(all)
})

test('uploads run before waiting previews, and one preview runs beside them', async () => {
  const site = makeSite()
  const all = ['p1', 'p2', 'p3', 'p4'].map((name) => site.add(name))
  all.push(...['u1', 'u2', 'u3'].map((name) => site.add(name, { isUpload: true })))
  await expect.poll(() => site.started).toEqual(['p1', 'p2', 'p3'])
  site.end('p1')
  site.end('p2')
  site.end('p3')
  await expect.poll(() => site.started.slice(3)).toEqual(['u1', 'u2', 'p4'])
  await site.endAll(all)
  expect(site.started.at(-1)).toBe('u3')
})

test('uploads and heavy previews together leave room for a light preview', async () => {
  const site = makeSite()
  const all = [site.add('h', { isHeavy: true })]
  all.push(...['u1', 'u2'].map((name) => site.add(name, { isUpload: true })), site.add('p'))
  await expect.poll(() => site.started).toEqual(['h', 'u1', 'p'])
  await site.endAll(all)
})

test('addresses take turns: one with many jobs does not delay one with few', async () => {
  const site = makeSite()
  const all = ['x', 'y', 'z'].map((name) => site.add(name))
  const much = Array.from({ length: 20 }, (_, at) => site.add(`much ${at}`, {}, { key: 'a' }))
  all.push(...much, site.add('little', {}, { key: 'b' }))
  await expect.poll(() => site.started).toHaveLength(3)
  for (const name of ['x', 'y']) site.end(name)
  await expect.poll(() => site.started.slice(3)).toEqual(['much 0', 'little'])
  await site.endAll(all)
})

test('an address beyond its share is refused with 429, and everybody with 503 when the queue is full', async () => {
  const site = makeSite()
  const all = ['x', 'y', 'z'].map((name) => site.add(name))
  for (let at = 0; at < IMAGE_QUEUE_SHARE; at++) all.push(site.add(`a${at}`, {}, { key: 'a' }))
  await expect(site.add('more', {}, { key: 'a' })).rejects.toMatchObject({
    type: 'general_rate_limit_exceeded',
    status: 429,
    headers: { 'retry-after': '2' },
  })
  for (let at = IMAGE_QUEUE_SHARE; at < IMAGE_QUEUE_MAX; at++)
    all.push(site.add(`b${at}`, {}, { key: `b${at % 10}` }))
  await expect(site.add('another', {}, { key: 'c' })).rejects.toMatchObject({
    type: 'general_service_disabled',
    status: 503,
    headers: { 'retry-after': '2' },
  })
  expect(site.queue.stats()).toEqual({
    running: 3,
    waiting: IMAGE_QUEUE_MAX,
    refused: 2,
    dropped: 0,
  })
  await site.endAll(all)
  expect(site.queue.stats()).toMatchObject({ running: 0, waiting: 0 })
})

test('a waiting job is dropped when its caller disconnects', async () => {
  const site = makeSite()
  const all = ['x', 'y', 'z'].map((name) => site.add(name))
  const gone = new AbortController()
  const dropped = site.add('dropped', {}, { signal: gone.signal })
  gone.abort(new Error('gone'))
  await expect(dropped).rejects.toThrow('gone')
  expect(site.queue.stats()).toMatchObject({ waiting: 0, dropped: 1 })
  await site.endAll(all)
  expect(site.started).toEqual(['x', 'y', 'z'])
})
