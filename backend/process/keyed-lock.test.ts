// The lock by key.
import { expect, test } from 'vitest'
import { makeKeyedLock } from './bounded-queue.ts'

test('work under one key runs one after another, under another key at once', async () => {
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

test('more than may wait for one key are refused at once, other keys are not', async () => {
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

test('work that comes after the first has ended still waits for the second', async () => {
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
