// Cached answers to guests: they have an ETag that shows whether a copy is current, show every
// change as soon as it is answered, and are sent only to guests. Answers in JSON are compressed.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { type DatabaseKind, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const COMMENTS = DOCUMENTS.replace('/posts/', '/comments/')

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const dispose = () => blog[Symbol.asyncDispose]()
  return { ...blog, ...makeDocuments(blog), alice, bob, [Symbol.asyncDispose]: dispose }
}

const share = shareBlog(() => start())

type Started = Awaited<ReturnType<typeof start>>

const queryString = (...queries: string[]) =>
  new URLSearchParams(queries.map((query, at): [string, string] => [`queries[${at}]`, query]))

/** The bytes as they are sent; fetch would decompress them. */
function raw(blog: TestBlog, path: string, headers: Record<string, string>, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: Record<string, string | string[] | undefined>
    bytes: Buffer
  }>()
  const project = { 'x-appwrite-project': 'blog' }
  const call = request(
    `${blog.url}/v1${path}`,
    { method, headers: { ...project, ...headers } },
    (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          bytes: Buffer.concat(parts),
        }),
      )
    },
  )
  call.on('error', reject).end()
  return promise
}

describe('a list, a post and the posts around it', () => {
  /** Runs a check for each of them, with the answer to a guest’s first read and its ETag. */
  async function forEach(
    check: (blog: Started, path: string, first: Answer, tag: string) => Promise<void>,
  ) {
    const blog = await share()
    const id = await blog.post(blog.alice)
    for (const path of [DOCUMENTS, `${DOCUMENTS}/${id}`, `${DOCUMENTS}/${id}/around`]) {
      const first = await blog.call('GET', path)
      await check(blog, path, first, first.headers.get('etag') ?? '')
    }
  }

  test('have an ETag for guests, which stays the same while nothing changes', () =>
    forEach(async (blog, path, first, tag) => {
      expect(tag).toMatch(/^W\/"[\w-]+"$/)
      for (const answer of [first, await blog.call('GET', path)]) {
        expect(answer.body).toEqual(first.body)
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          etag: tag,
          'cache-control': 'private, no-cache',
          'x-viewer': 'guest',
          'content-type': 'application/json; charset=UTF-8',
        })
      }
    }))

  test('are not sent again to a guest whose copy has that ETag', () =>
    forEach(async (blog, path, _first, tag) => {
      const second = await raw(blog, path, { 'if-none-match': tag })
      expect([second.status, second.bytes.length]).toEqual([304, 0])
      expect(second.headers).toMatchObject({ etag: tag, 'x-viewer': 'guest' })
      expect(second.headers['content-type']).toBe(undefined)
    }))

  test('are sent to members and the key each time, without an ETag', () =>
    forEach(async (blog, path, _first, tag) => {
      const headers = { 'if-none-match': tag }
      for (const options of [
        { cookie: blog.alice.cookie, headers },
        { headers: { ...headers, 'x-appwrite-key': blog.apiKey } },
      ]) {
        const others = await blog.call('GET', path, options)
        expect([others.status, others.headers.get('etag')]).toEqual([200, null])
        expect(others.headers.get('cache-control')).toBe('no-store')
      }
    }))

  test('have the same ETag in the answer to HEAD', () =>
    forEach(async (blog, path, _first, tag) => {
      const head = await raw(blog, path, {}, 'HEAD')
      expect([head.status, head.headers.etag, head.bytes.length]).toEqual([200, tag, 0])
    }))
})

test('a cached post is returned in the format and with the names that each call uses', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice)
  expect((await blog.call('GET', `${DOCUMENTS}/${id}`)).body.$sequence).toBe(undefined)
  const newer = { headers: { 'x-appwrite-response-format': '1.9.0' } }
  expect((await blog.call('GET', `${DOCUMENTS}/${id}`, newer)).body.$sequence).toBe('1')
  const row = await blog.call('GET', `/tablesdb/blogdb/tables/posts/rows/${id}`)
  expect(row.body).toMatchObject({ $id: id, $tableId: 'posts' })
  expect((await blog.call('GET', `${DOCUMENTS}/${id}`)).body.$sequence).toBe(undefined)
})

