// Which addresses may be offered after signing in.
import { describe, expect, test } from 'vitest'
import {
  backPathIn,
  requestedPathOf,
  returnPathIn,
  returnStateOf,
  returnsDirectly,
} from './return-path.ts'

describe('the requested page', () => {
  test.each([
    '/post',
    '/add-post',
    '/edit-post/blog1763472000000l',
    '/post/blog1l?from=mail',
    '/post/blog1l#comments',
  ])('%s is offered', (from) => {
    expect(returnPathIn({ from })).toBe(from)
  })

  test.each([
    ['another site', 'https://evil.example/post'],
    ['another site without a scheme', '//evil.example/post'],
    ['another site by a backslash', '/\\evil.example/post'],
    ['a backslash later in the path', '/post\\..\\..'],
    ['another site behind a dropped tab', '/\t/evil.example'],
    ['another site behind dots', '/.//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'post'],
    ['nothing', ''],
    ['the sign-in page', '/login?next=/login'],
    ['the default page', '/dashboard'],
    ['a path that is too long', `/${'a'.repeat(3000)}`],
  ])('%s is not offered', (_name, from) => {
    expect(returnPathIn({ from })).toBe(undefined)
  })

  test('any other state names no page', () => {
    for (const state of [null, undefined, 7, 'x', {}, { from: 7 }])
      expect(returnPathIn(state)).toBe(undefined)
  })

  test('the state takes precedence over the address, which is checked the same way', () => {
    expect(returnStateOf({ state: { from: '/post/a' }, search: '?next=/post/b' })).toEqual({
      from: '/post/a',
    })
    expect(returnStateOf({ state: null, search: '?next=/post/b' })).toEqual({ from: '/post/b' })
    expect(returnStateOf({ state: null, search: '?next=//evil.example' })).toBe(null)
  })
})

test('signing in returns directly to the list and to a post; any other page is only offered', () => {
  for (const path of ['/post', '/post?after=a', '/post/blog1l'])
    expect(returnsDirectly({ from: path }), path).toBe(true)
  for (const path of ['/add-post', '/edit-post/blog1l', '/settings', '/posters'])
    expect(returnsDirectly({ from: path }), path).toBe(false)
})

test('signing in returns directly to the page on which the session ended, if it is a page of this site', () => {
  for (const from of ['/dashboard', '/edit-post/blog1l']) {
    const returnState = returnStateOf({ state: { from, hasSessionEnded: true }, search: '' })
    expect(returnState).toEqual({ from, hasSessionEnded: true })
    expect(returnState && returnsDirectly(returnState)).toBe(true)
  }
  expect(
    returnStateOf({ state: { from: '//evil.example', hasSessionEnded: true }, search: '' }),
  ).toBe(null)
})

test('the dashboard and the form of a new post can be the requested page, the sign-in page cannot', () => {
  expect(requestedPathOf({ state: { from: '/dashboard' }, search: '' })).toBe('/dashboard')
  expect(requestedPathOf({ state: null, search: '?next=/add-post' })).toBe('/add-post')
  expect(requestedPathOf({ state: { from: '/login' }, search: '' })).toBe(undefined)
})

test('the page to go back to without signing in is a post of this site', () => {
  expect(backPathIn({ back: '/post/blog1l' })).toBe('/post/blog1l')
  for (const back of ['/post', '/dashboard', '//evil.example/post/a', 'https://evil.example/', 7])
    expect(backPathIn({ back })).toBe(undefined)
})
