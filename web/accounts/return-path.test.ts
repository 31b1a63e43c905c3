// Which addresses may be offered after signing in.
import { describe, expect, test } from 'vitest'
import { returnPathIn, returnStateOf } from './return-path.ts'

describe('the page asked for earlier', () => {
  test.each(['/post', '/add-post', '/edit-post/blog1763472000000l', '/post/blog1l?from=mail'])(
    '%s is offered',
    (from) => {
      expect(returnPathIn({ from })).toBe(from)
    },
  )

  test.each([
    ['another site', 'https://evil.example/post'],
    ['another site without a scheme', '//evil.example/post'],
    ['another site by a backslash', '/\\evil.example/post'],
    ['a backslash further on', '/post\\..\\..'],
    ['another site behind a dropped tab', '/\t/evil.example'],
    ['another site behind dots', '/.//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'post'],
    ['nothing', ''],
    ['a page of signing in', '/login?next=/login'],
    ['the place one is going to anyway', '/dashboard'],
    ['something endless', `/${'a'.repeat(3000)}`],
  ])('%s is not', (_name, from) => {
    expect(returnPathIn({ from })).toBe(undefined)
  })

  test('any other state says nothing', () => {
    for (const state of [null, undefined, 7, 'x', {}, { from: 7 }])
      expect(returnPathIn(state)).toBe(undefined)
  })

  test('the state wins over the address, and the address is checked the same way', () => {
    expect(returnStateOf({ state: { from: '/post/a' }, search: '?next=/post/b' })).toEqual({
      from: '/post/a',
    })
    expect(returnStateOf({ state: null, search: '?next=/post/b' })).toEqual({ from: '/post/b' })
    expect(returnStateOf({ state: null, search: '?next=//evil.example' })).toBe(null)
  })
})
