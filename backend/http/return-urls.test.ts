// Which addresses a visitor may be sent to.
import { describe, expect, test } from 'vitest'
import { readReturnUrl } from './return-urls.ts'

const ALLOWED = ['https://blog.example', 'http://localhost:3000']

describe('passes', () => {
  test.each([
    ['https://blog.example', 'https://blog.example/'],
    [
      'https://blog.example/verifyOAuth?next=%2Fpost#top',
      'https://blog.example/verifyOAuth?next=%2Fpost#top',
    ],
    ['HTTPS://BLOG.EXAMPLE:443/login', 'https://blog.example/login'],
    ['http://localhost:3000/login', 'http://localhost:3000/login'],
  ])('%s', (text, url) => expect(readReturnUrl('url', text, ALLOWED)).toBe(url))
})

describe('is refused', () => {
  test.each([
    '',
    '/login',
    '//blog.example/login',
    'javascript:alert(1)',
    'data:text/html,hi',
    'ftp://blog.example/',
    'https://evil.example/',
    'https://blog.example.evil.example/',
    'https://evil.example/https://blog.example/',
    'https://blog.example@evil.example/',
    'https://me:secret@blog.example/',
    'https://me@blog.example/',
    'https:\\\\evil.example\\@blog.example/',
    'https://blog.example\\@evil.example/',
    'https://evil.example\\.blog.example/',
    'https://blog.example/\nLocation: https://evil.example',
    'https://blog.example/\t',
    ' https://blog.example/',
    'https:blog.example/login',
    'https:/blog.example/login',
    'http://blog.example/',
    'https://blog.example:8443/',
    'http://localhost:3001/',
    'http://localhost/',
    `https://blog.example/${'a'.repeat(2048)}`,
    'null',
  ])('%j', (text) =>
    expect(() => readReturnUrl('success', text, ALLOWED)).toThrow(
      expect.objectContaining({
        type: 'general_argument_invalid',
        message: 'Invalid `success` param: URL host must be one of: blog.example, localhost',
      }),
    ),
  )
})
