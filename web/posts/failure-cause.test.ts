import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import { type Failure, fail, succeed } from '../api/client.ts'
import { causeOf, reasonText } from './failure-cause.ts'

const GONE: Failure = { message: 'Document not found', code: 404, type: 'document_not_found' }
const NOBODY: Failure = { message: 'no', code: 401, type: 'general_unauthorized_scope' }
const OFFLINE: Failure = { message: 'Failed to fetch', code: 0, type: '' }

function viewerCall(userIdOrFailure: string | Failure) {
  return async () =>
    typeof userIdOrFailure === 'string'
      ? succeed({ $id: userIdOrFailure } as Account)
      : fail(userIdOrFailure)
}

test('a post counts as deleted when its author, still signed in, gets "not found"', async () => {
  expect(await causeOf(GONE, 'alice', viewerCall('alice'))).toEqual(GONE)
})

test('"not found" after the session ended means that it ended', async () => {
  expect(await causeOf(GONE, 'alice', viewerCall(NOBODY))).toEqual(NOBODY)
})

test('"not found" while another person is signed in means that the author is signed out', async () => {
  expect(await causeOf(GONE, 'alice', viewerCall('bob'))).toEqual({
    message: '',
    code: 401,
    type: '',
  })
})

test('when asking for the viewer gets no response, the post does not count as deleted', async () => {
  expect(await causeOf(GONE, 'alice', viewerCall(OFFLINE))).toEqual(OFFLINE)
})

test('any other failure is its own cause, and no request follows', async () => {
  const getViewer = () => Promise.reject(new Error('requested'))
  expect(await causeOf(NOBODY, 'alice', getViewer)).toEqual(NOBODY)
  expect(await causeOf(OFFLINE, 'alice', getViewer)).toEqual(OFFLINE)
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
])('%s is explained in our words, never in those of the API', (_name, failure, text) => {
  expect(reasonText(failure)).toBe(text)
})
