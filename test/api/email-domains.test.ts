// One mailbox, one account: the domain of an address may be written in Unicode or in Punycode.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
import { requestRecovery, requestSignInLink } from '#test/support/mail-calls.ts'

const PASSWORD = 'a lamp on the pier'
const UNICODE = 'ida@bücher.example'
const PUNYCODE = 'ida@xn--bcher-kva.example'

const signUp = (blog: TestBlog, email: string) =>
  blog.call('POST', '/account', {
    body: { userId: 'unique()', email, password: PASSWORD, name: 'Ida' },
  })
const signIn = (blog: TestBlog, email: string) =>
  blog.call('POST', '/account/sessions/email', { body: { email, password: PASSWORD } })

test.each([
  [UNICODE, PUNYCODE],
  [PUNYCODE, UNICODE],
  ['ida@BÜCHER.example', 'IDA@XN--BCHER-KVA.EXAMPLE.'],
  ['ida@ｅｘａｍｐｌｅ.test', 'ida@example。test'],
])(
  'an account of %s signs in as %s, and no other account can have either',
  async (first, other) => {
    await using blog = await makeTestBlog()
    const { body } = await signUp(blog, first)
    const session = await signIn(blog, other)
    expect([session.status, session.body.userId]).toEqual([201, body.$id])
    expect((await signUp(blog, other)).body.type).toBe('user_already_exists')
    const asKey = { headers: { 'x-appwrite-key': blog.apiKey } }
    const created = { userId: 'unique()', email: other, password: PASSWORD, name: 'Twin' }
    for (const [path, body] of [
      ['/users', created],
      ['/invitations', { email: other }],
    ] as const)
      expect((await blog.call('POST', path, { ...asKey, body })).status).toBe(409)
    const otherId = (await signUp(blog, 'other@example.test')).body.$id
    const change = { ...asKey, body: { email: other } }
    expect((await blog.call('PATCH', `/users/${otherId}/email`, change)).status).toBe(409)
  },
)

test('an invitation to one form of an address is accepted with the other', async () => {
  await using blog = await makeTestBlog({ BLOG_REGISTRATION: 'closed' })
  const { body } = await blog.call('POST', '/invitations', {
    body: { email: PUNYCODE },
    headers: { 'x-appwrite-key': blog.apiKey },
  })
  const secret = new URL(body.url).searchParams.get('secret')
  const signUpBody = { userId: body.$id, secret, email: UNICODE, password: PASSWORD, name: 'Ida' }
  expect((await blog.call('POST', '/account', { body: signUpBody })).status).toBe(201)
})

test('mails requested for either form of an address go to the same account', async () => {
  await using mailBlog = await makeMailBlog()
  await signUp(mailBlog.blog, UNICODE)
  await requestRecovery(mailBlog.blog, PUNYCODE)
  await requestSignInLink(mailBlog.blog, UNICODE)
  // The mail server of the test shows domains in Unicode.
  await mailBlog.sink.waitForMail(UNICODE, 2)
  expect(mailBlog.sink.mails).toHaveLength(2)
})

test('two older accounts with the two forms of an address keep them, and a third account is refused', async () => {
  await using blog = await makeTestBlog()
  const unicodeId = (await signUp(blog, UNICODE)).body.$id
  const punycodeId = (await signUp(blog, 'other@example.test')).body.$id
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  await db.updateTable('user').set({ email: PUNYCODE }).where('id', '=', punycodeId).execute()
  const findUserId = async (email: string) => (await signIn(blog, email)).body.userId
  expect(await findUserId(UNICODE)).toBe(unicodeId)
  expect(await findUserId(PUNYCODE)).toBe(punycodeId)
  expect(await findUserId(PUNYCODE.toUpperCase())).toBe(punycodeId)
  expect(await findUserId('ida@BÜCHER.example.')).toBe(unicodeId)
  for (const email of [UNICODE, PUNYCODE])
    expect((await signUp(blog, email)).body.type).toBe('user_already_exists')
})