test('only moderators see that they can moderate a discussion, even when others have read it', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const operator = await blog.makePerson('operator')
  await blog.call('PUT', `/users/${operator.id}/labels`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: { labels: ['operator'] },
  })
  const path = `${DOCUMENTS}/${await blog.post(alice)}/comments`
  const ask = async ({ cookie }: Person) => (await blog.call('GET', path, { cookie })).body
  for (const reader of [bob, bob]) expect(await ask(reader)).toMatchObject({ canModerate: false })
  for (const moderator of [alice, operator])
    expect(await ask(moderator)).toMatchObject({ canModerate: true, canWrite: true })
  expect(await ask(bob)).toMatchObject({ canModerate: false })
})

test('a random order is different each time', { tags: ['more'] }, async () => {
  await using blog = await start()
  for (let count = 0; count < 6; count++) await blog.post(blog.alice)
  const orders = new Set<string>()
  for (let count = 0; count < 12; count++)
    orders.add(
      JSON.stringify((await blog.list(undefined, 'orderRandom()', 'select(["$id"])')).body),
    )
  expect(orders.size).toBeGreaterThan(1)
})

/** The number of lists and posts that are compared after each change. */
const COMPARED: [name: DatabaseKind, count: number, tags: string[]][] = [
  ['SQLite', 4, []],
  ['SQLite', 13, ['more']],
  ['PostgreSQL', 13, ['more']],
]
for (const [name, count, tags] of COMPARED)
  test(`answers to guests and others, ${count} reads, are as new as the last change on ${name}`, {
    tags,
  }, async () => {
    const database = name === 'SQLite' ? undefined : await makePostgresDatabase()
    {
      await using blog = await start(database ? { BLOG_DATABASE_URL: database.url } : {})
      const { alice, bob } = blog
      const carla = await blog.makePerson('carla')
      const key = { headers: { 'x-appwrite-key': blog.apiKey } }
      const id = await blog.post(alice)
      const other = await blog.post(bob)
      const cover = await blog.upload(alice)
      const face = await uploadFace(blog, alice)
      const comment = { documentId: 'unique()', data: { postId: id, content: 'Words' } }
      const wide = 'select(["*","ownImage","imageColor","userAvatar"])'
      const paths = [
        `${DOCUMENTS}?`,
        `${DOCUMENTS}?${queryString('orderAsc("userName")', wide)}`,
        `${DOCUMENTS}/${id}?`,
        `/databases/blogdb/collections/posts/authors/${alice.id}?`,
        `${DOCUMENTS}?${queryString('orderDesc("like")', 'limit(1)')}`,
        `${DOCUMENTS}?${queryString(`contains("likeId", ["${bob.id}"])`)}`,
        `${DOCUMENTS}?${queryString('contains("tags", ["lamp"])')}`,
        `${DOCUMENTS}/${id}/around?`,
        `${DOCUMENTS}?${queryString('orderDesc("$updatedAt")', 'limit(1)')}`,
        `${DOCUMENTS}?${queryString('orderAsc("title")', 'limit(1)')}`,
        `${DOCUMENTS}?${queryString('search("title", ["Another"])')}`,
        `${DOCUMENTS}?${queryString('select(["title","comments"])')}`,
        `${DOCUMENTS.replace('documents', 'search')}?q=Another`,
      ].slice(0, count)
      /** The paths of all posts and of one post, with all their attributes. */
      const wholePostPaths = [`${DOCUMENTS}/${id}?`, `${DOCUMENTS}?`].slice(0, count / 4)
      let asking = 0
      const look = async (path: string) => {
        const { status, body } = await blog.call('GET', path)
        return { status, body }
      }
      const changes: [what: string, change: () => Promise<{ status: number }>][] = [
        ['a like', () => blog.like(bob, other, [bob.id])],
        ['a like of another', () => blog.like(carla, id, [carla.id])],
        ['a second like', () => blog.like(bob, id, [bob.id])],
        ['a like taken back', () => blog.like(bob, other, [])],
        ['a title', () => blog.patch(alice, id, { title: 'Another' })],
        ['a comment', () => blog.call('POST', COMMENTS, { ...alice, body: comment })],
        ['tags', () => blog.patch(alice, id, { tags: ['lamp'] })],
        ['a cover', () => blog.patch(alice, id, { featuredImage: cover })],
        ['a new post', () => blog.create(alice, { title: 'New', featuredImage: cover })],
        ['a name', () => blog.call('PATCH', '/account/name', { ...alice, body: { name: 'Ann' } })],
        [
          'a face',
          () =>
            blog.call('PATCH', '/account/prefs', { ...alice, body: { prefs: { avatar: face } } }),
        ],
        ['for members alone', () => letRead('users')],
        ['for everybody again', () => letRead('any')],
        ['hidden', () => hide(true)],
        ['shown again', () => hide(false)],
        ['an author blocked', () => setStatus(alice, false)],
        ['an author let in again', () => setStatus(alice, true)],
        ['a draft', () => blog.patch(bob, other, { status: 'inactive' })],
        ['published', () => blog.patch(bob, other, { status: 'active' })],
        ['a liker gone', () => blog.call('DELETE', `/users/${carla.id}`, key)],
        ['deleted', () => blog.remove('key', id)],
        ['an author gone', () => blog.call('DELETE', `/users/${alice.id}`, key)],
      ]
      function hide(hidden: boolean) {
        return blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { ...key, body: { hidden } })
      }
      function letRead(role: string) {
        const permissions = [`read("${role}")`, `update("user:${alice.id}")`]
        return blog.call('PATCH', `${DOCUMENTS}/${id}`, { ...alice, body: { permissions } })
      }
      /** Whole posts are cached for all readers; selected attributes are read each time. */
      const compareForOthers = async (what: string) => {
        for (const [reader, options] of Object.entries({ bob, key }))
          for (const path of wholePostPaths) {
            const cached = await blog.call('GET', path, options)
            const uncached = await blog.call(
              'GET',
              `${path}${queryString('select(["*"])')}`,
              options,
            )
            expect([cached.status, cached.body], `${what}: ${reader} ${path}`).toEqual([
              uncached.status,
              uncached.body,
            ])
          }
      }
      function setStatus(person: Person, status: boolean) {
        return blog.call('PATCH', `/users/${person.id}/status`, { ...key, body: { status } })
      }
      // An answer that is read after a change stays cached until the next change.
      for (const path of paths) await look(path)
      await compareForOthers('before any change')
      for (const [name, change] of changes) {
        expect((await change()).status, name).toBeLessThan(300)
        const differing: string[] = []
        for (const path of paths) {
          const cached = await look(path)
          const uncached = await look(`${path}&at=${asking++}`)
          expect(cached, `${name}: ${path}`).toEqual(uncached)
          if (cached.status === 200) differing.push(path)
        }
        expect(differing.length, name).toBeGreaterThan(0)
        await compareForOthers(name)
      }
    }
    await database?.drop()
  })

