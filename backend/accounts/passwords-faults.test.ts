// Passwords while hashing itself fails: one fault spoils one call.
import { hash } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { makePasswords } from './passwords.ts'

test('a failed hash does not break later checks', async () => {
  const failing = vi.fn(hash).mockRejectedValueOnce(new Error('no memory'))
  const passwords = makePasswords({ hash: failing })
  await expect(passwords.isRight('a lamp in the window', undefined)).rejects.toThrow('no memory')
  expect(await passwords.isRight('a lamp in the window', undefined)).toBe(false)
})
