// People who come with a hash of their password from elsewhere.
import { randomBytes, scryptSync } from 'node:crypto'
import { hash as hashArgon2 } from '@node-rs/argon2'
import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { describe, expect, test } from 'vitest'
import { readArgon2Hash } from '#backend/accounts/passwords.ts'
import type { TestBlog } from '#test/support/blog.ts'
import { inDatabase } from '#test/support/google-blog.ts'
import { signIn } from '#test/support/mail-calls.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

/** The library's own name for it is an enum that no module can import. */
const ARGON2I = 1
const PASSWORD = 'a lamp from elsewhere'
const BAD = { code: 400, type: 'general_argument_invalid' }
const WRONG = { code: 401, type: 'user_invalid_credentials' }
const email = 'nina@example.test'

const importUser = (blog: TestBlog, kind: string, sent: object) =>
  blog.call('POST', `/users/${kind}`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: { userId: 'nina', email, name: 'Nina', ...sent },
  })

async function storedHash(blog: TestBlog, userId = 'nina'): Promise<string> {
  let found = ''
  await inDatabase(blog, async (db) => {
    const row = await db
      .selectFrom('user')
      .select('passwordHash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    found = row.passwordHash ?? ''
  })
  return found
}

function scryptOf(password: string, n = 8, r = 14) {
  const salt = randomBytes(12).toString('hex')
  const hash = scryptSync(password, salt, 64, { N: n, r, p: 1 }).toString('hex')
  const cost = { passwordCpu: n, passwordMemory: r, passwordParallel: 1, passwordLength: 64 }
  return { password: hash, passwordSalt: salt, ...cost }
}

const REFUSED: { kind: string; sent: object }[] = [
  { kind: 'bcrypt', sent: {} },
  { kind: 'bcrypt', sent: { password: 'plain text' } },
  { kind: 'bcrypt', sent: { password: `$2b$13$${'a'.repeat(53)}` } },
  { kind: 'bcrypt', sent: { password: `$2b$31$${'a'.repeat(53)}` } },
  { kind: 'bcrypt', sent: { password: `$2b$03$${'a'.repeat(53)}` } },
  { kind: 'bcrypt', sent: { password: `$2b$10$${'a'.repeat(52)}` } },
  { kind: 'argon2', sent: { password: 'x' } },
  {
    kind: 'argon2',
    sent: { password: `$argon2id$v=19$m=999999,t=1,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}` },
  },
  {
    kind: 'argon2',
    sent: { password: `$argon2id$v=19$m=65536,t=9,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}` },
  },
  {
    kind: 'argon2',
    sent: { password: `$argon2id$v=19$m=64,t=999,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}` },
  },
  {
    kind: 'argon2',
    sent: { password: `$argon2id$v=19$m=4,t=1,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}` },
  },
  // Read as a hash by its form, but none that can be checked.
  ...[
    'm=8,t=1,p=1$AAAAAAAAAAB',
    'm=8,t=1,p=1$AAAAAAAAAAAAA',
    `m=000008,t=1,p=1$${'a'.repeat(22)}`,
  ].map((start) => ({
    kind: 'argon2',
    sent: { password: `$argon2id$v=19$${start}$${'A'.repeat(22)}B` },
  })),
  {
    kind: 'scrypt',
    sent: { ...scryptOf(PASSWORD), passwordCpu: 524_288, passwordMemory: 1 },
  },
  // Few passes over much memory.
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordCpu: 2, passwordMemory: 262_144 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordCpu: 2, passwordParallel: 18_000 } },
  { kind: 'scrypt', sent: { password: 'ab'.repeat(64) } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordCpu: 1_048_576 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordCpu: 9 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordMemory: 1e9 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordParallel: 0 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordLength: 32 } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), passwordSalt: 'x'.repeat(257) } },
  { kind: 'scrypt', sent: { ...scryptOf(PASSWORD), password: 'zz'.repeat(64) } },
]

