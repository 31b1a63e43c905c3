// The script in the head: it runs as text, before everything else, so it is run as text here.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { isTheme, THEME_SCRIPT } from './theme.ts'

function run(stored: Record<string, string> | 'forbidden'): Record<string, string> {
  const dataset: Record<string, string> = { theme: 'dark' }
  const localStorage = {
    getItem(key: string) {
      if (stored === 'forbidden') throw new Error('storage is forbidden')
      return stored[key] ?? null
    },
  }
  runInNewContext(THEME_SCRIPT, { document: { documentElement: { dataset } }, localStorage })
  return dataset
}

describe('before the first paint', () => {
  test('a device that never chose is dark and has its bottom bar', () => {
    expect(run({})).toEqual({ theme: 'dark' })
  })

  test.each(['dark', 'light', 'system'])('the theme %s comes back', (theme) => {
    expect(run({ theme })).toEqual({ theme })
  })

  test('a hidden bottom bar stays hidden', () => {
    expect(run({ bottomBar: 'hidden' })).toEqual({ theme: 'dark', bar: 'hidden' })
  })

  test('anything else that lies in the storage is left alone', () => {
    expect(run({ theme: '"><script>', bottomBar: 'shown' })).toEqual({ theme: 'dark' })
  })

  test('a forbidden storage breaks nothing', () => {
    expect(run('forbidden')).toEqual({ theme: 'dark' })
  })
})

test('only the three themes are themes', () => {
  expect(['dark', 'light', 'system', 'blue', '', undefined, null].filter(isTheme)).toEqual(['dark', 'light', 'system'])
})
