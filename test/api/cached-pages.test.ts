// Pages cached in memory: they show every change at once, in all processes; they are counted and
// answered like all other pages; and nobody with a session gets them.
import { describe, expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { makeTestBlog, SAME_SECRETS } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makePlainPages } from '#test/support/plain-pages.ts'
import { sendRaw, sendTimes } from '#test/support/raw-request.ts'

async function open(kind: 'SQLite' | 'PostgreSQL', env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const postgres =
    kind === 'PostgreSQL' ? stack.adopt(await makePostgresDatabase(), ({ drop }) => drop()) : null
  const shared = postgres ? { BLOG_DATABASE_URL: postgres.url, ...SAME_SECRETS } : {}
  const settings = { ...env, ...shared }
  const plain = makePlainPages()
  const blog = stack.use(await makeTestBlog(settings, { pages: plain.pages }))
  // SQLite has only one server.
  const otherPages = makePlainPages()
  const otherBlog = postgres
    ? stack.use(
        await makeTestBlog({ ...settings, BLOG_PUBLIC_URL: blog.url }, { pages: otherPages.pages }),
      )
    : blog
  const asOperator = (method: string, path: string, body: object) =>
    blog.call(method, path, { headers: { 'x-appwrite-key': blog.apiKey }, body })
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const moved = stack.move()
  return {
    ...plain,
    blog,
    there: otherBlog,
    alice,
    bob,
    asOperator,
    ...makeDocuments(blog),
    read: async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(blog.url + path, { headers })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
    readOther: async (path: string) => {
      const answer = await fetch(otherBlog.url + path)
      return { status: answer.status, text: await answer.text() }
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

for (const [kind, tags] of DATABASES)
  describe(`a cached page on ${kind}`, { tags }, () => {
    test('shows each change at once, even on another server', async () => {
      await using blog = await open(kind)
      const { alice, bob, asOperator, read, readOther, rendered, patch } = blog
      const asAlice = (method: string, path: string, body?: object) =>
        blog.blog.call(method, path, { cookie: alice.cookie, ...(body ? { body } : {}) })
      const id = await blog.post(alice, { title: 'One' })
      const page = `/post/${id}`
      /**
       * Both servers have cached the page before the change; after it both show the expected text.
       */
      const check = async (change: () => Promise<unknown>, shows: RegExp | 404, path = page) => {
        const before = await read(path)
        await readOther(path)
        const renderedBefore = rendered.length
        expect(await read(path)).toMatchObject({ status: before.status, text: before.text })
        if (before.status === 200) expect(rendered.length).toBe(renderedBefore)
        await change()
        const isShown = ({ status, text }: { status: number; text: string }) =>
          shows === 404 ? status === 404 : status === 200 && shows.test(text)
        const after = await read(path)
        expect([shows, isShown(after), after.text]).toEqual([shows, true, after.text])
        const other = await readOther(path)
        expect([shows, isShown(other)]).toEqual([shows, true])
      }
      const title = (text: string) => () => patch(alice, id, { title: text })
      const hide = (hidden: boolean) => () =>
        asOperator('PATCH', `${DOCUMENTS}/${id}/hidden`, { hidden })
      const setStatus = (status: boolean) => () =>
        asOperator('PATCH', `/users/${alice.id}/status`, { status })
      await check(title('Two'), /"title":"Two"/)
      await check(title('Three'), /"title":"Three"/, '/post')
      await check(() => blog.like(bob, id, [bob.id]), /"like":1/)
      await check(() => blog.like(bob, id, []), /"like":0/)
      await check(() => blog.like(bob, id, [bob.id]), /"like":1/, '/post')
      await check(
        () => asAlice('PATCH', '/account/name', { name: 'Alicia' }),
        /"userName":"Alicia"/,
      )
      const prefs = (newPrefs: object) => () =>
        asAlice('PATCH', '/account/prefs', { prefs: newPrefs })
      await check(prefs({ about: 'On lamps' }), /On lamps/)
      const image = await upload(blog.blog, alice, await drawPhoto('png'), { bucket: AVATARS })
      const avatar = image.body.$id as string
      await check(prefs({ about: 'On lamps', avatar }), new RegExp(`"userAvatar":"${avatar}"`))
      await check(() => asAlice('DELETE', `${AVATARS}/${avatar}`), /"userAvatar":""/)
      await check(() => patch(alice, id, { tags: ['oil'] }), /"tags":\["oil"\]/)
      let next = ''
      await check(async () => (next = await blog.post(bob, { title: 'Next' })), /"title":"Next"/)
      await check(() => patch(bob, next, { title: 'Following' }), /"title":"Following"/)
      await check(() => blog.remove(bob, next), /"next":null/)
      await check(() => blog.post(alice, { title: 'Also mine' }), /"others":\[\{[^\]]*Also mine/)
      await check(hide(true), 404)
      await check(hide(false), /"title":"Three"/)
      await check(() => patch(alice, id, { status: 'inactive' }), 404)
      await check(() => patch(alice, id, { status: 'active' }), /"title":"Three"/)
      await check(() => asOperator('DELETE', `/users/${bob.id}`, {}), /"like":0/)
      await check(() => blog.remove(alice, id), 404)
      const { deleted } = (await asAlice('GET', '/databases/blogdb/collections/posts/deleted')).body
      const path = `/databases/blogdb/collections/posts/deleted/${deleted[0].$id}/restore`
      await check(async () => {
        await asAlice('POST', path, {})
        await patch(alice, id, { status: 'active' })
      }, /"title":"Three"/)
      // Blocking also ends her sessions.
      await check(setStatus(false), 404)
      await check(setStatus(true), /"title":"Three"/)
    })

    test('a page that is rendered while the post changes is not cached', async () => {
      await using blog = await open(kind)
      const id = await blog.post(blog.alice, { title: 'Old' })
      let isFirst = true
      blog.held.meanwhile = async () => {
        if (!isFirst) return
        isFirst = false
        await blog.patch(blog.alice, id, { title: 'New' })
      }
      expect((await blog.read(`/post/${id}`)).text).toContain('"title":"Old"')
      expect((await blog.read(`/post/${id}`)).text).toContain('"title":"New"')
    })
  })

describe('a cached page', () => {
  test('is cached while the blog has no operator, and contains the state of the set-up', async () => {
    const { pages, rendered } = makePlainPages()
    await using blog = await makeTestBlog({ BLOG_READING: 'everyone' }, { pages, isNew: true })
    const headers = { 'sec-fetch-site': 'none' }
    const read = async (path: string) => await (await fetch(blog.url + path, { headers })).text()
    const alice = await blog.makePerson('alice')
    const id = await makeDocuments(blog).post(alice)
    const first = await read(`/post/${id}`)
    expect(first).toContain('"setup":{"state":"code"')
    expect([await read(`/post/${id}`), rendered.length]).toEqual([first, 1])
    for (let time = 0; time < 2; time++)
      expect(await read('/setup')).toContain('"setup":{"state":"open"')
    const labels = { headers: { 'x-appwrite-key': blog.apiKey }, body: { labels: ['operator'] } }
    await blog.call('PUT', `/users/${alice.id}/labels`, labels)
    expect(await read(`/post/${id}`)).not.toContain('"setup"')
  })

  test('redirects visitors to the set-up only while the blog is empty', async () => {
    const { pages } = makePlainPages()
    await using blog = await makeTestBlog({ BLOG_READING: 'everyone' }, { pages, isNew: true })
    const visit = async (path: string) => {
      const { status, headers } = await fetch(blog.url + path, { redirect: 'manual' })
      return [status, headers.get('location')]
    }
    expect([await visit('/'), await visit('/post')]).toEqual([
      [302, '/setup'],
      [302, '/setup'],
    ])
    await blog.makePerson('alice')
    expect([await visit('/'), await visit('/post')]).toEqual([
      [200, null],
      [200, null],
    ])
  })

  test('is the same in each encoding, for HEAD and for conditional requests', async () => {
    await using blog = await open('SQLite')
    const id = await blog.post(blog.alice, { title: 'A lamp '.repeat(20) })
    const path = `/post/${id}`
    const { text, headers } = await blog.read(path, { 'accept-encoding': 'identity' })
    const raw = async (method: string, extraHeaders: Record<string, string>) => {
      const lines = Object.entries({ host: 'localhost', connection: 'close', ...extraHeaders })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return await sendRaw(blog.blog.url, `${method} ${path} HTTP/1.1\r\n${head}\r\n`)
    }
    const bytes = async (encoding: string) => {
      const response = await fetch(blog.blog.url + path, {
        headers: { 'accept-encoding': encoding },
      })
      return [
        response.headers.get('content-encoding'),
        response.headers.get('etag'),
        await response.text(),
      ]
    }
    const tag = headers.get('etag') ?? ''
    for (let time = 0; time < 2; time++)
      for (const encoding of ['br', 'gzip'])
        expect(await bytes(encoding)).toEqual([encoding, tag, text])
    const ignoredNames = [
      'date',
      'x-request-id',
      'content-security-policy',
      'connection',
      'keep-alive',
    ]
    const comparable = (headersByName: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(headersByName).filter(([name]) => !ignoredNames.includes(name)),
      )
    const head = await raw('HEAD', {})
    expect([head.status, head.body]).toEqual([200, ''])
    expect(comparable(head.headers)).toEqual({
      ...comparable(Object.fromEntries(headers)),
      'content-length': String(Buffer.byteLength(text)),
    })
    for (const tags of [tag, `"other", ${tag}`, '*']) {
      const notModified = await raw('GET', { 'if-none-match': tags })
      expect([notModified.status, notModified.body, notModified.headers.etag]).toEqual([
        304,
        '',
        tag,
      ])
      expect(notModified.headers['content-type']).toBeUndefined()
    }
    expect((await raw('GET', { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await raw('GET', { 'content-length': '0' })).status).toBe(200)
    expect(blog.rendered).toEqual([path])
  })

  test('counts towards the limit of the address that a trusted proxy names, and is refused like any page', async () => {
    const env = { BLOG_RATE_LIMITS: 'on', BLOG_TRUSTED_PROXIES: '127.0.0.1 ::1' }
    await using blog = await open('SQLite', env)
    const path = `/post/${await blog.post(blog.alice)}`
    const from = (address: string) => blog.read(path, { 'x-forwarded-for': address })
    await from('192.0.2.1')
    const [max] = RATE.anythingPerAddress
    const request = [`HEAD ${path} HTTP/1.1`, 'x-forwarded-for: 192.0.2.1']
    await sendTimes(max - 1, blog.blog.url, request)
    const refused = await from('192.0.2.1')
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await from('192.0.2.2')).status).toBe(200)
    expect(blog.rendered).toEqual([path])
  })

  test('is not sent to a user with a session, nor for a request with a secret', async () => {
    await using blog = await open('SQLite')
    const path = `/post/${await blog.post(blog.alice)}`
    const caching = async (query: string, headers = {}) =>
      (await blog.read(path + query, headers)).headers.get('cache-control')
    for (let time = 0; time < 2; time++) {
      expect(await caching('')).toBe('public, no-cache')
      expect(await caching('', { cookie: blog.alice.cookie })).toBe('private, no-store')
      expect(await caching('?secret=1')).toBe('private, no-store')
      const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
      expect(await caching('', crossSite)).toBe('private, no-store')
    }
  })

  test('shows a caller with the API key what a guest sees', async () => {
    await using blog = await open('SQLite')
    const path = `/post/${await blog.post(blog.alice, { status: 'inactive' })}`
    for (const headers of [{ 'x-appwrite-key': blog.blog.apiKey }, {}])
      expect((await blog.read(path, headers)).status).toBe(404)
  })

  test('counts each reader once, and no bots', async () => {
    await using blog = await open('SQLite')
    const { alice } = blog
    const path = `/post/${await blog.post(alice)}`
    const readAs = (program: string) => blog.read(path, { 'user-agent': program })
    const firefox = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Firefox/140.0'
    for (const program of [firefox, firefox, `${firefox} x`, 'Googlebot/2.1']) await readAs(program)
    const numbers = await blog.blog.call('GET', '/databases/blogdb/collections/posts/reads', {
      cookie: alice.cookie,
    })
    expect(numbers.body.posts).toMatchObject([{ reads: 2 }])
    expect(blog.rendered).toEqual([path])
  })
})
