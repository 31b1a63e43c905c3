import { expect, test } from 'vitest'
import { readablePath } from './unreadable-paths.ts'

test.each([
  ['/%', '/%25'],
  ['/post/%E0%A4%A', '/post/%25E0%25A4%25A'],
  ['/a%20b/%zz?q=%', '/a%20b/%25zz?q=%'],
  ['//elsewhere.example/%', '/elsewhere.example/%25'],
  ['/\\elsewhere.example/%', '/%5Celsewhere.example/%25'],
  ['http://elsewhere.example/%', undefined],
])('%s is readable as %s', (url, path) => {
  expect(readablePath(url)).toBe(path)
})