describe('a hash from elsewhere', () => {
  /** All on one server at once: a wrong password is answered only after a whole second. */
  const TAKEN: { name: string; kind: string; make: () => Promise<object> }[] = [
    {
      name: 'argon2id',
      kind: 'argon2',
      make: async () => ({
        password: await hashArgon2(PASSWORD, { memoryCost: 4096, timeCost: 4, parallelism: 1 }),
      }),
    },
    {
      name: 'argon2i',
      kind: 'argon2',
      make: async () => ({
        password: await hashArgon2(PASSWORD, {
          algorithm: ARGON2I,
          memoryCost: 2048,
          timeCost: 4,
          parallelism: 3,
        }),
      }),
    },
    {
      name: 'bcrypt, as PHP writes it',
      kind: 'bcrypt',
      make: async () => ({
        password: (await hashBcrypt(PASSWORD, 5)).replace(/^\$2b/, () => '$2y'),
      }),
    },
    { name: 'scrypt', kind: 'scrypt', make: async () => scryptOf(PASSWORD) },
    {
      name: 'scrypt of more work',
      kind: 'scrypt',
      make: async () => scryptOf(PASSWORD, 16_384, 8),
    },
  ]

  test('opens the account and is replaced by our own, of whatever kind it is', async () => {
    const blog = await sharedBlog()
    await Promise.all(TAKEN.map((one, at) => opensAccount(blog, one, `user${at}`)))
  })

  async function opensAccount(
    blog: TestBlog,
    { name, kind, make }: (typeof TAKEN)[number],
    userId: string,
  ): Promise<void> {
    const address = `${userId}@example.test`
    const sent = { ...(await make()), userId, email: address }
    const made = await importUser(blog, kind, sent)
    expect([name, made.status, made.body]).toEqual([
      ...[name, 201],
      expect.objectContaining({ $id: userId, password: '', hash: '', hashOptions: {} }),
    ])
    const foreign = await storedHash(blog, userId)
    const wrong = await signIn(blog, { email: address, password: `${PASSWORD}!` })
    expect([name, wrong.body]).toEqual([name, expect.objectContaining(WRONG)])
    expect(await storedHash(blog, userId)).toBe(foreign)
    const right = { email: address, password: PASSWORD }
    expect([name, (await signIn(blog, right)).status]).toEqual([name, 201])
    await expect.poll(() => storedHash(blog, userId)).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect([name, (await signIn(blog, right)).status]).toEqual([name, 201])
  }

  test('of bcrypt does not take the unread end of a long password for right for good', async () => {
    const blog = await sharedBlog()
    const long = 'x'.repeat(80)
    const password = await hashBcrypt(long, 4)
    expect((await importUser(blog, 'bcrypt', { password })).status).toBe(201)
    expect((await signIn(blog, { email, password: long })).status).toBe(201)
    expect(await storedHash(blog)).toBe(password)
  })

  test('that is none, or costs too much to check, is refused, and nobody is added', async () => {
    const blog = await sharedBlog()
    const headers = { 'x-appwrite-key': blog.apiKey }
    const countPeople = async () => (await blog.call('GET', '/users', { headers })).body.total
    const before = await countPeople()
    for (const { kind, sent } of REFUSED)
      expect([sent, (await importUser(blog, kind, sent)).body]).toEqual([
        sent,
        expect.objectContaining(BAD),
      ])
    expect(await countPeople()).toBe(before)
  })

  test('that costs as much to check as is allowed is taken', () => {
    const most = `$argon2id$v=19$m=65536,t=4,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`
    expect(readArgon2Hash(most)).toBe(most)
  })

  test('of an address or id that is taken is refused', async () => {
    const blog = await sharedBlog()
    const sent = { userId: 'tom', email: 'tom@example.test', password: await hashBcrypt('a', 4) }
    expect((await importUser(blog, 'bcrypt', sent)).status).toBe(201)
    for (const other of [{ userId: 'other' }, { email: 'other@example.test' }])
      expect((await importUser(blog, 'bcrypt', { ...sent, ...other })).body).toMatchObject({
        code: 409,
        type: 'user_already_exists',
      })
  })
})
