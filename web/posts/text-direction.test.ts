import { expect, test } from 'vitest'
import { directionOf } from './plain-text.ts'

test.each([
  ['Notes from a night train', 'ltr'],
  ['رسائل من مدينة', 'rtl'],
  ['שלום world', 'rtl'],
  ['12: world שלום', 'ltr'],
  ['«١٢» مدينة', 'rtl'],
  ['北京', 'ltr'],
  ['123 …', 'ltr'],
] as const)('%j runs %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})
