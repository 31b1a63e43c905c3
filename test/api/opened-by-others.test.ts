// Sessions that an operator or the API key has opened in another account: they have no more
// rights than the account had then, and end with the role of that operator.
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Person } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { openConnectedSocket } from '#test/support/realtime.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog(() => openBlogWithRoles('SQLite'))

type Blog = Awaited<ReturnType<typeof openBlogWithRoles>>
type Caller = { cookie: string } | { headers: Record<string, string> }

const statusOf = async (blog: Blog, path: string, as: Caller) =>
  (await blog.call('GET', path, as)).status
const mayRun = (blog: Blog, as: Caller) => statusOf(blog, '/operator/activity', as)

async function redeem(blog: Blog, url: string): Promise<Caller> {
  const { searchParams } = new URL(url)
  const body = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  const answer = await blog.call('POST', '/account/sessions/token', { body })
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return { cookie }
}

/** Signs in with a link that this operator creates. */
async function signInAs(blog: Blog, operator: Person, userId: string): Promise<Caller> {
  const answer = await blog.call('POST', `/users/${userId}/links`, { cookie: operator.cookie })
  return redeem(blog, answer.body.url)
}

async function jwtOf(blog: Blog, as: Caller): Promise<Caller> {
  const { body } = await blog.call('POST', '/account/jwts', { ...as, body: {} })
  return { headers: { 'x-appwrite-jwt': body.jwt } }
}

async function addOperator(blog: Blog, name: string): Promise<Person> {
  const person = await blog.makePerson(name)
  await blog.setRole(person.id, 'operator')
  return person
}

