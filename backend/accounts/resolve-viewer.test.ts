// The session token: its format, where a request carries it, and that any change makes it invalid.
import { describe, expect, test } from 'vitest'
import {
  findSessionToken,
  formatSessionToken,
  makeSessionNames,
  parseSessionToken,
} from './resolve-viewer.ts'

const TOKEN = { userId: 'alice', secret: 'ab'.repeat(32) }
const TEXT = formatSessionToken(TOKEN)
const OTHER = formatSessionToken({ userId: 'bob', secret: 'cd'.repeat(32) })
const NAMES = makeSessionNames('Blog', { publicUrl: 'http://blog.test', isHttps: false })
const ON_PORT = makeSessionNames('Blog', { publicUrl: 'http://blog.test:4800', isHttps: false })
const HTTPS = { publicUrl: 'https://blog.test', isHttps: true }

test('the cookie is named after the project in lower case, and bound to the host on https', () => {
  expect(NAMES.cookie).toBe('a_session_blog')
  expect(makeSessionNames('Blog', HTTPS).cookie).toBe('__Host-a_session_blog')
})

test('the name of the cookie contains the port of the public address', () => {
  const nameAt = (publicUrl: string) =>
    makeSessionNames('Blog', { publicUrl, isHttps: publicUrl.startsWith('https') }).cookie
  expect(nameAt('http://localhost:4800')).toBe('a_session_blog_4800')
  expect(nameAt('https://blog.test:8443')).toBe('__Host-a_session_blog_8443')
  expect(nameAt('http://blog.test:80')).toBe('a_session_blog')
  expect(nameAt('https://blog.test:443')).toBe('__Host-a_session_blog')
})

test('a token is base64 of the id and the secret', () => {
  expect(JSON.parse(Buffer.from(TEXT, 'base64').toString())).toEqual({
    id: 'alice',
    secret: 'ab'.repeat(32),
  })
  expect(parseSessionToken(TEXT)).toEqual(TOKEN)
})

test('any changed, missing or added character makes a token invalid', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='
  const still: string[] = []
  for (let at = 0; at <= TEXT.length; at++) {
    const cut = TEXT.slice(0, at) + TEXT.slice(at + 1)
    const longer = `${TEXT.slice(0, at)}A${TEXT.slice(at)}`
    const changed = [...alphabet].map((letter) => TEXT.slice(0, at) + letter + TEXT.slice(at + 1))
    for (const text of [cut, longer, ...changed]) {
      const parsed = parseSessionToken(text)
      if (
        text !== TEXT &&
        parsed &&
        parsed.userId === TOKEN.userId &&
        parsed.secret === TOKEN.secret
      )
        still.push(text)
    }
  }
  expect(still).toEqual([])
})

test.each([
  '',
  '=',
  'null',
  'e30=',
  Buffer.from('null').toString('base64'),
  Buffer.from('[]').toString('base64'),
  'a'.repeat(8192),
  '💡',
  '\0',
])('the token %j is invalid', (text) => {
  expect(parseSessionToken(text)).toBe(undefined)
})

test.each([
  { name: 'an id with a trick', value: { id: '../alice', secret: 'x' } },
  { name: 'an object as id', value: { id: { $ne: '' }, secret: 'x' } },
  { name: 'a list as secret', value: { id: 'alice', secret: ['x'] } },
  { name: 'an extra field', value: { id: 'alice', secret: 'ab'.repeat(32), role: 'key' } },
])('$name is invalid', ({ value }) => {
  expect(parseSessionToken(Buffer.from(JSON.stringify(value)).toString('base64'))).toBe(undefined)
})

