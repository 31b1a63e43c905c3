// Deleting an account: who may do it, and that none of the user’s data is left.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Database, Tables } from '#backend/database/schema.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeRedirectBrowser, startIssuer } from '#test/support/openid.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const TABLES = [
  'user',
  'session',
  'identity',
  'token',
  'signInLog',
  'post',
  'postLike',
  'postText',
  'postExtra',
  'postTag',
  'postVersion',
  'postFile',
  'versionFile',
  'postRead',
  'deletedPost',
  'deletedRead',
  'file',
  'fileChunk',
  'avatarFile',
] as const satisfies readonly (keyof Tables)[]
const READS = '/databases/blogdb/collections/posts/reads'
const SMALL = { width: 64, height: 36 }
const CHUNK_BYTES = 5 * 1024 * 1024

/** For tests that do not change users of other tests. */
const share = shareBlog(() => makeTestBlog())

function deleteAccount(
  blog: TestBlog,
  cookie: string | undefined,
  body: unknown = {},
): Promise<Answer> {
  return blog.call('DELETE', '/account', { body, ...(cookie === undefined ? {} : { cookie }) })
}

async function inDatabase<Result>(
  blog: TestBlog,
  databaseUrl: string | undefined,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl })
  const result = await work(db)
  await db.destroy()
  return result
}

/** Every row of every table as text, without the time of last use, which any call may change. */
function everything(blog: TestBlog, databaseUrl?: string): Promise<Record<string, string[]>> {
  return inDatabase(blog, databaseUrl, async (db) => {
    const rowsByTable: Record<string, string[]> = {}
    for (const table of TABLES)
      rowsByTable[table] = (await db.selectFrom(table).selectAll().execute()).map((row) =>
        JSON.stringify({ ...row, lastUsedAt: '' }),
      )
    return rowsByTable
  })
}

function storedFiles(blog: TestBlog): Promise<string[]> {
  return readdir(join(blog.dataDir, 'files'))
}

/** Sends the first of two chunks and never finishes the upload. */
async function beginUpload(blog: TestBlog, person: Person): Promise<void> {
  const body = new FormData()
  body.append('fileId', 'unfinished')
  body.append(
    'file',
    new File(
      [
        Buffer.concat([await drawPhoto('png', SMALL), Buffer.alloc(CHUNK_BYTES)]).subarray(
          0,
          CHUNK_BYTES,
        ),
      ],
      'big.png',
    ),
  )
  const headers = { 'content-range': `bytes 0-${CHUNK_BYTES - 1}/${CHUNK_BYTES + 1000}` }
  const answer = await blog.call('POST', '/storage/buckets/content/files', {
    body,
    cookie: person.cookie,
    headers,
  })
  expect(answer.status).toBe(201)
}

/** Writes a post, which others like and read, and deletes it. */
async function deleteReadPost(
  blog: TestBlog,
  { author, reader }: { author: Person; reader: Person },
): Promise<void> {
  const documents = makeDocuments(blog)
  const id = await documents.post(author)
  await documents.like(reader, id, [reader.id])
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
  await blog.call('POST', `${DOCUMENTS}/${id}/reads`, { cookie: reader.cookie, headers })
  const numbers = await blog.call('GET', READS, { cookie: author.cookie })
  expect(numbers.body.posts).toMatchObject([{ $id: id, reads: 1 }])
  await documents.remove(author, id)
}

for (const [kind, tags] of DATABASES)
  test(`no row and no byte of a deleted account is left, and all data of other users stays (${kind})`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn(kind)
    const { bob, databaseUrl } = blog
    const bobsPost = await blog.post(bob)
    const before = await everything(blog, databaseUrl)
    const filesBefore = await storedFiles(blog)

    const carla = await blog.makePerson('carla')
    const carlasPost = await blog.post(carla)
    await blog.post(carla, { status: 'inactive' })
    await blog.upload(carla)
    await blog.like(carla, bobsPost, [carla.id])
    await blog.like(bob, carlasPost, [bob.id])
    await beginUpload(blog, carla)
    await deleteReadPost(blog, { author: carla, reader: bob })
    expect(await storedFiles(blog)).toHaveLength(filesBefore.length + 4)
    expect(await readdir(join(blog.dataDir, 'uploads'))).toHaveLength(1)

    const { status } = await deleteAccount(blog, carla.cookie, { password: carla.password })
    expect(status).toBe(204)
    // The likes of a deleted post are deleted after the answer.
    await expect.poll(() => everything(blog, databaseUrl)).toEqual(before)
    await expect.poll(() => storedFiles(blog)).toEqual(filesBefore)
    await expect.poll(() => readdir(join(blog.dataDir, 'uploads'))).toEqual([])
  })

