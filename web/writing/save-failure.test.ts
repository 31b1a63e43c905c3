import { expect, test } from 'vitest'
import type { Failure } from '../api/client.ts'
import { failureTextAfterLeaving, imageFailureText, saveFailureText } from './save-failure.ts'

const BROKEN: Failure = { message: 'Failed to fetch', code: 0, type: '' }

test.each([
  [BROKEN, 'This could not be saved. Your text is still here.'],
  [
    { message: 'no', code: 401, type: 'general_unauthorized_scope' },
    'This could not be saved. Your text is still here. You were signed out. Sign in to continue.',
  ],
  [
    { message: 'no', code: 429, type: 'general_rate_limit_exceeded' },
    'This could not be saved. Your text is still here. Too many attempts. Wait a minute.',
  ],
  [
    { message: 'Invalid document structure: x', code: 400, type: 'document_invalid_structure' },
    'This could not be saved. Your text is still here. The server does not take a part of it as it is.',
  ],
  [
    { message: 'Invalid `y` param: z', code: 400, type: 'general_argument_invalid' },
    'This could not be saved. Your text is still here.',
  ],
  [
    { message: 'An image in the text could not be stored.', code: 400, type: 'text_image_failed' },
    'This could not be saved. Your text is still here. An image in the text could not be stored.',
  ],
  [
    { message: 'Secret trace', code: 500, type: 'general_unknown' },
    'This could not be saved. Your text is still here.',
  ],
])('the failure %o is described as %j', (failure, text) => {
  expect(saveFailureText(failure)).toBe(text)
})

test('a failure after the form was left says where the text is', () => {
  expect(failureTextAfterLeaving(BROKEN)).toBe(
    'This could not be saved. A copy of your text is on this device.',
  )
  expect(failureTextAfterLeaving({ message: 'no', code: 401, type: '' })).toBe(
    'This could not be saved. A copy of your text is on this device. You were signed out. Sign in to continue.',
  )
})

test('the text about a refused image says why, even if the session has ended', () => {
  expect(
    imageFailureText({
      message: 'You are not allowed to do this.',
      code: 401,
      type: 'user_unauthorized',
    }),
  ).toBe('You were signed out. Sign in to continue.')
  expect(imageFailureText(BROKEN)).toBe('Check your connection and try again.')
  expect(imageFailureText({ message: 'no', code: 429, type: 'general_rate_limit_exceeded' })).toBe(
    'Too many attempts. Wait a minute.',
  )
})
