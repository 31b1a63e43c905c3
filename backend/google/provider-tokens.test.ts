// Encrypted provider tokens.
import { expect, test } from 'vitest'
import { makeProviderTokens } from './google-sign-in.ts'

const KEY = 'ab'.repeat(32)

test('a decrypted token is unchanged, and each encryption of it differs', () => {
  const tokens = makeProviderTokens(KEY)
  const token = 'ya29.a0Ab-token ✓'
  const [one, other] = [tokens.seal(token, 'alice'), tokens.seal(token, 'alice')]
  expect(tokens.open(one, 'alice')).toBe(token)
  expect(tokens.open(other, 'alice')).toBe(token)
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('ya29')
})

test('it opens for no other user, with no other key, and not when a byte has changed', () => {
  const tokens = makeProviderTokens(KEY)
  const sealed = tokens.seal('a token', 'alice')
  expect(tokens.open(sealed, 'bob')).toBe(undefined)
  expect(makeProviderTokens('cd'.repeat(32)).open(sealed, 'alice')).toBe(undefined)
  for (const place of [0, 12, Buffer.from(sealed, 'base64').length - 1]) {
    const bytes = Buffer.from(sealed, 'base64')
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
    expect(tokens.open(bytes.toString('base64'), 'alice')).toBe(undefined)
  }
  for (const broken of ['', 'AAAA', 'not base64 at all'])
    expect(tokens.open(broken, 'alice')).toBe(undefined)
})
