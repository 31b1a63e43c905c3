// How refusals reach the form.
import { AppwriteException } from 'appwrite'
import { expect, test } from 'vitest'
import { formFailureOf } from './form-failure.ts'

test('a refusal that names a field is shown above the form and at that field', () => {
  const message = 'Invalid `password` param: Password must be between 8 and 256 characters long.'
  expect(formFailureOf(new AppwriteException(message, 400, 'general_argument_invalid'))).toEqual({
    message,
    fields: { password: 'Password must be between 8 and 256 characters long.' },
  })
})

test('a wrong address says so in plain words at its field', () => {
  const failure = formFailureOf(
    new AppwriteException(
      'Invalid `email` param: Value must be a valid email address',
      400,
      'general_argument_invalid',
    ),
  )
  expect(failure.fields).toEqual({ email: 'This does not look like an email address.' })
})

test('wrong credentials belong to no field', () => {
  const failure = formFailureOf(
    new AppwriteException('E-mail or password is not correct.', 401, 'user_invalid_credentials'),
  )
  expect(failure).toEqual({ message: 'E-mail or password is not correct.', fields: {} })
})

test('no answer at all is told as such', () => {
  expect(formFailureOf(new TypeError('Failed to fetch')).message).toBe(
    'The server did not answer. Check your connection and try again.',
  )
})
