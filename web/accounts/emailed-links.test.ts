// Parsing emailed links.
import { AppwriteException } from 'appwrite'
import { expect, test } from 'vitest'
import { formFailureOf } from '../forms/form-failure.ts'
import { linkValuesIn } from './emailed-links.tsx'

test('a link needs both values', () => {
  expect(linkValuesIn('?userId=u1&secret=s1&expire=2023-11-20+14%3A37%3A00.123')).toEqual({
    userId: 'u1',
    secret: 's1',
  })
  expect(
    ['', '?userId=u1', '?secret=s1', '?userId=&secret=s1', '?userId=u1&secret='].map(linkValuesIn),
  ).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('only a refused link is spent; a network failure or a server error does not spend it', () => {
  const answers = [
    ['user_invalid_token', 401],
    ['user_not_found', 404],
    ['general_rate_limit_exceeded', 429],
    ['general_unknown', 500],
  ] as const
  expect(
    answers.map(([type, code]) => formFailureOf(new AppwriteException('', code, type)).isLinkSpent),
  ).toEqual([true, true, false, false])
  expect(formFailureOf(new TypeError('Failed to fetch')).isLinkSpent).toBe(false)
})
