// Ended rights are gone from the next request on, in every process: each change is made on one
// server and checked at once on another one over the same database.
import { afterAll, describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, SAME_SECRETS, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, type DatabaseKind, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makePlainPages } from '#test/support/plain-pages.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'

/** How often changes are repeated; a longer run makes thousands of checks. */
const ROUNDS = Number(process.env.BLOG_TEST_ROUNDS ?? 1)

/** Two servers over one database: changes are made on `here`, and checked on `there`. */
async function open(kind: DatabaseKind) {
  await using stack = new AsyncDisposableStack()
  const env = { BLOG_READING: 'everyone', ...SAME_SECRETS }
  const start = async (own: Record<string, string>) =>
    stack.use(await makeTestBlog({ ...env, ...own }, { pages: makePlainPages().pages }))
  if (kind === 'SQLite') {
    const here = await start({})
    const there = await start({ BLOG_DATA_DIR: here.dataDir, BLOG_PUBLIC_URL: here.url })
    const moved = stack.move()
    return { here, there, proxy: undefined, [Symbol.asyncDispose]: () => moved.disposeAsync() }
  }
  const { url } = stack.adopt(await makePostgresDatabase(), ({ drop }) => drop())
  const proxy = stack.use(await makeTcpProxy(url))
  const here = await start({ BLOG_DATABASE_URL: proxy.through(url) })
  const files = { BLOG_DATA_DIR: here.dataDir, BLOG_PUBLIC_URL: here.url }
  const there = await start({ BLOG_DATABASE_URL: proxy.through(url), ...files })
  const moved = stack.move()
  return { here, there, proxy, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** The two servers that all tests of a `describe` share. */
function shareServers(kind: DatabaseKind): () => ReturnType<typeof open> {
  let opening: ReturnType<typeof open> | undefined
  afterAll(async () => {
    await (await opening)?.[Symbol.asyncDispose]()
  })
  return () => {
    opening ??= open(kind)
    return opening
  }
}

let people = 0
const makePerson = ({ makePerson }: TestBlog, name: string) =>
  makePerson(name, `${name}.${++people}@example.test`)

const equal = (attribute: string, value: string) =>
  `queries[0]=${encodeURIComponent(JSON.stringify({ method: 'equal', attribute, values: [value] }))}`

type Shown = Promise<boolean>
type Look = { form: string; isShown: () => Shown }

/** All forms in which a post is shown to a guest and to a member. */
function looksAt(
  blog: TestBlog,
  {
    address,
    id,
    author,
    member,
    word,
  }: { address: string; id: string; author: Person; member: Person; word: string },
): Look[] {
  const queryString = (...queries: object[]) =>
    queries.map((one, at) => `queries[${at}]=${encodeURIComponent(JSON.stringify(one))}`).join('&')
  const api = async (path: string, cookie?: string) => {
    const { status, bytes } = await blog.call('GET', path, cookie ? { cookie } : {})
    return status === 200 && bytes.toString().includes(id)
  }
  const list = `${DOCUMENTS}?${queryString({ method: 'equal', attribute: 'status', values: ['active'] })}`
  const search = `/databases/blogdb/collections/posts/search?q=${word}`
  const page = async (path: string) => {
    const answer = await fetch(blog.url + path)
    const text = await answer.text()
    return answer.status === 200 && text.includes(id)
  }
  const card = async () => (await fetch(`${blog.url}/post/${id}/card.png`)).status === 200
  const embed = `/oembed?url=${encodeURIComponent(`${address}/post/${id}`)}`
  return [
    ['document', () => api(`${DOCUMENTS}/${id}`)],
    ['document of a member', () => api(`${DOCUMENTS}/${id}`, member.cookie)],
    ['list', () => api(list)],
    ['list of a member', () => api(list, member.cookie)],
    ['search', () => api(search)],
    ['search of a member', () => api(search, member.cookie)],
    ['page', () => page(`/post/${id}`)],
    ['page of the list', () => page('/post')],
    ['feed', () => page('/feed.xml')],
    ['feed of the author', () => page(`/author/${author.id}/feed.json`)],
    ['oEmbed', () => page(embed)],
    ['card', card],
  ].map(([form, isShown]) => ({ form, isShown }) as Look)
}

async function makeScene(here: TestBlog, there: TestBlog) {
  const author = await makePerson(here, 'author')
  const member = await makePerson(here, 'member')
  const { create, patch, remove } = makeDocuments(here)
  const word = 'lanternword'
  const post = await create(author, { title: `A ${word}`, content: '<p>Text</p>' })
  const id = post.body.$id as string
  const asOperator = async (method: string, path: string, body: object) =>
    expect(
      (await here.call(method, path, { headers: { 'x-appwrite-key': here.apiKey }, body })).status,
    ).toBeLessThan(300)
  return {
    author,
    member,
    id,
    create,
    patch,
    remove,
    asOperator,
    looks: looksAt(there, { address: here.url, id, author, member, word }),
  }
}

type Scene = Awaited<ReturnType<typeof makeScene>>

/** Each way to hide a post from others, and its reversal. */
function endsOf({ author, id, patch, remove, asOperator }: Scene, here: TestBlog) {
  const setStatus = (status: string) => async () => {
    await patch(author, id, { status })
  }
  const hide = (hidden: boolean) => () =>
    asOperator('PATCH', `${DOCUMENTS}/${id}/hidden`, { hidden })
  const deleted = '/databases/blogdb/collections/posts/deleted'
  return [
    { what: 'inactive', end: setStatus('inactive'), back: setStatus('active') },
    { what: 'hidden', end: hide(true), back: hide(false) },
    {
      what: 'deleted',
      end: async () => void (await remove(author, id)),
      async back() {
        const { cookie } = author
        const [deletedPost] = (await here.call('GET', deleted, { cookie })).body.deleted
        await here.call('POST', `${deleted}/${deletedPost.$id}/restore`, { cookie, body: {} })
        await patch(author, id, { status: 'active' })
      },
    },
    {
      what: 'by a blocked author',
      // The block ends the author’s sessions, so it comes last.
      end: () => asOperator('PATCH', `/users/${author.id}/status`, { status: false }),
      back: () => asOperator('PATCH', `/users/${author.id}/status`, { status: true }),
    },
  ]
}

/**
 * Makes and reverses each change, and checks after it a form that was cached before.
 * @param oneOf one in so many forms is checked, a different one after each kind of change
 */
async function checkEnds(
  scene: Scene,
  here: TestBlog,
  { rounds = ROUNDS, oneOf = 1 }: { rounds?: number; oneOf?: number } = {},
): Promise<void> {
  for (const [kind, { what, end, back }] of endsOf(scene, here).entries())
    for (let round = 0; round < rounds; round++)
      for (const [at, { form, isShown }] of scene.looks.entries()) {
        if (at % oneOf !== kind % oneOf) continue
        expect([what, form, await isShown()]).toEqual([what, form, true])
        await end()
        expect([what, form, await isShown()]).toEqual([what, form, false])
        await back()
      }
}

for (const [kind, tags] of DATABASES)
  describe(`on two servers over one ${kind}`, { tags }, () => {
    const share = shareServers(kind)

    test('a post that is inactive, hidden, deleted or by a blocked author is not shown in a sample of forms', async () => {
      const { here, there } = await share()
      await checkEnds(await makeScene(here, there), here, { oneOf: 4 })
    })

    test('a post that is inactive, hidden, deleted or by a blocked author is shown in no form', {
      tags: ['more'],
    }, async () => {
      const { here, there } = await share()
      await checkEnds(await makeScene(here, there), here)
    })

    type SignedIn = { cookie: string; sessionId: string; signIn: () => Promise<SignedIn> }

    /** Ends sessions `here`, and checks that `there` they are invalid at once. */
    async function checkSessionEnds(
      end: (here: TestBlog, session: SignedIn, password: string) => Promise<unknown>,
    ) {
      const { here, there } = await share()
      const { email, password, id } = await makePerson(here, 'alice')
      const signIn = async (): Promise<SignedIn> => {
        const answer = await here.call('POST', '/account/sessions/email', {
          body: { email, password },
        })
        const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
        return { cookie: cookie.join('; '), sessionId: answer.body.$id, signIn }
      }
      const viewer = async (cookie: string) => {
        const { headers } = await there.call('GET', DOCUMENTS, { cookie })
        return headers.get('x-viewer')
      }
      for (let round = 0; round < 2 * ROUNDS; round++) {
        const session = await signIn()
        const { cookie } = session
        expect(await viewer(cookie)).toBe(`user ${id}`)
        await end(here, session, password)
        expect(await viewer(cookie)).toBe('guest')
        expect((await there.call('GET', '/account', { cookie })).status).toBe(401)
      }
    }

    test('a session that has been ended is invalid on both servers', () =>
      checkSessionEnds((here, { cookie, sessionId }) =>
        here.call('DELETE', `/account/sessions/${sessionId}`, { cookie, body: {} }),
      ))

    test('a session that a change of the password has ended is invalid on both servers', () =>
      checkSessionEnds(async (here, { signIn }, password) => {
        const { cookie } = await signIn()
        const body = { password, oldPassword: password }
        await here.call('PATCH', '/account/password', { cookie, body })
      }))

    /** A post, and what a guest and a member see of its comments. */
    async function makeDiscussion() {
      const { here, there } = await share()
      const { author, member, id, asOperator } = await makeScene(here, there)
      const comments = '/databases/blogdb/collections/comments/documents'
      const ofPost = `${DOCUMENTS}/${id}/comments`
      await asOperator('PATCH', '/site', { approveFirst: 'off' })
      const looks = [
        () => there.call('GET', ofPost),
        () => there.call('GET', ofPost, { cookie: member.cookie }),
        () => there.call('GET', `${comments}?${equal('postId', id)}`),
      ]
      const { cookie } = author
      return {
        asOperator,
        async write(content: string) {
          const body = { documentId: 'unique()', data: { postId: id, content } }
          const { status, body: comment } = await here.call('POST', comments, { cookie, body })
          expect(status).toBe(201)
          return `${comments}/${comment.$id}`
        },
        remove: (path: string) => here.call('DELETE', path, { cookie }),
        close: (closed: boolean) => here.call('PATCH', ofPost, { cookie, body: { closed } }),
        isShown: async (text: string) =>
          (await Promise.all(looks.map((look) => look()))).map(({ bytes }) =>
            bytes.toString().includes(text),
          ),
        states: async () =>
          (await Promise.all(looks.slice(0, 2).map((look) => look()))).map(
            ({ body }) => body.state,
          ),
      }
    }
    const EVERYWHERE = [true, true, true]
    const NOWHERE = [false, false, false]

    test('writing or deleting a comment takes effect at once', async () => {
      const { write, remove, isShown } = await makeDiscussion()
      for (let round = 0; round < ROUNDS; round++) {
        const content = `Comment ${round}`
        expect(await isShown(content)).toEqual(NOWHERE)
        const path = await write(content)
        expect(await isShown(content)).toEqual(EVERYWHERE)
        await remove(path)
        expect(await isShown(content)).toEqual(NOWHERE)
      }
    })

    test('hiding a comment or showing it again takes effect at once', async () => {
      const { asOperator, write, isShown } = await makeDiscussion()
      const content = 'Comment'
      const path = await write(content)
      for (let round = 0; round < ROUNDS; round++) {
        expect(await isShown(content)).toEqual(EVERYWHERE)
        await asOperator('PATCH', path, { data: { status: 'hidden' } })
        expect(await isShown(content)).toEqual(NOWHERE)
        await asOperator('PATCH', path, { data: { status: 'shown' } })
        expect(await isShown(content)).toEqual(EVERYWHERE)
      }
    })

    test('closing or opening a discussion takes effect at once', async () => {
      const { close, states } = await makeDiscussion()
      for (let round = 0; round < ROUNDS; round++)
        for (const closed of [true, false]) {
          await close(closed)
          const state = closed ? 'closed' : 'open'
          expect(await states()).toEqual([state, state])
        }
    })

    test('giving or removing a role takes effect at once', async () => {
      const { here, there } = await share()
      const { author, member, asOperator } = await makeScene(here, there)
      // The blog must always have another operator.
      await asOperator('PUT', `/users/${author.id}/labels`, { labels: ['operator'] })
      const setRole = (labels: string[]) =>
        asOperator('PUT', `/users/${member.id}/labels`, { labels })
      const people = () => there.call('GET', '/operator/people', { cookie: member.cookie })
      for (let round = 0; round < ROUNDS; round++) {
        await setRole(['operator'])
        expect((await people()).status).toBe(200)
        await setRole([])
        expect((await people()).status).toBe(401)
      }
    })

    test('changing who may read a post takes effect at once', async () => {
      const { here, there } = await share()
      const { author, member, id, patch } = await makeScene(here, there)
      const page = async (path: string, cookie: string) =>
        (await fetch(there.url + path, { headers: { cookie } })).status
      for (let round = 0; round < ROUNDS; round++)
        for (const [permissions, status] of [
          [['read("users")'], 200],
          [[`read("user:${author.id}")`], 404],
          [['read("any")'], 200],
        ] as const) {
          await patch(author, id, {}, { permissions })
          expect([permissions, await page(`/post/${id}`, member.cookie)]).toEqual([
            permissions,
            status,
          ])
        }
    })

    test('a file that is deleted is gone at once', async () => {
      const { here, there } = await share()
      const author = await makePerson(here, 'author')
      for (let round = 0; round < ROUNDS; round++) {
        const permissions = ['read("any")']
        const photo = await drawPhoto('png')
        const file = (await upload(here, author, photo, { permissions, bucket: AVATARS })).body.$id
        const preview = () => there.call('GET', `${AVATARS}/${file}/preview?width=40`)
        expect([(await preview()).status, (await preview()).status]).toEqual([200, 200])
        await here.call('DELETE', `${AVATARS}/${file}`, { cookie: author.cookie, body: {} })
        expect((await preview()).status).toBe(404)
      }
    })

    test('a changed name is shown at once', async () => {
      const { here, there } = await share()
      const { author, id } = await makeScene(here, there)
      const shows = async (path: string, text: string) =>
        (await there.call('GET', path)).bytes.toString().includes(text)
      for (let round = 0; round < ROUNDS; round++) {
        const name = `Name ${round}`
        expect(await shows(`${DOCUMENTS}/${id}`, name)).toBe(false)
        const { cookie } = author
        await here.call('PATCH', '/account/name', { cookie, body: { name } })
        expect(await shows(`${DOCUMENTS}/${id}`, name)).toBe(true)
      }
    })

    test('a client that keeps reading never sees the post once the change is answered', async () => {
      const { here, there } = await share()
      const scene = await makeScene(here, there)
      const [ending] = endsOf(scene, here)
      for (let round = 0; round < 2 * ROUNDS; round++) {
        let isEnded = false
        let isOver = false
        const lateAnswers: string[] = []
        const readers = scene.looks.map(async ({ form, isShown }) => {
          while (!isOver) {
            const wasEnded = isEnded
            if ((await isShown()) && wasEnded) lateAnswers.push(form)
          }
        })
        await ending?.end()
        isEnded = true
        await Promise.all(scene.looks.map(({ isShown }) => isShown()))
        isOver = true
        await Promise.all(readers)
        expect(lateAnswers).toEqual([])
        await ending?.back()
      }
    })
  })

describe('over PostgreSQL', { tags: ['more'] }, () => {
  test('no change depends on notifications to take effect', async () => {
    await using blogs = await open('PostgreSQL')
    const { here, there, proxy } = blogs
    const scene = await makeScene(here, there)
    proxy?.pause('listen')
    await checkEnds(scene, here, { rounds: Math.ceil(ROUNDS / 2) })
  })

  test('a change takes effect at once even if the answer to its COMMIT is lost', async () => {
    await using blogs = await open('PostgreSQL')
    const { here, there, proxy } = blogs
    const scene = await makeScene(here, there)
    const looks = Array.from({ length: Math.ceil(ROUNDS / 2) }, () => scene.looks).flat()
    for (const { form, isShown } of looks) {
      expect([form, await isShown()]).toEqual([form, true])
      // Cuts only the commit of this change: another transaction may end meanwhile.
      proxy?.cutAtCommit('after', scene.id)
      const { status } = await scene.patch(scene.author, scene.id, { status: 'inactive' })
      expect(status).toBe(503)
      await expect.poll(async () => (await there.call('GET', '/health/version')).status).toBe(200)
      expect([form, await isShown()]).toEqual([form, false])
      await expect
        .poll(async () => {
          const back = await scene.patch(scene.author, scene.id, { status: 'active' })
          return back.status
        })
        .toBe(200)
    }
  })
})
