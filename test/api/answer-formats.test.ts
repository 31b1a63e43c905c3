// Fields of newer levels of the API are only in answers to clients of those levels.
import * as node from 'node-appwrite'
import { describe, expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const LOGIN = { email: 'alice@example.test', password: 'alice likes lamps' }
const SESSIONS = '/account/sessions/email'

async function start() {
  const blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const format = (level: string | undefined) =>
    level === undefined ? {} : { 'x-appwrite-response-format': level }
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    get: (path: string, level?: string) =>
      blog.call('GET', path, { cookie: alice.cookie, headers: format(level) }),
    signIn: (level?: string, headers: Record<string, string> = {}) =>
      blog.call('POST', SESSIONS, { body: LOGIN, headers: { ...format(level), ...headers } }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

/** The names of the fields in the answer at each of the levels. */
async function namesByLevel(
  ask: (level: string | undefined) => Promise<{ body: Record<string, unknown> }>,
) {
  const names = async (level?: string) => Object.keys((await ask(level)).body)
  const old = await names()
  for (const level of ['1.4.0', '1.4.13', '', 'nonsense', '0.15.0'])
    expect(await names(level)).toEqual(old)
  const newer = await names('1.5.0')
  expect(await names('1.8.0')).toEqual(newer)
  return { old, added: newer.filter((name) => !old.includes(name)) }
}

/** A blog with two posts and a file by alice, for tests that write neither. */
const sharedBlog = shareBlog(async () => {
  const blog = await start()
  const fileId = await blog.upload(blog.alice)
  await blog.post(blog.alice, {}, { documentId: 'one' })
  await blog.post(blog.alice, {}, { documentId: 'two' })
  return { ...blog, fileId }
})

describe('answers of level 1.4 lack the newer fields, and those from 1.5 on have them', () => {
  const namesOf = async (path: string) => {
    const blog = await sharedBlog()
    return namesByLevel((level) => blog.get(path.replace('FILE', blog.fileId), level))
  }

  test('of a session', async () => {
    const session = await namesOf('/account/sessions/current')
    expect(session.old).toHaveLength(25)
    expect(session.added).toEqual(['$updatedAt', 'factors', 'secret', 'mfaUpdatedAt'])
  })

  test('of an account', async () => {
    const account = await namesOf('/account')
    expect(account.old).toHaveLength(14)
    expect(account.added).toEqual(['mfa', 'targets'])
  })

  test('of a post', async () => {
    expect((await namesOf(`${DOCUMENTS}/one`)).added).toEqual(['$sequence'])
  })

  test('of a file', async () => {
    const file = await namesOf('/storage/buckets/content/files/FILE')
    expect(file.old).toHaveLength(11)
    expect(file.added).toEqual(['encryption', 'compression'])
  })

  test('of a list of sessions', async () => {
    const blog = await sharedBlog()
    const sessions = await blog.get('/account/sessions', '1.6.0')
    expect(sessions.body.sessions).toContainEqual(
      expect.objectContaining({
        factors: ['password'],
        secret: '',
        mfaUpdatedAt: '',
        $updatedAt: expect.any(String),
      }),
    )
  })

  test('of a list of files, from 2.0 on', async () => {
    const blog = await sharedBlog()
    const files = await blog.get('/storage/buckets/content/files', '2.0.0')
    expect(files.body.files).toContainEqual(
      expect.objectContaining({
        $id: blog.fileId,
        folder: '',
        key: 'photo.png',
        sizeActual: expect.any(Number),
      }),
    )
  })
})

describe('the sequence of posts', () => {
  async function readSequences() {
    const blog = await sharedBlog()
    const sequence = async (id: string, level: string) =>
      (await blog.get(`${DOCUMENTS}/${id}`, level)).body.$sequence
    return {
      blog,
      sequence,
      one: await sequence('one', '1.8.0'),
      two: await sequence('two', '1.8.0'),
    }
  }

  test('increases with each post', async () => {
    const { one, two } = await readSequences()
    expect(two).toBe(one + 1)
  })

  test('is a string for the newest clients', async () => {
    const { sequence, one } = await readSequences()
    expect(await sequence('one', '1.9.1')).toBe(String(one))
  })

  test('can be selected and compared in queries', async () => {
    const { blog, one, two } = await readSequences()
    const queries = [`greaterThan("$sequence", [${one}])`, 'select(["$id", "$sequence"])']
    const listed = await blog.get(
      `${DOCUMENTS}?${queries.map((query, at) => `queries[${at}]=${encodeURIComponent(query)}`).join('&')}`,
      '1.7.0',
    )
    expect(listed.body.documents).toEqual([
      { $id: 'two', $sequence: two, $databaseId: 'blogdb', $collectionId: 'posts' },
    ])
  })
})

test('preferences are returned as they were stored, whatever their keys', async () => {
  await using blog = await start()
  const prefs = { $id: 'x', bucketId: 'b', signature: '', chunksTotal: 1, $sequence: 1, total: 0 }
  const set = await blog.call('PATCH', '/account/prefs', {
    cookie: blog.alice.cookie,
    headers: { 'x-appwrite-response-format': '1.8.0' },
    body: { prefs },
  })
  expect(set.body).toMatchObject({ prefs, mfa: false })
  expect((await blog.get('/account/prefs', '1.8.0')).body).toEqual(prefs)
})

describe('the secret of a session', () => {
  test('is not in answers of level 1.4', async () => {
    const blog = await sharedBlog()
    const key = { 'x-appwrite-key': blog.apiKey }
    for (const level of [undefined, '1.4.0'])
      expect((await blog.signIn(level, key)).body).not.toHaveProperty('secret')
  })

  test('is only returned to the API key', async () => {
    const blog = await sharedBlog()
    expect((await blog.signIn('1.5.0')).body.secret).toBe('')
    expect((await blog.signIn('1.5.0', { 'x-appwrite-key': 'wrong' })).body.secret).toBe('')
    const started = await blog.signIn('1.5.0', { 'x-appwrite-key': blog.apiKey })
    const session = { 'x-appwrite-session': started.body.secret }
    const account = await blog.call('GET', '/account', { headers: session })
    expect(account.body.$id).toBe(blog.alice.id)
  })

  test('is only in the answer that starts the session', async () => {
    const blog = await sharedBlog()
    const key = { 'x-appwrite-key': blog.apiKey }
    const started = await blog.signIn('1.5.0', key)
    const listed = await blog.call('GET', '/account/sessions', {
      headers: {
        'x-appwrite-session': started.body.secret,
        ...key,
        'x-appwrite-response-format': '1.8.0',
      },
    })
    expect(listed.body.sessions.map(({ secret }: { secret: string }) => secret)).toEqual(
      Array(listed.body.total).fill(''),
    )
  })
})

test('a server-rendered program signs a user in with node-appwrite and continues as that user', async () => {
  await using blog = await start()
  const client = () => new node.Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  const admin = new node.Account(client().setKey(blog.apiKey))
  const { secret } = await admin.createEmailPasswordSession(LOGIN)
  const userClient = client().setSession(secret)
  expect((await new node.Account(userClient).get()).$id).toBe(blog.alice.id)
  const row = await new node.TablesDB(userClient).createRow({
    databaseId: 'blogdb',
    tableId: 'posts',
    rowId: 'one',
    data: { title: 'From the server' },
  })
  expect(row).toMatchObject({ userid: blog.alice.id, $sequence: expect.any(String) })
})

test('the error type for "already verified" is spelled as the client’s level spells it', async () => {
  await using blog = await start()
  await blog.call('PATCH', `/users/${blog.alice.id}/verification`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: { emailVerification: true },
  })
  const ask = async (level: string) => {
    const answer = await blog.call('POST', '/account/verification', {
      cookie: blog.alice.cookie,
      headers: { 'x-appwrite-response-format': level },
      body: { url: `${blog.url}/verify` },
    })
    return [answer.status, answer.body.type]
  }
  expect(await ask('1.4.0')).toEqual([409, 'user_email_alread_verified'])
  expect(await ask('1.5.0')).toEqual([409, 'user_email_already_verified'])
})