/** A separate blog, because other tests would count files that are deleted after the answer. */
const shareDeleted = shareBlog()

/** Alice, who has deleted her account, and the answer to her call. */
async function startDeleted() {
  const blog = await shareDeleted()
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const alicesPost = await documents.post(alice)
  const bobsPost = await documents.post(bob)
  await documents.like(alice, bobsPost, [alice.id])
  const answer = await deleteAccount(blog, alice.cookie, { password: alice.password })
  return { ...blog, ...documents, alice, answer, alicesPost, bobsPost }
}

test('a deletion ends the session and its cookie', async () => {
  const { call, alice, answer } = await startDeleted()
  expect(answer.status).toBe(204)
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^a_session_blog_\d+=; /)])
  expect((await call('GET', '/account', { cookie: alice.cookie })).status).toBe(401)
})

test('a deleted user and their posts and likes are gone as soon as the call is answered', async () => {
  const { call, get, alice, alicesPost, bobsPost } = await startDeleted()
  expect((await call('GET', `/users/${alice.id}`)).status).toBe(404)
  expect((await get(undefined, alicesPost)).status).toBe(404)
  expect((await get(undefined, bobsPost)).body).toMatchObject({
    like: 0,
    likeId: [],
    userName: 'bob',
  })
})

test('the address of a deleted account is free for a new one', async () => {
  const { call, alice } = await startDeleted()
  const { email, password } = alice
  const body = { userId: 'unique()', email, password }
  const { status, body: account } = await call('POST', '/account', { body })
  expect(status).toBe(201)
  expect(account.$id).not.toBe(alice.id)
})

const REFUSED: [label: string, isSignedIn: boolean, body: object, answer: [number, string]][] = [
  ['no session', false, { password: 'alice likes lamps' }, [401, 'general_unauthorized_scope']],
  ['no password', true, {}, [400, 'general_argument_invalid']],
  ['a wrong password', true, { password: 'alice likes lights' }, [401, 'user_invalid_credentials']],
  [
    'a list of passwords',
    true,
    { password: ['alice likes lamps'] },
    [400, 'general_argument_invalid'],
  ],
]

test('nothing is deleted without both a session and the password', async () => {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  await makeDocuments(blog).post(alice)
  const before = await everything(blog)
  const files = await storedFiles(blog)
  for (const [label, isSignedIn, body, expected] of REFUSED) {
    const answer = await deleteAccount(blog, isSignedIn ? alice.cookie : undefined, body)
    expect([answer.status, answer.body.type], label).toEqual(expected)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(await everything(blog)).toEqual(before)
  expect(await storedFiles(blog)).toEqual(files)
})

test('another site cannot delete an account', async () => {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  const before = await everything(blog)
  const headers = { origin: 'https://evil.example' }
  const answer = await blog.call('DELETE', '/account', {
    body: { password: alice.password },
    cookie: alice.cookie,
    headers,
  })
  expect([answer.status, answer.body.type]).toEqual([403, 'general_unknown_origin'])
  expect(await everything(blog)).toEqual(before)
})

test('after ten wrong passwords a deletion is refused even with the right one', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  for (let call = 0; call < 10; call++)
    expect((await deleteAccount(blog, alice.cookie, { password: 'a wrong one' })).status).toBe(401)
  const answer = await deleteAccount(blog, alice.cookie, { password: alice.password })
  expect([answer.status, answer.body.type]).toEqual([429, 'general_rate_limit_exceeded'])
  expect((await everything(blog)).user).toHaveLength(1)
})

