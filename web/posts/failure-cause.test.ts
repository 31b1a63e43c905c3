import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import { type Failure, fail, succeed } from '../api/result.ts'
import { trueReasonOf } from './failure-cause.ts'

const GONE: Failure = { message: 'Document not found', code: 404, type: 'document_not_found' }
const NOBODY: Failure = { message: 'no', code: 401, type: 'general_unauthorized_scope' }
const OFFLINE: Failure = { message: 'Failed to fetch', code: 0, type: '' }

function answering(answer: string | Failure) {
  return async () =>
    typeof answer === 'string' ? succeed({ $id: answer } as Account) : fail(answer)
}

test('a post is gone only when its author is told so', async () => {
  expect(await trueReasonOf(GONE, 'alice', answering('alice'))).toEqual(GONE)
})

test('"not found" after the session ended means that it ended', async () => {
  expect(await trueReasonOf(GONE, 'alice', answering(NOBODY))).toEqual(NOBODY)
})

test('"not found" told to somebody else says nothing of the post: this person is signed out', async () => {
  expect(await trueReasonOf(GONE, 'alice', answering('bob'))).toEqual({
    message: '',
    code: 401,
    type: '',
  })
})

test('without an answer the post is not called gone', async () => {
  expect(await trueReasonOf(GONE, 'alice', answering(OFFLINE))).toEqual(OFFLINE)
})

test('any other failure is what it says, and nobody is asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await trueReasonOf(NOBODY, 'alice', ask)).toEqual(NOBODY)
  expect(await trueReasonOf(OFFLINE, 'alice', ask)).toEqual(OFFLINE)
})
