// The texts about a session, however much is known about it.
import { expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { deviceText, placeText, signInMethodText } from './sessions-section.tsx'

const session = (known: Partial<Session>): Session => ({
  ...({
    clientName: '',
    osName: '',
    deviceBrand: '',
    deviceModel: '',
    ip: '',
    countryCode: '--',
    countryName: 'Unknown',
    provider: 'email',
  } as Session),
  ...known,
})

test.each([
  [{ clientName: 'Chrome', osName: 'GNU/Linux' }, 'Chrome on GNU/Linux'],
  [
    { clientName: 'Safari', osName: 'iOS', deviceBrand: 'Apple', deviceModel: 'iPhone' },
    'Safari on Apple iPhone',
  ],
  [{ clientName: 'curl' }, 'curl'],
  [{ osName: 'Windows' }, 'Windows'],
  [{}, 'Unknown device'],
])('the device of %o', (known, text) => {
  expect(deviceText(session(known))).toBe(text)
})

test('the place includes the country only when it is known', () => {
  expect(placeText(session({ ip: '192.0.2.1' }))).toBe('192.0.2.1')
  expect(placeText(session({ ip: '192.0.2.1', countryCode: 'no', countryName: 'Norway' }))).toBe(
    'Norway, 192.0.2.1',
  )
  expect(placeText(session({}))).toBe('')
})

test('sign-in methods without a name are left out', () => {
  expect(
    ['email', 'magic-url', 'google', 'phone', 'toString'].map((provider) =>
      signInMethodText(session({ provider })),
    ),
  ).toEqual(['with a password', 'by an emailed link', 'with Google', '', ''])
})
