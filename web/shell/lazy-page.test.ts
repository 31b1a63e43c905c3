import { expect, test } from 'vitest'
import { type ReloadOptions, reloadIfOutdated } from './lazy-page.tsx'

async function reloads(overrides: Partial<ReloadOptions>, isPressed = false): Promise<number> {
  let count = 0
  await reloadIfOutdated(isPressed, {
    isServerThere: async () => true,
    claimReload: () => true,
    reload: () => {
      count += 1
    },
    ...overrides,
  })
  return count
}

test('without a response from the server the page is not reloaded, even if the user presses the button', async () => {
  expect(await reloads({ isServerThere: async () => false })).toBe(0)
  expect(await reloads({ isServerThere: async () => false }, true)).toBe(0)
})

test('if the server responds but the code is missing, the page is reloaded: once by itself, and at each press of the button', async () => {
  expect(await reloads({})).toBe(1)
  expect(await reloads({ claimReload: () => false })).toBe(0)
  expect(await reloads({ claimReload: () => false }, true)).toBe(1)
})
