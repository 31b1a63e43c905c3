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
  // Before the assertion, so that it also runs after a failure: files share the worker.
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(consoleCalls, 'written to the console').toEqual(CHECKED_METHODS.map((method) => [method]))
})