describe('posts by a user who has neither a password nor a confirmed address', () => {
  async function startWithImported() {
    const blog = await start()
    const key = { headers: { 'x-appwrite-key': blog.apiKey } }
    const userId = 'imported'
    const author = { userId, email: 'imported@example.test', name: 'Imported' }
    expect((await blog.call('POST', '/users', { ...key, body: author })).status).toBe(201)
    const data = { title: 'One', content: '', featuredImage: await blog.upload(blog.alice) }
    const creation = { documentId: 'one', data: { ...data, status: 'active', userid: userId } }
    expect((await blog.call('POST', DOCUMENTS, { ...key, body: creation })).status).toBe(201)
    const { cookie } = blog.bob
    /** The name above the post for a guest and for bob, and how many posts bob lists. */
    const look = async () => {
      const [guest, bob] = [{}, { cookie }].map((as) => blog.call('GET', `${DOCUMENTS}/one`, as))
      const { body: list } = await blog.call('GET', DOCUMENTS, { cookie })
      return [(await guest)?.body.userName, (await bob)?.body.userName, list.total]
    }
    const change = async (part: string, body: object) =>
      (await blog.call('PATCH', `/users/${userId}/${part}`, { ...key, body })).status
    expect([await look(), await look()]).toEqual([
      ['Imported', 'Imported', 1],
      ['Imported', 'Imported', 1],
    ])
    return { look, change, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
  }

  test('show a new name of the user at once', async () => {
    await using imported = await startWithImported()
    const { look, change } = imported
    expect(await change('name', { name: 'Renamed' })).toBe(200)
    expect(await look()).toEqual(['Renamed', 'Renamed', 1])
  })

  test('disappear when the user is blocked, and return when the user is unblocked', async () => {
    await using imported = await startWithImported()
    const { look, change } = imported
    expect(await change('status', { status: false })).toBe(200)
    expect(await look()).toEqual([undefined, undefined, 0])
    expect(await change('status', { status: true })).toBe(200)
    expect(await look()).toEqual(['Imported', 'Imported', 1])
  })
})

async function uploadFace(blog: TestBlog, person: Person): Promise<string> {
  const { drawPhoto } = await import('#test/support/images.ts')
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([new Uint8Array(await drawPhoto('png'))], 'face.png'))
  const { cookie } = person
  return (await blog.call('POST', '/storage/buckets/avatars/files', { body, cookie })).body.$id
}

