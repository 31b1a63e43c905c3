// Sessions in somebody's account that an operator or the API key has opened: they have no more
// rights than the account had then, and end with the role of that operator.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Person } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { openConnectedSocket } from '#test/support/realtime.ts'

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

/** By a link that this operator makes. */
async function signInAs(blog: Blog, operator: Person, userId: string): Promise<Caller> {
  const made = await blog.call('POST', `/users/${userId}/links`, { cookie: operator.cookie })
  return redeem(blog, made.body.url)
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
  test(`a promotion ends what others have opened in the account, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { alice, bob, reader } = blog
    const unused = (await blog.call('POST', `/users/${bob.id}/links`, blog.asAlice)).body.url
    const opened = [await signInAs(blog, alice, bob.id)]
    const { body } = await blog.call('POST', `/users/${bob.id}/sessions`, {
      ...blog.asKey,
      body: {},
    })
    opened.push({ headers: { 'x-appwrite-session': body.secret } })
    for (const session of [...opened]) opened.push(await jwtOf(blog, session))
    for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(200)
    await blog.setRole(bob.id, 'operator')
    for (const as of opened) {
      expect(await statusOf(blog, '/account', as)).toBe(401)
      expect(await mayRun(blog, as)).toBe(401)
    }
    expect(await statusOf(blog, '/account', await redeem(blog, unused))).toBe(401)
    expect(await mayRun(blog, { cookie: bob.cookie })).toBe(200)

    const asReader = await signInAs(blog, alice, reader.id)
    await blog.call('PUT', `/users/${reader.id}/labels`, {
      ...blog.asKey,
      body: { labels: ['author'] },
    })
    expect(await statusOf(blog, '/account', asReader)).toBe(401)
    expect(await statusOf(blog, '/account', { cookie: reader.cookie })).toBe(200)
  })

  test(`what an operator has opened ends with the role, a block or the account, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { bob, alice, asKey } = blog
    const lasting = await signInAs(blog, alice, bob.id)
    const ways = [
      (id: string) => blog.setRole(id, 'author'),
      (id: string) => blog.call('PUT', `/users/${id}/labels`, { ...asKey, body: { labels: [] } }),
      (id: string) =>
        blog.call('PATCH', `/users/${id}/status`, { ...asKey, body: { status: false } }),
      (id: string) => blog.call('DELETE', `/users/${id}`, asKey),
    ]
    for (const [at, end] of ways.entries()) {
      const olga = await addOperator(blog, `olga${at}`)
      const session = await signInAs(blog, olga, bob.id)
      const opened = [session, await jwtOf(blog, session)]
      const made = await blog.call('POST', `/users/${bob.id}/links`, { cookie: olga.cookie })
      const body = { email: `friend${at}@example.test`, role: 'operator' }
      const invited = await blog.call('POST', '/invitations', { cookie: olga.cookie, body })
      const line = await openConnectedSocket(blog, { ...session, channels: ['account'] })
      for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(200)
      await end(olga.id)
      for (const as of opened) expect(await statusOf(blog, '/account', as)).toBe(401)
      expect(await line.closed).toBe(3000)
      expect(await statusOf(blog, '/account', await redeem(blog, made.body.url))).toBe(401)
      const secret = new URL(invited.body.url).searchParams.get('secret')
      const proof = { userId: invited.body.$id, secret }
      expect((await blog.call('POST', '/account/invitation', { body: proof })).status).toBe(401)
    }
    expect(await statusOf(blog, '/account', lasting)).toBe(200)
    expect(await statusOf(blog, '/account', { cookie: bob.cookie })).toBe(200)
  })
}

test('roles that change in the database alone count at the next request', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { bob } = blog
  const olga = await addOperator(blog, 'olga')
  const session = await signInAs(blog, olga, bob.id)
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const setLabels = (id: string, label: string) =>
    db
      .updateTable('user')
      .set({ labels: JSON.stringify([label]) })
      .where('id', '=', id)
      .execute()
  await setLabels(bob.id, 'operator')
  expect(await mayRun(blog, { cookie: bob.cookie })).toBe(200)
  expect([await statusOf(blog, '/account', session), await mayRun(blog, session)]).toEqual([
    200, 401,
  ])
  expect(await mayRun(blog, await jwtOf(blog, session))).toBe(401)
  await setLabels(olga.id, 'author')
  expect(await statusOf(blog, '/account', session)).toBe(401)
})

test('a JWT that the key has made keeps the role of its time', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { bob, asKey } = blog
  const make = async (): Promise<Caller> => {
    const { body } = await blog.call('POST', `/users/${bob.id}/jwts`, { ...asKey, body: {} })
    return { headers: { 'x-appwrite-jwt': body.jwt } }
  }
  const before = await make()
  await blog.setRole(bob.id, 'operator')
  expect([await statusOf(blog, '/account', before), await mayRun(blog, before)]).toEqual([200, 401])
  expect(await mayRun(blog, await make())).toBe(200)
})

test('an operator in a link’s session takes no account over', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { alice, asKey } = blog
  // Without a password a fresh session is the only proof.
  const made = await blog.call('POST', '/users', {
    ...asKey,
    body: { userId: 'vera', email: 'vera@example.test', name: 'Vera' },
  })
  expect(made.status).toBe(201)
  const session = await signInAs(blog, alice, 'vera')
  const password = 'a lantern for vera'
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
  const { body } = await blog.call('POST', '/users/vera/tokens', { ...asKey, body: {} })
  const own = await blog.call('POST', '/account/sessions/token', {
    body: { userId: 'vera', secret: body.secret },
  })
  const [cookie = ''] = own.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const set = await blog.call('PATCH', '/account/password', { cookie, body: { password } })
  expect(set.status).toBe(200)
})

test('a mailed link that an operator has copied counts as that operator’s', async () => {
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

test('a link’s session makes no browser known to the account', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { body } = await blog.call('POST', `/users/${blog.bob.id}/links`, blog.asAlice)
  const { searchParams } = new URL(body.url)
  const proof = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  const answer = await blog.call('POST', '/account/sessions/token', { body: proof })
  expect(answer.headers.getSetCookie().map((line) => line.split('_')[1])).toEqual(['session'])
})

test('Activity names who acts in the session of an operator', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { alice, bob, asKey, activity } = blog
  await signInAs(blog, alice, bob.id)
  const [used] = await activity('?kind=people')
  expect(used).toMatchObject({ action: 'linkUsed', actorName: 'bob', details: { madeBy: 'alice' } })
  const { body } = await blog.call('POST', `/users/${alice.id}/sessions`, { ...asKey, body: {} })
  const session = { headers: { 'x-appwrite-session': body.secret } }
  expect((await activity())[0]).toMatchObject({
    action: 'signedIn',
    actor: 'key',
    actorName: '',
    details: { as: 'alice' },
  })
  await blog.call('PATCH', '/site', { ...session, body: { siteName: 'Lamps' } })
  expect((await activity())[0]).toMatchObject({
    action: 'changed',
    actor: 'key',
    actorId: '',
    details: { as: 'alice', after: 'Lamps' },
  })
})