/** Alice, who has no password and signs in with Google. */
async function startWithGoogle() {
  const issuer = await startIssuer([
    { sub: 'g', email: 'alice@example.test', email_verified: true, name: 'Alice' },
  ])
  const blog = await makeTestBlog(issuer.env)
  issuer.registerBlog(blog.url)
  async function signIn(): Promise<string> {
    const browser = makeRedirectBrowser()
    const start = `${blog.url}/v1/account/sessions/oauth2/google?project=blog&success=${blog.url}/in&failure=${blog.url}/out`
    const page = await browser.follow(start, ({ pathname }) => pathname.startsWith('/interaction/'))
    const end = await browser.follow(
      `${page}?sub=g`,
      ({ origin, pathname }) => origin === blog.url && !pathname.startsWith('/v1'),
    )
    expect(end.href).toBe(`${blog.url}/in`)
    return browser.cookie()
  }
  return {
    ...blog,
    signIn,
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

test('without a password, a sign-in ten minutes ago is too old for a deletion', async () => {
  await using blog = await startWithGoogle()
  const cookie = await blog.signIn()
  blog.passTime(10 * 60_000)
  const before = await everything(blog)
  // An account without a password accepts no password.
  for (const body of [{}, { password: 'alice likes lamps' }]) {
    const answer = await deleteAccount(blog, cookie, body)
    expect([answer.status, answer.body.type]).toEqual([401, 'user_unauthorized'])
  }
  expect(await everything(blog)).toEqual(before)
})

test('without a password, a fresh sign-in deletes the account and ends older sessions', async () => {
  await using blog = await startWithGoogle()
  const cookie = await blog.signIn()
  blog.passTime(10 * 60_000)
  expect((await deleteAccount(blog, await blog.signIn())).status).toBe(204)
  expect(await everything(blog)).toMatchObject({ user: [], session: [], identity: [] })
  expect((await blog.call('GET', '/account', { cookie })).status).toBe(401)
})

test('of two concurrent calls only one deletes the account', async () => {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  const answers = await Promise.all(
    [1, 2].map(() => deleteAccount(blog, alice.cookie, { password: alice.password })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
})

for (const [tags, rounds] of sampled([1, 5], 2))
  test(`calls that are running when the account is deleted are refused, and leave nothing behind (rounds: ${rounds})`, {
    tags,
  }, async () => {
    await using blog = await makeTestBlog()
    const documents = makeDocuments(blog)
    for (let round = 0; round < rounds; round++) {
      const alice = await blog.makePerson('alice')
      const featuredImage = await documents.upload(alice)
      const image = new Uint8Array(await drawPhoto('png', SMALL))
      const lateRequests = [0, 1, 2].flatMap((index) => {
        const body = new FormData()
        body.append('fileId', 'unique()')
        body.append('file', new File([image], 'late.png'))
        const upload = blog.call('POST', '/storage/buckets/content/files', {
          body,
          cookie: alice.cookie,
        })
        return [upload, documents.create(alice, { title: `Late ${index}`, featuredImage })]
      })
      expect((await deleteAccount(blog, alice.cookie, { password: alice.password })).status).toBe(
        204,
      )
      const statuses = (await Promise.all(lateRequests)).map(({ status }) => status)
      expect(statuses.filter((status) => ![201, 400, 401].includes(status))).toEqual([])
      expect(await everything(blog)).toMatchObject({ user: [], post: [], file: [] })
      await expect.poll(() => storedFiles(blog)).toEqual([])
    }
  })

/** A post by alice, and bob. */
async function startWithPost() {
  const blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  await makeDocuments(blog).post(alice)
  return {
    ...blog,
    alice,
    bob,
    key: { headers: { 'x-appwrite-key': blog.apiKey } },
    remove: (id: string, options: { cookie?: string; headers?: Record<string, string> }) =>
      blog.call('DELETE', `/users/${id}`, { body: {}, ...options }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('only the API key can delete an account by its ID', async () => {
  await using blog = await startWithPost()
  const { alice, bob, remove } = blog
  const before = await everything(blog)
  for (const options of [
    {},
    { cookie: bob.cookie },
    { cookie: alice.cookie },
    { headers: { 'x-appwrite-key': 'x'.repeat(64) } },
  ]) {
    expect((await remove(alice.id, options)).body.type).toBe('general_unauthorized_scope')
  }
  expect(await everything(blog)).toEqual(before)
})

test('the API key deletes an account without its password, and no other account', async () => {
  await using blog = await startWithPost()
  const { alice, key, remove } = blog
  expect((await remove(alice.id, key)).status).toBe(204)
  expect(await everything(blog)).toMatchObject({
    user: [expect.stringContaining('bob')],
    post: [],
    file: [],
  })
  await expect.poll(() => storedFiles(blog)).toEqual([])
  expect((await remove(alice.id, key)).body.type).toBe('user_not_found')
})

test('the API key deletes nothing for an unknown ID', async () => {
  await using blog = await startWithPost()
  const before = await everything(blog)
  for (const id of ['nobody', '..', 'a b'])
    expect((await blog.remove(encodeURIComponent(id), blog.key)).status).toBe(404)
  expect(await everything(blog)).toEqual(before)
})
