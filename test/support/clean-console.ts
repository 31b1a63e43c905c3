// A test fails when something writes an unexpected error or warning to the console.
import { afterEach, beforeEach, expect, vi } from 'vitest'

const LOUD = ['error', 'warn'] as const

beforeEach(() => {
  for (const method of LOUD) vi.spyOn(console, method)
})

afterEach(() => {
  for (const method of LOUD)
    expect(vi.mocked(console[method]).mock.calls, `console.${method}`).toEqual([])
  vi.restoreAllMocks()
})
