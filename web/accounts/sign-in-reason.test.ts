// The failure in the address to which Google redirects. Anybody can write such an address.
import { expect, test } from 'vitest'
import { googleFailureIn } from './sign-in-reason.tsx'

const addressOf = (error: unknown) =>
  `?next=%2Fpost&error=${encodeURIComponent(typeof error === 'string' ? error : JSON.stringify(error))}`

test('a known failure has a text of its own', () => {
  expect(
    googleFailureIn(addressOf({ message: 'x', type: 'user_oauth2_provider_error', code: 424 })),
  ).toBe('Google did not confirm this sign-in.')
  expect(googleFailureIn(addressOf({ message: 'x', type: 'user_blocked', code: 401 }))).toBe(
    'This account has been blocked.',
  )
})

test.each([
  ['another type', { message: 'Call 0900 123', type: 'general_unknown' }],
  ['a name every object has', { type: 'constructor' }],
  ['a type that is no text', { type: ['user_blocked'] }],
  ['no object', 'null'],
  ['no JSON', 'access_denied'],
  ['nothing', ''],
])('%s gets the general text, which repeats nothing from the address', (_name, error) => {
  expect(googleFailureIn(addressOf(error))).toBe('Signing in with Google did not work. Try again.')
})

test('an address without an error has no text', () => {
  expect(googleFailureIn('?next=%2Fpost')).toBe(undefined)
})