describe('the look-up', () => {
  const fallback = (value: unknown) => ({ 'x-fallback-cookies': JSON.stringify(value) })

  test.each([
    { name: 'the cookie', headers: { cookie: `a=b; a_session_blog=${TEXT}; c=d` } },
    {
      name: 'the cookie, percent-encoded',
      headers: { cookie: `a_session_blog=${encodeURIComponent(TEXT)}` },
    },
    {
      name: 'the same cookie twice',
      headers: { cookie: `a_session_blog=${TEXT}; a_session_blog=${TEXT}` },
    },
    {
      name: 'an emptied cookie, then the session header',
      headers: { cookie: 'a_session_blog=', 'x-appwrite-session': TEXT },
    },
    { name: 'the session header', headers: { 'x-appwrite-session': TEXT } },
    {
      name: 'a cookie before the session header',
      headers: { cookie: `a_session_blog=${TEXT}`, 'x-appwrite-session': OTHER },
    },
    {
      name: 'the fallback with the project’s own case',
      headers: fallback({ a_session_Blog: TEXT }),
    },
    { name: 'the fallback in lower case', headers: fallback({ a_session_blog: TEXT }) },
    {
      name: 'the session header before the fallback',
      headers: { 'x-appwrite-session': TEXT, ...fallback({ a_session_blog: OTHER }) },
    },
  ])('finds $name', ({ headers }) => {
    expect(findSessionToken(headers, NAMES)).toEqual(TOKEN)
  })

  test.each([
    { name: 'nothing', headers: {} },
    { name: 'an empty cookie header', headers: { cookie: '' } },
    { name: 'separators only', headers: { cookie: ';;=;==;' } },
    { name: 'the cookie of https', headers: { cookie: `__Host-a_session_blog=${TEXT}` } },
    { name: 'a legacy cookie', headers: { cookie: `a_session_blog_legacy=${TEXT}` } },
    { name: 'another project’s cookie', headers: { cookie: `a_session_other=${TEXT}` } },
    {
      name: 'two different cookies',
      headers: { cookie: `a_session_blog=${TEXT}; a_session_blog=${OTHER}` },
    },
    {
      name: 'a broken cookie before a good header',
      headers: { cookie: 'a_session_blog=x', 'x-appwrite-session': TEXT },
    },
    { name: 'a broken percent sign', headers: { cookie: 'a_session_blog=%E0%A4%A' } },
    { name: 'a name that only ends like ours', headers: { cookie: `xa_session_blog=${TEXT}` } },
    ...[
      '',
      '[]',
      'null',
      '{',
      '""',
      '{"a_session_blog":null}',
      '{"a_session_blog":[1]}',
      '{"a_session_blog":{}}',
    ].map((text) => ({
      name: `the fallback ${text}`,
      headers: { 'x-fallback-cookies': text },
    })),
  ])('finds no token in $name', ({ headers }) => {
    expect(findSessionToken(headers, NAMES)).toBe(undefined)
  })

  test('a cookie without a port counts only if nothing else is sent', () => {
    const portless = `a_session_blog=${OTHER}`
    const find = (headers: Record<string, string>) => findSessionToken(headers, ON_PORT)?.userId
    expect(find({ cookie: portless })).toBe('bob')
    expect(find({ cookie: `${portless}; a_session_blog_4800=${TEXT}` })).toBe('alice')
    expect(find({ cookie: portless, 'x-appwrite-session': TEXT })).toBe('alice')
    expect(find({ cookie: portless, ...fallback({ a_session_blog: TEXT }) })).toBe('alice')
    expect(find({ cookie: `a_session_blog_4801=${TEXT}` })).toBe(undefined)
  })

  test('on https only the cookie that is bound to the host counts', () => {
    const names = makeSessionNames('Blog', HTTPS)
    const find = (cookie: string) => findSessionToken({ cookie }, names)
    expect(find(`__Host-a_session_blog=${TEXT}`)).toEqual(TOKEN)
    for (const planted of [
      'a_session_blog',
      'a_session_blog_legacy',
      '__Host-a_session_blog_legacy',
      '__Secure-a_session_blog',
      '__host-a_session_blog',
    ]) {
      expect([planted, find(`${planted}=${OTHER}`)]).toEqual([planted, undefined])
      expect(find(`${planted}=${OTHER}; __Host-a_session_blog=${TEXT}`)).toEqual(TOKEN)
    }
  })
})
