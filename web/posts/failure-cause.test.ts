import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import { type Failure, fail, succeed } from '../api/client.ts'
import { causeOf, reasonText } from './failure-cause.ts'

const GONE: Failure = { message: 'Document not found', code: 404, type: 'document_not_found' }
const NOBODY: Failure = { message: 'no', code: 401, type: 'general_unauthorized_scope' }
const OFFLINE: Failure = { message: 'Failed to fetch', code: 0, type: '' }

function answering(answer: string | Failure) {
  return async () =>
    typeof answer === 'string' ? succeed({ $id: answer } as Account) : fail(answer)
}

test('a post is deleted when its author, still signed in, is told so', async () => {
  expect(await causeOf(GONE, 'alice', answering('alice'))).toEqual(GONE)
})

test('"not found" after the session ended means that it ended', async () => {
  expect(await causeOf(GONE, 'alice', answering(NOBODY))).toEqual(NOBODY)
})

test('"not found" while another person is signed in means that the author is signed out', async () => {
  expect(await causeOf(GONE, 'alice', answering('bob'))).toEqual({
    message: '',
    code: 401,
    type: '',
  })
})

test('without an answer the post is not taken for deleted', async () => {
  expect(await causeOf(GONE, 'alice', answering(OFFLINE))).toEqual(OFFLINE)
})

test('any other failure is its own cause, and the server is not asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await causeOf(NOBODY, 'alice', ask)).toEqual(NOBODY)
  expect(await causeOf(OFFLINE, 'alice', ask)).toEqual(OFFLINE)
})

test.each([
  ['the session has ended', NOBODY, 'You were signed out. Sign in to continue.'],
  ['no answer', OFFLINE, 'Check your connection and try again.'],
  [
    'too many attempts',
    { message: 'Rate limit', code: 429, type: 'general_rate_limit_exceeded' },
    'Too many attempts. Wait a minute.',
  ],
  ['it is gone', GONE, 'This is not there any more. Reload the page.'],
  [
    'a fault of the server',
    { message: 'Server Error', code: 500, type: 'general_unknown' },
    'The server has a problem. Nothing was changed; try again in a moment.',
  ],
])('%s is said in words of ours, never in those of the API', (_name, failure, text) => {
  expect(reasonText(failure)).toBe(text)
})
