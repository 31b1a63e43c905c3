// Taking turns by key.
import { expect, test } from 'vitest'
import { makeTurns } from './keyed-lock.ts'

test('work under one key runs one after another, under another key at once', async () => {
  const inTurn = makeTurns({ waiting: 2 })
  const steps: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    steps.push('first begins')
    await gate.promise
    steps.push('first ends')
  })
  const second = inTurn('a', async () => steps.push('second'))
  await inTurn('b', async () => steps.push('other key'))
  expect(steps).toEqual(['first begins', 'other key'])
  gate.resolve()
  await Promise.all([first, second])
  expect(steps).toEqual(['first begins', 'other key', 'first ends', 'second'])
})

test('a failure reaches only its own caller', async () => {
  const inTurn = makeTurns({ waiting: 2 })
  const failing = inTurn('a', async () => {
    throw new Error('mine')
  })
  const next = inTurn('a', async () => 'fine')
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
  expect(await inTurn('a', async () => 'later')).toBe('later')
})

test('more than may wait for one key are refused at once, other keys are not', async () => {
  const inTurn = makeTurns({ waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const taken = Array.from({ length: 3 }, () => inTurn('a', () => gate.promise))
  let ran = false
  const tooMany = inTurn('a', async () => {
    ran = true
  })
  await expect(tooMany).rejects.toMatchObject({ type: 'general_service_disabled', status: 503 })
  expect(await inTurn('b', async () => 'other key')).toBe('other key')
  gate.resolve()
  await Promise.all(taken)
  expect(ran).toBe(false)
  expect(await inTurn('a', async () => 'again')).toBe('again')
})
