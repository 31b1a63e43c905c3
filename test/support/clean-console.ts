// A test fails when something writes an unexpected error or warning to the console.
import { afterEach, beforeEach, expect, vi } from 'vitest'

const CHECKED_METHODS = ['error', 'warn'] as const

beforeEach(() => {
  for (const method of CHECKED_METHODS) vi.spyOn(console, method)
})

afterEach(() => {
  const consoleCalls = CHECKED_METHODS.map((method) => [
    method,
    ...vi.mocked(console[method]).mock.calls,
  ])
  // First of all, also where a test failed: the next files run in the same worker.
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(consoleCalls, 'written to the console').toEqual(CHECKED_METHODS.map((method) => [method]))
})
