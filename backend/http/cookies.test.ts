// Finding cookies in a header that anybody may have written.
import { expect, test } from 'vitest'
import { findCookie, makeCookie } from './cookies.ts'

test('a cookie is found by its whole name', () => {
  const { find } = makeCookie('mark', { isHttps: false, isCrossSite: false })
  expect(find({ headers: { cookie: 'mark=1; marked=2' } })).toBe('1')
  expect(find({ headers: { cookie: 'marked=2' } })).toBe(undefined)
  expect(find({ headers: { cookie: 'mark=1; mark=2' } })).toBe(undefined)
  expect(find({ headers: {} })).toBe(undefined)
})

test('a cookie with two values hides the later names', () => {
  expect(findCookie('a=1; a=2; b=3', ['a', 'b'])).toBe('')
  expect(findCookie('a=; b=3', ['a', 'b'])).toBe('3')
})