for (const [kind, tags] of DATABASES) {
  describe(`a promotion on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogWithRoles(kind))

    /** The sessions and JWTs that alice and the key have opened in the account of a new author. */
    async function start() {
      const blog = await share()
      const { alice } = blog
      const author = await blog.makePerson('author')
      const opened = [await signInAs(blog, alice, author.id)]
      const { body } = await blog.call('POST', `/users/${author.id}/sessions`, {
        ...blog.asKey,
        body: {},
      })
      opened.push({ headers: { 'x-appwrite-session': body.secret } })
      for (const session of [...opened]) opened.push(await jwtOf(blog, session))
      return { blog, author, opened, promote: () => blog.setRole(author.id, 'operator') }
    }

    test('ends the sessions and JWTs that others have opened in the account', async () => {
      const { blog, opened, promote } = await start()
      for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(200)
      await promote()
      for (const as of opened) {
        expect(await statusOf(blog, '/account', as)).toBe(401)
        expect(await mayRun(blog, as)).toBe(401)
      }
    })

    test('voids unused links to the account', async () => {
      const { blog, author, promote } = await start()
      const unused = (await blog.call('POST', `/users/${author.id}/links`, blog.asAlice)).body.url
      await promote()
      expect(await statusOf(blog, '/account', await redeem(blog, unused))).toBe(401)
    })

    test('takes effect in the session of the promoted user', async () => {
      const { blog, author, promote } = await start()
      await promote()
      expect(await mayRun(blog, { cookie: author.cookie })).toBe(200)
    })

    test('of a reader to author ends an operator’s session in the account, but not the reader’s own', async () => {
      const { blog } = await start()
      const reader = await blog.makePerson('reader')
      await blog.setRole(reader.id, 'reader')
      const asReader = await signInAs(blog, blog.alice, reader.id)
      await blog.call('PUT', `/users/${reader.id}/labels`, {
        ...blog.asKey,
        body: { labels: ['author'] },
      })
      expect(await statusOf(blog, '/account', asReader)).toBe(401)
      expect(await statusOf(blog, '/account', { cookie: reader.cookie })).toBe(200)
    })
  })

  describe(`once an operator has lost the role, is blocked or is deleted, on ${kind}`, {
    tags,
  }, () => {
    const share = shareBlog(() => openBlogWithRoles(kind))

    const ENDS: ((blog: Blog, id: string) => Promise<unknown>)[] = [
      (blog, id) => blog.setRole(id, 'author'),
      (blog, id) =>
        blog.call('PUT', `/users/${id}/labels`, { ...blog.asKey, body: { labels: [] } }),
      (blog, id) =>
        blog.call('PATCH', `/users/${id}/status`, { ...blog.asKey, body: { status: false } }),
      (blog, id) => blog.call('DELETE', `/users/${id}`, blog.asKey),
    ]

    /** Runs a check with a new operator for each way in which one can lose the role. */
    async function forEachEnd(
      check: (blog: Blog, olga: Person, end: () => Promise<unknown>) => Promise<void>,
    ) {
      const blog = await share()
      for (const end of ENDS) {
        const olga = await addOperator(blog, 'olga')
        await check(blog, olga, () => end(blog, olga.id))
      }
    }

    test('the sessions and JWTs opened by that operator in other accounts have ended', () =>
      forEachEnd(async (blog, olga, end) => {
        const session = await signInAs(blog, olga, blog.bob.id)
        const opened = [session, await jwtOf(blog, session)]
        for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(200)
        await end()
        for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(401)
      }))

    test('realtime connections of such sessions are closed', () =>
      forEachEnd(async (blog, olga, end) => {
        const session = await signInAs(blog, olga, blog.bob.id)
        using socket = await openConnectedSocket(blog, { ...session, channels: ['account'] })
        await end()
        expect(await socket.closed).toBe(3000)
      }))

    test('links by that operator to other accounts are void', () =>
      forEachEnd(async (blog, olga, end) => {
        const as = { cookie: olga.cookie }
        const answer = await blog.call('POST', `/users/${blog.bob.id}/links`, as)
        await end()
        expect(await statusOf(blog, '/account', await redeem(blog, answer.body.url))).toBe(401)
      }))

    test('sessions that others have opened in the same account continue', () =>
      forEachEnd(async (blog, olga, end) => {
        const lasting = await signInAs(blog, blog.alice, blog.bob.id)
        await signInAs(blog, olga, blog.bob.id)
        await end()
        expect(await statusOf(blog, '/account', lasting)).toBe(200)
        expect(await statusOf(blog, '/account', { cookie: blog.bob.cookie })).toBe(200)
      }))

    test('invitations by that operator to become an operator are void', () =>
      forEachEnd(async (blog, olga, end) => {
        const invited = await blog.call('POST', '/invitations', {
          cookie: olga.cookie,
          body: { email: `friend.of.${olga.email}`, role: 'operator' },
        })
        await end()
        const secret = new URL(invited.body.url).searchParams.get('secret')
        const proof = { userId: invited.body.$id, secret }
        expect((await blog.call('POST', '/account/invitation', { body: proof })).status).toBe(401)
      }))
  })
}

describe('roles that are changed directly in the database', () => {
  /** A session of olga, an operator, in the account of a new author. */
  async function start() {
    const blog = await sharedBlog()
    const author = await blog.makePerson('author')
    const olga = await addOperator(blog, 'olga')
    const session = await signInAs(blog, olga, author.id)
    const setLabels = async (id: string, label: string) => {
      const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
      const labels = JSON.stringify([label])
      await db.updateTable('user').set({ labels }).where('id', '=', id).execute()
      await db.destroy()
    }
    return { blog, author, olga, session, setLabels }
  }

  test('take effect at the next request', async () => {
    const { blog, author, setLabels } = await start()
    await setLabels(author.id, 'operator')
    expect(await mayRun(blog, { cookie: author.cookie })).toBe(200)
  })

  test('give no rights to a session that another operator has opened, or to its JWT', async () => {
    const { blog, author, session, setLabels } = await start()
    await setLabels(author.id, 'operator')
    expect([await statusOf(blog, '/account', session), await mayRun(blog, session)]).toEqual([
      200, 401,
    ])
    expect(await mayRun(blog, await jwtOf(blog, session))).toBe(401)
  })

  test('when lost end the sessions that an operator has opened in other accounts', async () => {
    const { blog, olga, session, setLabels } = await start()
    await setLabels(olga.id, 'author')
    expect(await statusOf(blog, '/account', session)).toBe(401)
  })
})

test('a JWT that the key has created keeps the role from the time of its creation', async () => {
  const blog = await sharedBlog()
  const author = await blog.makePerson('author')
  const make = async (): Promise<Caller> => {
    const path = `/users/${author.id}/jwts`
    const { body } = await blog.call('POST', path, { ...blog.asKey, body: {} })
    return { headers: { 'x-appwrite-jwt': body.jwt } }
  }
  const before = await make()
  await blog.setRole(author.id, 'operator')
  expect([await statusOf(blog, '/account', before), await mayRun(blog, before)]).toEqual([200, 401])
  expect(await mayRun(blog, await make())).toBe(200)
})

describe('an account without a password', () => {
  // Without a password, only a fresh session proves who the user is.
  async function start() {
    const blog = await sharedBlog()
    const { status, body } = await blog.call('POST', '/users', {
      ...blog.asKey,
      body: { userId: 'unique()', email: `vera${++veras}@example.test`, name: 'Vera' },
    })
    expect(status).toBe(201)
    return { blog, id: String(body.$id) }
  }
  let veras = 0
  const password = 'a lantern for vera'

  test('cannot be taken over by an operator in a session from a link', async () => {
    const { blog, id } = await start()
    const session = await signInAs(blog, blog.alice, id)
    for (const [method, path, body] of [
      ['PATCH', '/account/password', { password }],
      ['PATCH', '/account/email', { email: 'alice2@example.test', password }],
      ['DELETE', '/account', {}],
      ['PATCH', '/account/status', {}],
      ['DELETE', '/account/identities/any', {}],
    ] as const)
      expect([path, (await blog.call(method, path, { ...session, body })).body.type]).toEqual([
        path,
        'user_unauthorized',
      ])
  })

  test('can get its first password in a session from a token by the key', async () => {
    const { blog, id } = await start()
    const { body } = await blog.call('POST', `/users/${id}/tokens`, { ...blog.asKey, body: {} })
    const answer = await blog.call('POST', '/account/sessions/token', {
      body: { userId: id, secret: body.secret },
    })
    const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    const set = await blog.call('PATCH', '/account/password', { cookie, body: { password } })
    expect(set.status).toBe(200)
  })
})

test('a mailed link that an operator has copied counts as a link by that operator', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { bob } = blog
  const olga = await addOperator(blog, 'olga')
  const asOlga = { cookie: olga.cookie }
  const body = { userId: 'unique()', email: bob.email }
  const open = async () => {
    await blog.call('POST', '/account/sessions/magic-url', { body })
    const list = async () => (await blog.call('GET', '/operator/mails', asOlga)).body.list
    await expect.poll(async () => (await list()).length).toBe(1)
    const [mail] = await list()
    const copied = await blog.call('POST', `/operator/mails/${mail.$id}/link`, asOlga)
    return redeem(blog, copied.body.link)
  }
  const session = await open()
  expect(await statusOf(blog, '/account', session)).toBe(200)
  await blog.setRole(olga.id, 'author')
  expect(await statusOf(blog, '/account', session)).toBe(401)
})

test('a session from a link does not make the browser known to the account', async () => {
  const blog = await sharedBlog()
  const { body } = await blog.call('POST', `/users/${blog.bob.id}/links`, blog.asAlice)
  const { searchParams } = new URL(body.url)
  const proof = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  const answer = await blog.call('POST', '/account/sessions/token', { body: proof })
  expect(answer.headers.getSetCookie().map((line) => line.split('_')[1])).toEqual(['session'])
})

describe('Activity', () => {
  test('names the operator behind a link to an account when it is used', async () => {
    const blog = await sharedBlog()
    await signInAs(blog, blog.alice, blog.bob.id)
    const [used] = await blog.activity('?kind=people')
    expect(used).toMatchObject({
      action: 'linkUsed',
      actorName: 'bob',
      details: { madeBy: 'alice' },
    })
  })

  /** A session that the key has opened in the account of alice. */
  async function signInByKey() {
    const blog = await sharedBlog()
    const { body } = await blog.call('POST', `/users/${blog.alice.id}/sessions`, {
      ...blog.asKey,
      body: {},
    })
    return { blog, session: { headers: { 'x-appwrite-session': String(body.secret) } } }
  }

  test('records that the key has signed in as an operator', async () => {
    const { blog } = await signInByKey()
    expect((await blog.activity())[0]).toMatchObject({
      action: 'signedIn',
      actor: 'key',
      actorName: '',
      details: { as: 'alice' },
    })
  })

  test('names the key as the actor of changes in a session that it has opened', async () => {
    const { blog, session } = await signInByKey()
    await blog.call('PATCH', '/site', { ...session, body: { siteName: 'Lamps' } })
    expect((await blog.activity())[0]).toMatchObject({
      action: 'changed',
      actor: 'key',
      actorId: '',
      details: { as: 'alice', after: 'Lamps' },
    })
  })
})
