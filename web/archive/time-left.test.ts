import { expect, test } from 'vitest'
import { secondsLeft } from './time-left.ts'

const START = { atMs: 1000, done: 0 }

test('the time left is estimated from the pace since the work was first seen', () => {
  expect(secondsLeft(START, { atMs: 61_000, done: 25 }, 100)).toBe(180)
  // Continued at 50: what was done before says nothing about the pace.
  expect(secondsLeft({ atMs: 0, done: 50 }, { atMs: 10_000, done: 60 }, 100)).toBe(40)
})

test('there is no estimate before the first tenth, without progress, or at the first look', () => {
  expect(secondsLeft(START, { atMs: 61_000, done: 9 }, 100)).toBeUndefined()
  expect(secondsLeft({ atMs: 0, done: 30 }, { atMs: 60_000, done: 30 }, 100)).toBeUndefined()
  expect(secondsLeft(START, { atMs: 2000, done: 50 }, 100)).toBeUndefined()
})
