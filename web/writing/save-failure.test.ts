import { expect, test } from 'vitest'
import type { Failure } from '../api/client.ts'
import { imageFailureText, leftFailureText, saveFailureText } from './save-failure.ts'

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
])('a failure %o is told as %j', (failure, text) => {
  expect(saveFailureText(failure)).toBe(text)
})

test('a failure after the form was left says where the text is', () => {
  expect(leftFailureText(BROKEN)).toBe(
    'This could not be saved. A copy of your text is on this device.',
  )
  expect(leftFailureText({ message: 'no', code: 401, type: '' })).toBe(
    'This could not be saved. A copy of your text is on this device. You were signed out. Sign in to continue.',
  )
})

test('an image in the text that was refused says why, and a session that ended by its name', () => {
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
