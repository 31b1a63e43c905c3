import { expect, test } from 'vitest'
import { type RetryNeeds, retryPage } from './lazy-page.tsx'

const Page = () => null
const fail = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

async function tryLoad(overrides: Partial<RetryNeeds>, isAsked = false) {
  const log: string[] = []
  const calls: RetryNeeds = {
    load: fail,
    isServerThere: async () => true,
    claimReload: () => true,
    reload: () => void log.push('reload'),
    ...overrides,
  }
  return { page: await retryPage(calls, isAsked), log }
}

test('code that comes with the next try is the page', async () => {
  expect(await tryLoad({ load: async () => Page })).toEqual({ page: Page, log: [] })
})

test('without an answer of the server nothing is reloaded, asked or not', async () => {
  expect(await tryLoad({ isServerThere: async () => false })).toEqual({ page: undefined, log: [] })
  expect(await tryLoad({ isServerThere: async () => false }, true)).toEqual({
    page: undefined,
    log: [],
  })
})

test('a server without the code has another version: the page is reloaded, by itself only once', async () => {
  expect(await tryLoad({})).toEqual({ page: undefined, log: ['reload'] })
  expect(await tryLoad({ claimReload: () => false })).toEqual({ page: undefined, log: [] })
  expect(await tryLoad({ claimReload: () => false }, true)).toEqual({
    page: undefined,
    log: ['reload'],
  })
})
