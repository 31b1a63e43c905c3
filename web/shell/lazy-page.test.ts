import { expect, test } from 'vitest'
import { type ReloadOptions, reloadIfOutdated } from './lazy-page.tsx'

async function reloads(overrides: Partial<ReloadOptions>, isAsked = false): Promise<number> {
  let count = 0
  await reloadIfOutdated(isAsked, {
    isServerThere: async () => true,
    claimReload: () => true,
    reload: () => {
      count += 1
    },
    ...overrides,
  })
  return count
}

test('without an answer of the server nothing is reloaded, asked or not', async () => {
  expect(await reloads({ isServerThere: async () => false })).toBe(0)
  expect(await reloads({ isServerThere: async () => false }, true)).toBe(0)
})

test('a server without the code has another version: the page is reloaded, by itself only once', async () => {
  expect(await reloads({})).toBe(1)
  expect(await reloads({ claimReload: () => false })).toBe(0)
  expect(await reloads({ claimReload: () => false }, true)).toBe(1)
})
