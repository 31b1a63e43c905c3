import { expect, test } from 'vitest'
import { isTheme } from '../head/stored-preferences.ts'

test('no other value than the three themes is a theme', () => {
  expect(['dark', 'light', 'system', 'blue', '', undefined, null].filter(isTheme)).toEqual([
    'dark',
    'light',
    'system',
  ])
})
