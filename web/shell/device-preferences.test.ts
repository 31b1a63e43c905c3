import { expect, test } from 'vitest'
import { isTheme } from '../head/stored-preferences.ts'

test('only the three themes are themes', () => {
  expect(['dark', 'light', 'system', 'blue', '', undefined, null].filter(isTheme)).toEqual([
    'dark',
    'light',
    'system',
  ])
})
