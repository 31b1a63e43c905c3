// Passwords while hashing itself fails: one fault spoils one call.
import { hash } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { makePasswords } from './passwords.ts'

vi.mock('@node-rs/argon2', { spy: true })

test('a failed hash does not break later checks', async () => {
  const passwords = makePasswords()
  vi.mocked(hash).mockRejectedValueOnce(new Error('no memory'))
  await expect(passwords.isRight('a lamp in the window', undefined)).rejects.toThrow('no memory')
  expect(await passwords.isRight('a lamp in the window', undefined)).toBe(false)
})
