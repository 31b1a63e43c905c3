// Finding cookies in a header that may be hostile.
import { expect, test } from 'vitest'
import { cookieName, findCookie, makeCookie } from './viewer.ts'

test('a cookie is found by its whole name', () => {
  const { find } = makeCookie('mark', {
    publicUrl: 'http://blog.test',
    isHttps: false,
    isCrossSite: false,
  })
  expect(find({ headers: { cookie: 'mark=1; marked=2' } })).toBe('1')
  expect(find({ headers: { cookie: 'marked=2' } })).toBe(undefined)
  expect(find({ headers: { cookie: 'mark=1; mark=2' } })).toBe(undefined)
  expect(find({ headers: {} })).toBe(undefined)
})

test('on https no cookie that another host could set is read', () => {
  const site = { publicUrl: 'https://blog.test', isHttps: true, isCrossSite: false }
  const { find } = makeCookie(cookieName('mark', site), site)
  expect(find({ headers: { cookie: 'mark=planted; __Secure-mark=planted' } })).toBe(undefined)
  expect(find({ headers: { cookie: 'mark=planted; __Host-mark=own' } })).toBe('own')
})

test('a cookie with two values is ignored', () => {
  expect(findCookie('a=1; a=2; b=3', 'a')).toBe('')
  expect(findCookie('a=; b=3', 'a')).toBe(undefined)
  expect(findCookie('a=; a=1', 'a')).toBe('1')
})

test.each(['\u00a0', '\ufeff', '\u2000', '\v', '\f', '\u0085'])(
  'a name with the space %j before the prefix is another name',
  (space) => {
    expect(findCookie(`x=1; ${space}__Host-a=planted`, '__Host-a')).toBe(undefined)
    expect(findCookie(`${space}__Host-a=planted; __Host-a=own`, '__Host-a')).toBe('own')
  },
)
