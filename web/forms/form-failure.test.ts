// Refusals reach the form as sentences for people, never as the API's texts.
import { AppwriteException } from 'appwrite'
import { expect, test } from 'vitest'
import { invalidParam, REFUSALS } from '#contract/errors.ts'
import { formFailureOf } from './form-failure.ts'

const LENGTH = 'A password has 8 to 256 characters.'

test.each([
  ['email', 'Value must be a valid email address', 'Enter a valid email address.'],
  [
    'name',
    'Value must be a valid string and no longer than 128 chars',
    'A name can have 128 characters at most.',
  ],
  [
    'name',
    'Value must be one line of text without control characters',
    'A name is one line of plain text.',
  ],
  ['password', 'Password must be between 8 and 256 characters long', LENGTH],
  ['oldPassword', 'Password must be between 8 and 256 characters long', LENGTH],
  [
    'password',
    'Password is among the most used ones. Please choose another',
    'This password is among the most used ones. Choose another.',
  ],
])('a refused %s (%s) is shown at the field and above the form: %j', (field, rule, text) => {
  const { message } = invalidParam(field, rule)
  const failure = formFailureOf(new AppwriteException(message, 400, 'general_argument_invalid'))
  expect({ message: failure.message, fields: failure.fields }).toEqual({
    message: text,
    fields: { [field]: text },
  })
})

test.each(Object.entries(REFUSALS))(
  '%s is shown as a sentence without technical terms',
  (type, [status, text]) => {
    const { message } = formFailureOf(new AppwriteException(`${text} Secret trace.`, status, type))
    expect(message).toMatch(/^[A-Z][^`_]+\.$/)
    expect(message).not.toMatch(/Secret|param|scope|document|\bid\b|\bquery\b|cursor|API/)
  },
)

test('wrong credentials are reported at no field', () => {
  const failure = formFailureOf(
    new AppwriteException('Email or password is not correct.', 401, 'user_invalid_credentials'),
  )
  expect(failure.message).toBe('Email or password is not correct.')
  expect(failure.fields).toEqual({})
})

test('a missing response is reported as such', () => {
  expect(formFailureOf(new TypeError('Failed to fetch')).message).toBe(
    'The server did not respond. Check your connection and try again.',
  )
})
