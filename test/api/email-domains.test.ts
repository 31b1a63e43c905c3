// One mailbox, one account: the domain of an address may be spelled in letters or in Punycode.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
import { requestRecovery, requestSignInLink } from '#test/support/mail-calls.ts'

const PASSWORD = 'a lamp on the pier'
const LETTERS = 'ida@bücher.example'
const PUNYCODE = 'ida@xn--bcher-kva.example'

const signUp = (blog: TestBlog, email: string) =>
  blog.call('POST', '/account', {
    body: { userId: 'unique()', email, password: PASSWORD, name: 'Ida' },
  })
const signIn = (blog: TestBlog, email: string) =>
  blog.call('POST', '/account/sessions/email', { body: { email, password: PASSWORD } })

test.each([
  [LETTERS, PUNYCODE],
  [PUNYCODE, LETTERS],
  ['ida@BÜCHER.example', 'IDA@XN--BCHER-KVA.EXAMPLE.'],
  ['ida@ｅｘａｍｐｌｅ.test', 'ida@example。test'],
])('an account of %s signs in as %s, which can have no other account', async (first, then) => {
  await using blog = await makeTestBlog()
  const { body } = await signUp(blog, first)
  const session = await signIn(blog, then)
  expect([session.status, session.body.userId]).toEqual([201, body.$id])
  expect((await signUp(blog, then)).body.type).toBe('user_already_exists')
  const asKey = { headers: { 'x-appwrite-key': blog.apiKey } }
  const created = { userId: 'unique()', email: then, password: PASSWORD, name: 'Twin' }
  for (const [path, user] of [
    ['/users', created],
    ['/invitations', { email: then }],
  ] as const)
    expect((await blog.call('POST', path, { ...asKey, body: user })).status).toBe(409)
  const other = (await signUp(blog, 'other@example.test')).body.$id
  const moved = { ...asKey, body: { email: then } }
  expect((await blog.call('PATCH', `/users/${other}/email`, moved)).status).toBe(409)
})

test('an invitation in one spelling is taken up in the other', async () => {
  await using blog = await makeTestBlog({ BLOG_REGISTRATION: 'closed' })
  const { body } = await blog.call('POST', '/invitations', {
    body: { email: PUNYCODE },
    headers: { 'x-appwrite-key': blog.apiKey },
  })
  const secret = new URL(body.url).searchParams.get('secret')
  const proof = { userId: body.$id, secret, email: LETTERS, password: PASSWORD, name: 'Ida' }
  expect((await blog.call('POST', '/account', { body: proof })).status).toBe(201)
})

test('mails that are asked for in either spelling go to the one account', async () => {
  await using it = await makeMailBlog()
  await signUp(it.blog, LETTERS)
  await requestRecovery(it.blog, PUNYCODE)
  await requestSignInLink(it.blog, LETTERS)
  // The mail server of the test shows domains in letters.
  await it.sink.waitForMail(LETTERS, 2)
  expect(it.sink.mails).toHaveLength(2)
})

test('two accounts that had both spellings keep them, and a third is refused', async () => {
  await using blog = await makeTestBlog()
  const letters = (await signUp(blog, LETTERS)).body.$id
  const punycode = (await signUp(blog, 'other@example.test')).body.$id
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  await db.updateTable('user').set({ email: PUNYCODE }).where('id', '=', punycode).execute()
  const find = async (email: string) => (await signIn(blog, email)).body.userId
  expect(await find(LETTERS)).toBe(letters)
  expect(await find(PUNYCODE)).toBe(punycode)
  expect(await find(PUNYCODE.toUpperCase())).toBe(punycode)
  expect(await find('ida@BÜCHER.example.')).toBe(letters)
  for (const email of [LETTERS, PUNYCODE])
    expect((await signUp(blog, email)).body.type).toBe('user_already_exists')
})