describe('JSON', () => {
  const ACCEPTED = { 'accept-encoding': 'gzip, br' }

  /** A post of several kilobytes, and the answer to a caller who accepts no compression. */
  async function startWithLongPost() {
    const blog = await share()
    const content = `<p>${'a long text of a lamp '.repeat(100)}</p>`
    const id = await blog.post(blog.alice, { content })
    const path = `${DOCUMENTS}/${id}`
    return { blog, id, path, content, plain: await raw(blog, path, {}) }
  }

  test('of a kilobyte or more is compressed for clients that accept it', async () => {
    const { blog, id, path, content, plain } = await startWithLongPost()
    const unpacked = { gzip: gunzipSync, br: brotliDecompressSync }
    const callers = [{}, { cookie: blog.alice.cookie }, { 'x-appwrite-key': blog.apiKey }]
    for (const encoding of ['gzip', 'br'] as const)
      for (const headers of callers) {
        const answer = await raw(blog, path, { ...headers, 'accept-encoding': encoding })
        expect(answer.headers).toMatchObject({
          'content-encoding': encoding,
          vary: 'Origin, Accept-Encoding',
          'content-length': String(answer.bytes.length),
        })
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length)
        const body = JSON.parse(unpacked[encoding](answer.bytes).toString())
        expect(body).toMatchObject({ $id: id, content })
      }
  })

  test('is not compressed for clients that do not accept it, but has the Vary header', async () => {
    const { plain } = await startWithLongPost()
    expect(plain.headers).toMatchObject({ vary: 'Origin, Accept-Encoding' })
    expect(plain.headers['content-encoding']).toBe(undefined)
  })

  test('of less than a kilobyte is never compressed', async () => {
    const { blog, id } = await startWithLongPost()
    const queries = queryString(`equal("$id", ["${id}"])`, 'select(["$id"])')
    const short = await raw(blog, `${DOCUMENTS}?${queries}`, ACCEPTED)
    expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'Origin'])
  })

  test('of an account is never compressed', async () => {
    const blog = await share()
    const { cookie } = blog.alice
    const prefs = { prefs: { about: 'x'.repeat(2000) } }
    await blog.call('PATCH', '/account/prefs', { cookie, body: prefs })
    const account = await raw(blog, '/account', { ...ACCEPTED, cookie })
    expect([account.status, account.headers['content-encoding']]).toEqual([200, undefined])
  })
})
