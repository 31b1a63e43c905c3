// Taking turns by key.
import { expect, test } from 'vitest'
import { makeTurns } from './turns.ts'

test('work under one key runs one after another, under another key at once', async () => {
  const inTurn = makeTurns()
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
  const inTurn = makeTurns()
  const failing = inTurn('a', async () => {
    throw new Error('mine')
  })
  const next = inTurn('a', async () => 'fine')
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
  expect(await inTurn('a', async () => 'later')).toBe('later')
})
