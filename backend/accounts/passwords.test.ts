// Which passwords are accepted, how they are hashed, and how many concurrently.
import { hash, verify } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  checkNewPassword,
  checkPasswordLength,
  HASH_QUEUE_MAX,
  HASH_QUEUE_SHARE,
  MAX_CONCURRENT_HASHES,
  makePasswords,
  type Passwords,
} from './passwords.ts'

vi.mock('@node-rs/argon2', { spy: true })

/** For tests of the queue: cheap, but a pass over a megabyte still takes a moment. */
const CHEAP = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
const OWNER = { email: 'ann.example@lamps.test', name: 'Ann Lamplighter' }

describe('a new password', () => {
  test.each([
    'correct horse',
    'пароль из слов',
    '密码密码密码密码',
    '👩‍🚀👩‍🚀👩‍🚀',
    ' leading and trailing ',
    `${'a'.repeat(255)}💡`,
    'with\0nul and\ttab',
    'ann example lamps',
  ])('%j is accepted', async (password) => {
    expect(await checkNewPassword(password, OWNER)).toBe(undefined)
  })

  test.each(['', 'seven77', '💡💡💡💡', 'a'.repeat(257), '💡'.repeat(257), 'a'.repeat(100_000)])(
    '%j is too short or too long',
    async (password) => {
      expect(() => checkPasswordLength(password)).toThrow(
        expect.objectContaining({ type: 'general_argument_invalid' }),
      )
      await expect(checkNewPassword(password, OWNER)).rejects.toMatchObject({
        type: 'general_argument_invalid',
        message: 'Invalid `password` param: Password must be between 8 and 256 characters long',
      })
    },
  )

  test.each(['password', 'PASSWORD', '12345678', 'iloveyou', 'qwerty123', 'admin123', 'Passw0rd'])(
    '%j is too common',
    async (password) => {
      await expect(checkNewPassword(password, OWNER)).rejects.toMatchObject({
        type: 'general_argument_invalid',
      })
    },
  )

  test.each([
    'ann.example@lamps.test',
    'Ann.Example@Lamps.Test',
    'ann.example',
    'ANN.EXAMPLE',
    'Ann Lamplighter',
    ' ann lamplighter ',
  ])('%j is personal data of its owner', async (password) => {
    await expect(checkNewPassword(password, OWNER)).rejects.toMatchObject({
      type: 'password_personal_data',
      status: 400,
    })
  })
})

/** How many hashes a wrong password causes, and the kind of hash it is compared with. */
async function workOf(passwords: Passwords, stored: string | undefined) {
  vi.clearAllMocks()
  expect(await passwords.verify('wrong horse', stored)).toBe(false)
  const compared = vi.mocked(verify).mock.calls.map(([storedHash]) => String(storedHash))
  return {
    hashCount: vi.mocked(hash).mock.calls.length,
    checked: compared.map((storedHash) => storedHash.slice(0, passwords.hashPrefix.length)),
  }
}

describe('hashing', () => {
  // The time limit of the queue never expires here.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('is argon2id with 19 MiB, two passes and one lane, salted', async () => {
    const passwords = makePasswords()
    const [hash1, hash2] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ])
    expect(hash1).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(hash1).not.toBe(hash2)
    expect(passwords.isOutdated(hash1)).toBe(false)
  })

  test.each([
    { name: 'itself', sent: 'correct horse', isRight: true },
    { name: 'another letter case', sent: 'Correct horse', isRight: false },
    { name: 'a space more', sent: 'correct horse ', isRight: false },
    { name: 'only its beginning', sent: 'correct hors', isRight: false },
  ])('the hash of a password matches $name: $isRight', async ({ sent, isRight }) => {
    const passwords = makePasswords()
    expect(await passwords.verify(sent, await passwords.hash('correct horse'))).toBe(isRight)
  })

  test('passwords are not truncated: two that differ only in the last of 256 characters do not match', async () => {
    const passwords = makePasswords()
    const stored = await passwords.hash(`${'💡'.repeat(255)}a`)
    expect(await passwords.verify(`${'💡'.repeat(255)}b`, stored)).toBe(false)
    expect(await passwords.verify(`${'💡'.repeat(255)}a`, stored)).toBe(true)
  })

  test('for an unknown user no password is correct, and the verification does the same work', async () => {
    const stored = await makePasswords().hash('correct horse')
    expect(await makePasswords().verify('correct horse', undefined)).toBe(false)
    const known = makePasswords()
    const unknown = makePasswords()
    // The first verification of a process, and a later one.
    for (const hashCount of [1, 0]) {
      const work = await workOf(known, stored)
      expect(work).toEqual({ hashCount, checked: [known.hashPrefix] })
      expect(await workOf(unknown, undefined)).toEqual(work)
    }
  })

  test('a failed hash does not break later checks', async () => {
    const passwords = makePasswords()
    vi.mocked(hash).mockRejectedValueOnce(new Error('no memory'))
    await expect(passwords.verify('a lamp in the window', undefined)).rejects.toThrow('no memory')
    expect(await passwords.verify('a lamp in the window', undefined)).toBe(false)
  })

  test('a hash with weaker parameters still works and counts as outdated', async () => {
    const passwords = makePasswords()
    const weak = await hash('correct horse', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    expect(await passwords.verify('correct horse', weak)).toBe(true)
    expect(passwords.isOutdated(weak)).toBe(true)
  })

  test('one address can fill only its share of the queue, and others are served in between', async () => {
    const passwords = makePasswords(CHEAP)
    const stored = await passwords.hash('correct horse')
    const finishedKeys: string[] = []
    const check = (key: string) =>
      passwords.verify('correct horse', stored, { key }).then(() => void finishedKeys.push(key))
    const extra = 10
    const flood = Promise.allSettled(
      Array.from({ length: MAX_CONCURRENT_HASHES + HASH_QUEUE_SHARE + extra }, () =>
        check('flood'),
      ),
    )
    await check('ann')
    // Threads may end in another order than they began (bounded-queue.test.ts tests the exact
    // order).
    expect(finishedKeys.length).toBeLessThan(HASH_QUEUE_SHARE / 2)
    expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(extra)
  })

  test('checks that do not fit into the queue are refused, and later ones work again', async () => {
    const passwords = makePasswords(CHEAP)
    const stored = await passwords.hash('correct horse')
    const extra = 20
    const checks = await Promise.allSettled(
      Array.from({ length: MAX_CONCURRENT_HASHES + HASH_QUEUE_MAX + extra }, () =>
        passwords.verify('correct horse', stored),
      ),
    )
    const refused = checks.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(extra)
    expect(refused[0]?.reason).toMatchObject({ type: 'general_service_disabled', status: 503 })
    expect(await passwords.verify('correct horse', stored)).toBe(true)
  })
})
