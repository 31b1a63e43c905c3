// Recovery over HTTP with a real mail server (api.md §2.2, §2.3; threat-model.md §4, §6).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { inDatabase } from '#test/support/google-blog.ts'
import { makeMailBlog, shareMailBlog } from '#test/support/mail-blog.ts'
import {
  cookieOf,
  finishRecovery,
  finishVerification,
  NEW_PASSWORD,
  requestRecovery,
  requestSignInLink,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { readLink, readMail } from '#test/support/mail-text.ts'
import { INVALID, SECRET, TOKEN, WIRE_TIME } from '#test/support/one-time-tokens.ts'

const HOUR_MS = 3_600_000

const openShared = shareMailBlog()

const FOREIGN_URLS = [
  'https://evil.example/reset',
  'https://localhost/reset',
  'http://localhost:1/reset',
  'http://localhost@evil.example/',
  'http://me@localhost/',
  '//evil.example/',
  '/verifyUserEmailLink',
  'javascript:alert(1)',
  'http://localhost\\@evil.example/',
  'http://localhost/\r\nBcc: bob@example.test',
  '',
]

/** Alice, who has requested a recovery, with the answer to that call. */
async function startWithRecovery() {
  const mails = await openShared()
  const alice = await mails.blog.makePerson('alice')
  const answer = await requestRecovery(
    mails.blog,
    `${alice.email.toUpperCase()} `,
    `${mails.blog.url}/verifyUserEmailLink?from=mail&secret=mine#top`,
  )
  return { ...mails, alice, answer }
}

test('a recovery is answered alike for every address, without user, secret or cookie', async () => {
  const { alice, answer } = await startWithRecovery()
  expect([answer.status, answer.body]).toEqual([
    201,
    { ...TOKEN, expire: expect.stringMatching(WIRE_TIME) },
  ])
  expect(Date.parse(answer.body.expire) - Date.parse(answer.body.$createdAt)).toBe(HOUR_MS)
  expect([answer.body.userId === alice.id, answer.headers.getSetCookie()]).toEqual([false, []])
})

test('the mail of a recovery names the blog, and has no images or scripts', async () => {
  const { sink, alice } = await startWithRecovery()
  const mail = await sink.waitForMail(alice.email)
  expect(mail).toMatchObject({
    from: 'Test Blog <blog@example.test>',
    to: alice.email,
    subject: 'Set a new password – Web App',
  })
  expect(mail.html).not.toMatch(/<img|<script|src=/)
})

test('the mail of a recovery has the requested link with the user, secret and expiry time', async () => {
  const { blog, sink, alice, answer } = await startWithRecovery()
  const mail = await sink.waitForMail(alice.email)
  const link = readLink(mail)
  const expire = new Date(answer.body.expire).toISOString().replace('T', ' ').replace('Z', '')
  expect([...link.searchParams]).toEqual([
    ['from', 'mail'],
    ['secret', expect.stringMatching(SECRET)],
    ['userId', alice.id],
    ['expire', expire],
  ])
  expect([link.origin, link.pathname, link.hash]).toEqual([
    blog.url,
    '/verifyUserEmailLink',
    '#top',
  ])
  expect(link.href).toContain(`&expire=${expire.replace(' ', '+').replaceAll(':', '%3A')}#top`)
  expect(mail.html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`)
})

test('a recovery link sets a new password, and starts no session', async () => {
  const { blog, secretFor, alice, answer } = await startWithRecovery()
  const { secret } = await secretFor(alice.email)
  const recovered = await finishRecovery(blog, { userId: alice.id, secret })
  expect([recovered.status, recovered.body]).toEqual([
    200,
    { ...TOKEN, userId: alice.id, expire: answer.body.expire },
  ])
  expect(recovered.headers.getSetCookie()).toEqual([])
  expect((await signIn(blog, alice)).body.type).toBe('user_invalid_credentials')
  expect((await signIn(blog, { ...alice, password: NEW_PASSWORD })).status).toBe(201)
})

test('a recovery link confirms the address', async () => {
  const { blog, secretFor, alice } = await startWithRecovery()
  const { secret } = await secretFor(alice.email)
  await finishRecovery(blog, { userId: alice.id, secret })
  const session = await signIn(blog, { ...alice, password: NEW_PASSWORD })
  expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
    $id: alice.id,
    emailVerification: true,
  })
})

test('a finished recovery ends every session', async () => {
  const { blog, secretFor, alice } = await startWithRecovery()
  const { secret } = await secretFor(alice.email)
  expect((await whoAmI(blog, alice.cookie)).status).toBe(200)
  await finishRecovery(blog, { userId: alice.id, secret })
  expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
})

test('a recovery link works once', async () => {
  const { blog, secretFor, alice } = await startWithRecovery()
  const { secret } = await secretFor(alice.email)
  expect((await finishRecovery(blog, { userId: alice.id, secret })).status).toBe(200)
  const secondRecovery = await finishRecovery(
    blog,
    { userId: alice.id, secret },
    'yet another lamp',
  )
  expect(secondRecovery.body).toMatchObject(INVALID)
  expect((await signIn(blog, { ...alice, password: NEW_PASSWORD })).status).toBe(201)
})

test('the secret of a recovery is not in the log', async () => {
  const { blog, secretFor, alice } = await startWithRecovery()
  const { secret } = await secretFor(alice.email)
  for (let use = 0; use < 2; use++) await finishRecovery(blog, { userId: alice.id, secret })
  expect(JSON.stringify(blog.log)).not.toContain(secret)
})

test('a user whose stored hash is not argon2 can sign in only after a recovery', async () => {
  const mailBlog = await openShared()
  const { blog } = mailBlog
  const alice = await blog.makePerson('alice')
  const imported = { passwordHash: `$2b$10$${'a'.repeat(53)}` }
  await inDatabase(blog, (db) =>
    db.updateTable('user').set(imported).where('id', '=', alice.id).execute(),
  )
  expect((await signIn(blog, alice)).body).toMatchObject({
    code: 401,
    type: 'user_invalid_credentials',
  })
  await requestRecovery(blog, alice.email)
  const { secret } = await mailBlog.secretFor(alice.email)
  expect((await finishRecovery(blog, { userId: alice.id, secret })).status).toBe(200)
  expect((await signIn(blog, { ...alice, password: NEW_PASSWORD })).status).toBe(201)
})

test('a finished recovery voids every other secret: older recoveries, verifications and sign-in links', async () => {
  const mailBlog = await openShared()
  const { blog } = mailBlog
  const alice = await blog.makePerson('alice')
  await requestRecovery(blog, alice.email)
  const older = await mailBlog.secretFor(alice.email, 1)
  await requestVerification(blog, alice.cookie)
  const verification = await mailBlog.secretFor(alice.email, 2)
  await requestSignInLink(blog, alice.email)
  const magicLink = await mailBlog.secretFor(alice.email, 3)
  const tokenAnswer = await blog.call('POST', `/users/${alice.id}/tokens`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: {},
  })
  const operatorsLink = { userId: alice.id, secret: tokenAnswer.body.secret }
  await requestRecovery(blog, alice.email)
  expect((await finishRecovery(blog, await mailBlog.secretFor(alice.email, 4))).status).toBe(200)

  expect((await finishRecovery(blog, older, 'yet another lamp')).body).toMatchObject(INVALID)
  expect((await finishVerification(blog, verification)).body).toMatchObject(INVALID)
  for (const link of [magicLink, operatorsLink]) {
    const answer = await signInWithLink(blog, link)
    expect([answer.body, answer.headers.getSetCookie()]).toMatchObject([INVALID, []])
  }
  expect((await signIn(blog, { ...alice, password: NEW_PASSWORD })).status).toBe(201)
})

test('a newer link voids the older one', async () => {
  const mailBlog = await openShared()
  const alice = await mailBlog.blog.makePerson('alice')
  await requestRecovery(mailBlog.blog, alice.email)
  await requestRecovery(mailBlog.blog, alice.email)
  expect(
    (await finishRecovery(mailBlog.blog, await mailBlog.secretFor(alice.email, 1))).body,
  ).toMatchObject(INVALID)
  expect((await whoAmI(mailBlog.blog, alice.cookie)).status).toBe(200)
  expect(
    (await finishRecovery(mailBlog.blog, await mailBlog.secretFor(alice.email, 2))).status,
  ).toBe(200)
})

/** A link for alice, and a check that a refusal has changed nothing. */
async function startWithLink() {
  const mails = await openShared()
  const { blog } = mails
  const alice = await blog.makePerson('alice')
  await requestRecovery(blog, alice.email)
  return {
    blog,
    alice,
    proof: await mails.secretFor(alice.email),
    async expectUnchanged() {
      expect((await signIn(blog, alice)).status).toBe(201)
      expect((await whoAmI(blog, alice.cookie)).body.emailVerification).toBe(false)
    },
  }
}

test('a link with the id of another user, or of nobody, is refused and changes nothing', async () => {
  const { blog, proof, expectUnchanged } = await startWithLink()
  const bob = await blog.makePerson('bob')
  expect((await finishRecovery(blog, { ...proof, userId: bob.id })).body).toMatchObject(INVALID)
  for (const userId of ['nobody', '../alice\0'])
    expect((await finishRecovery(blog, { ...proof, userId })).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
  await expectUnchanged()
  expect((await signIn(blog, bob)).status).toBe(201)
})

test('a guessed secret is refused and changes nothing', async () => {
  const { blog, proof, expectUnchanged } = await startWithLink()
  const flipped = proof.secret.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  for (const secret of [flipped, 'guess'])
    expect((await finishRecovery(blog, { ...proof, secret })).body).toMatchObject(INVALID)
  await expectUnchanged()
})

test('the secret of a recovery can neither verify an address nor sign in', async () => {
  const { blog, proof, expectUnchanged } = await startWithLink()
  expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
  expect((await signInWithLink(blog, proof)).body).toMatchObject(INVALID)
  await expectUnchanged()
})

test('a link that is an hour old is refused and changes nothing', async () => {
  const { blog, proof, expectUnchanged } = await startWithLink()
  blog.passTime(HOUR_MS)
  expect((await finishRecovery(blog, proof)).body).toMatchObject(INVALID)
  await expectUnchanged()
})

test('of two concurrent calls with one link only one sets the password', async () => {
  const mailBlog = await openShared()
  const alice = await mailBlog.blog.makePerson('alice')
  await requestRecovery(mailBlog.blog, alice.email)
  const proof = await mailBlog.secretFor(alice.email)
  const answers = await Promise.all(
    ['one bright lamp', 'two bright lamps'].map((password) =>
      finishRecovery(mailBlog.blog, proof, password),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
})

test.each([
  {
    name: 'too short',
    body: () => ({ password: 'short', passwordAgain: 'short' }),
    refused: { code: 400, type: 'general_argument_invalid' },
  },
  {
    name: 'said twice differently',
    body: () => ({ password: NEW_PASSWORD, passwordAgain: 'a dimmer lamp' }),
    refused: { code: 400, type: 'user_password_mismatch' },
  },
  {
    name: 'the own address',
    body: ({ email }: Person) => ({ password: email }),
    refused: { code: 400, type: 'password_personal_data' },
  },
  {
    name: 'among the commonest',
    body: () => ({ password: 'password123' }),
    refused: { code: 400, type: 'general_argument_invalid' },
  },
  {
    name: 'no text',
    body: () => ({ password: { $ne: '' } }),
    refused: { code: 400, type: 'general_argument_invalid' },
  },
  {
    name: 'missing',
    body: () => ({}),
    refused: { code: 400, message: 'Param "password" is not optional.' },
  },
])('a password that is $name does not use up the link', async ({ body, refused }) => {
  const mailBlog = await openShared()
  const alice = await mailBlog.blog.makePerson('alice')
  await requestRecovery(mailBlog.blog, alice.email)
  const proof = await mailBlog.secretFor(alice.email)
  expect(
    (await mailBlog.blog.call('PUT', '/account/recovery', { body: { ...proof, ...body(alice) } }))
      .body,
  ).toMatchObject(refused)
  expect((await whoAmI(mailBlog.blog, alice.cookie)).status).toBe(200)
  // Newer clients do not repeat the password.
  expect(
    (
      await mailBlog.blog.call('PUT', '/account/recovery', {
        body: { ...proof, password: NEW_PASSWORD },
      })
    ).status,
  ).toBe(200)
})

test('links can lead only to listed sites', async () => {
  await using mailBlog = await makeMailBlog()
  const { blog, sink } = mailBlog
  const alice = await blog.makePerson('alice')
  for (const url of FOREIGN_URLS) {
    const calls = [
      { path: '/account/recovery', body: { email: alice.email, url } },
      { path: '/account/verification', body: { url } },
      ...(url
        ? [
            {
              path: '/account/sessions/magic-url',
              body: { userId: 'unique()', email: alice.email, url },
            },
          ]
        : []),
    ]
    for (const { path, body } of calls) {
      const answer = await blog.call('POST', path, {
        cookie: alice.cookie,
        body,
        headers: { 'x-forwarded-host': 'evil.example' },
      })
      const message = 'Invalid `url` param: URL host must be one of: localhost, 127.0.0.1, [::1]'
      expect({ url, ...answer.body }).toEqual({
        url,
        message,
        code: 400,
        type: 'general_argument_invalid',
        version: '1.4.13',
      })
    }
  }
  // A mail from one of those calls would have arrived before this one.
  await requestRecovery(blog, alice.email)
  await sink.waitForMail(alice.email)
  expect(sink.mails).toHaveLength(1)
})

test('a mail is sent only to a single bare address', async () => {
  await using mailBlog = await makeMailBlog()
  await mailBlog.blog.makePerson('alice')
  for (const email of [
    'alice@example.test\r\nBcc: bob@example.test',
    'alice@example.test, bob@example.test',
    '<alice@example.test>',
    'alice',
  ]) {
    expect((await requestRecovery(mailBlog.blog, email)).body).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
    })
    expect((await requestSignInLink(mailBlog.blog, email)).body).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
    })
  }
  expect(mailBlog.sink.mails).toEqual([])
})

test('the answer is the same when the mail server refuses the mail', async () => {
  await using mailBlog = await makeMailBlog()
  const { blog, sink } = mailBlog
  const alice = await blog.makePerson('alice')
  sink.refuseNext(1, { code: 550, words: 'no such mailbox' })
  const answer = await requestRecovery(blog, alice.email)
  const unknown = await requestRecovery(blog, 'nobody@example.test')
  expect([answer.status, unknown.status]).toEqual([201, 201])
  await expect.poll(() => blog.log.filter(({ event }) => event === 'mail lost')).toHaveLength(1)
  expect(JSON.stringify(blog.log)).not.toMatch(/[0-9a-f]{128}/)
})

test('a fresh install needs no mail server: each mail becomes a file, and the log contains only its name', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  expect((await requestRecovery(blog, alice.email)).status).toBe(201)
  await expect.poll(() => blog.log.filter(({ event }) => event === 'mail sent')).toHaveLength(1)
  const { file } = blog.log.find(({ event }) => event === 'mail sent') ?? {}
  const link = readLink(readMail(await readFile(join(blog.dataDir, String(file)), 'utf8')))
  expect(`${link.origin}${link.pathname}`).toBe(`${blog.url}/verifyUserEmailLink`)
  expect(link.hash).toBe(`#email=${encodeURIComponent(alice.email)}`)
  const secret = link.searchParams.get('secret') ?? ''
  expect(JSON.stringify(blog.log)).not.toMatch(new RegExp(`${secret}|${alice.email}`))
  expect((await finishRecovery(blog, { userId: alice.id, secret })).status).toBe(200)
})
