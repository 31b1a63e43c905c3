// A test fails when something writes an unexpected error or warning to the console.
import { afterEach, beforeEach, expect, vi } from 'vitest'

const LOUD = ['error', 'warn'] as const

beforeEach(() => {
  for (const method of LOUD) vi.spyOn(console, method)
})

afterEach(() => {
  const said = LOUD.map((method) => [method, ...vi.mocked(console[method]).mock.calls])
  // First of all, also where a test failed: the next files run in the same worker.
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(said, 'written to the console').toEqual(LOUD.map((method) => [method]))
})
