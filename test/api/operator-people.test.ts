// Users as operators see them: search, roles, states, links that sign in, invitations with a role;
// and Activity, which nobody can change.
import { describe, expect, test } from 'vitest'
import type { OperatorPeople } from '#contract/operator.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES, testEachDatabase } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [kind, tags] of DATABASES)
  describe(`the users that operators list, on ${kind}`, { tags }, () => {
    const share = shareBlog(async () => {
      const blog = await openBlogWithRoles(kind)
      const { bob, asAlice } = blog
      const body = { email: 'paula@example.test', role: 'reader' }
      await blog.call('POST', '/invitations', { ...asAlice, body })
      await blog.post(bob)
      await blog.call('PATCH', '/account/name', { cookie: bob.cookie, body: { name: 'Özil Bob' } })
      const people = async (query: string): Promise<OperatorPeople> =>
        (await blog.call('GET', `/operator/people?${query}`, asAlice)).body
      return {
        ...blog,
        people,
        /** The part before the `@` of each listed address. */
        emails: async (query: string) =>
          (await people(query)).list.map(({ email }) => email.split('@')[0]),
      }
    })

    test('start with the invited ones, followed by the newest', async () => {
      const { emails, people } = await share()
      expect(await emails('')).toEqual(['paula', 'otto', 'rita', 'bob', 'alice'])
      expect((await people('')).total).toBe(5)
    })

    test('can be found by the beginning of a name or an email address', async () => {
      const { emails, people } = await share()
      expect(await emails('search=PAU')).toEqual(['paula'])
      for (const search of ['özil', 'Öz', 'BO'])
        expect(await emails(`search=${search}`)).toEqual(['bob'])
      expect(await emails('search=example')).toEqual([])
      const nobody = await people('search=nobody')
      expect(nobody).toMatchObject({ total: 0, people: 4, pages: 1, list: [] })
    })

    test('can be found by role and by state', async () => {
      const { emails } = await share()
      expect(await emails('role=operator')).toEqual(['otto', 'alice'])
      expect(await emails('role=reader')).toEqual(['paula', 'rita'])
      expect(await emails('role=operator&state=active')).toEqual(['alice'])
      expect(await emails('state=blocked')).toEqual(['otto'])
      expect(await emails('state=invited')).toEqual(['paula'])
      expect(await emails('state=unverified&search=r')).toEqual(['rita'])
    })

    test('cannot be listed by an unknown role, state or page, or by too long a text', async () => {
      const { call, asAlice } = await share()
      for (const wrong of ['role=king', 'state=gone', 'page=0', `search=${'x'.repeat(201)}`])
        expect((await call('GET', `/operator/people?${wrong}`, asAlice)).status).toBe(400)
    })

    test('have a role and a state, and show who invited or blocked them', async () => {
      const { people, alice } = await share()
      const [paula, otto, , bob] = (await people('')).list
      expect(paula).toMatchObject({
        state: 'invited',
        role: 'reader',
        done: { byId: alice.id, byName: 'alice' },
      })
      expect(otto).toMatchObject({ state: 'blocked', done: { byId: '', byName: '' } })
      expect(bob).toMatchObject({ role: 'author', state: 'active' })
    })

    test('show how much each has written', async () => {
      const { people, bob, call, asAlice } = await share()
      expect((await people('search=bob')).list).toMatchObject([{ posts: 1, comments: 0 }])
      const content = await call('GET', `/operator/people/${bob.id}/content`, asAlice)
      expect(content.body).toEqual({ posts: 1, comments: 0, files: 1 })
    })
  })

for (const [kind, tags] of DATABASES)
  describe(`a link that an operator creates, on ${kind}`, { tags }, () => {
    const shareOperated = shareBlog(() => openBlogWithRoles(kind))

    async function start() {
      const blog = await shareOperated()
      const carla = await blog.makePerson('carla')
      return {
        ...blog,
        carla,
        make: (id: string, caller: object = blog.asAlice) =>
          blog.call('POST', `/users/${id}/links`, caller),
        use(url: string) {
          const { searchParams } = new URL(url)
          const body = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
          return blog.call('POST', '/account/sessions/token', { body })
        },
      }
    }

    test('signs in once', async () => {
      const { carla, make, use } = await start()
      const { url } = (await make(carla.id)).body
      expect(new URL(url).pathname).toBe('/auth/magic-url')
      expect((await use(url)).status).toBe(201)
      expect(await use(url)).toMatchObject({ status: 401 })
    })

    test('no longer signs in when it is withdrawn, which is possible once', async () => {
      const { carla, make, use, call, asAlice } = await start()
      const { $id, url } = (await make(carla.id)).body
      const withdraw = () => call('DELETE', `/users/${carla.id}/links/${$id}`, asAlice)
      expect((await withdraw()).status).toBe(204)
      expect((await withdraw()).status).toBe(401)
      expect((await use(url)).status).toBe(401)
    })

    test('expires after an hour', async () => {
      const { carla, make, use, passTime } = await start()
      const { url } = (await make(carla.id)).body
      passTime(61 * 60_000)
      expect((await use(url)).status).toBe(401)
    })

    test('is refused for an operator, except to the key, and for a blocked user', async () => {
      const { alice, carla, blocked, make, setRole, asKey } = await start()
      expect((await make(alice.id)).body.type).toBe('user_unauthorized')
      expect((await make(blocked.id)).body.type).toBe('user_blocked')
      await setRole(carla.id, 'operator')
      expect((await make(carla.id)).body.type).toBe('user_unauthorized')
      expect((await make(carla.id, asKey)).status).toBe(201)
    })

    test('no longer signs in once the user is an operator', async () => {
      const { carla, make, use, setRole } = await start()
      const { url } = (await make(carla.id)).body
      await setRole(carla.id, 'operator')
      expect((await use(url)).status).toBe(401)
    })

    test('is recorded in Activity when it is created and when it is used', async () => {
      const { carla, make, use, activity } = await start()
      const { $id, url } = (await make(carla.id)).body
      await use(url)
      const entries = await activity('?kind=people')
      const ofLink = entries.filter(({ subjectId }) => subjectId === $id)
      expect(ofLink.map(({ action }) => action)).toEqual(['linkUsed', 'linkMade'])
      expect(ofLink[0]).toMatchObject({ actorName: 'carla', details: { address: '127.0.0.1' } })
    })
  })

const shareOperated = shareBlog(() => openBlogWithRoles('SQLite'))

test('a user who was invited with a role has it', async () => {
  const { asAlice, call, activity } = await shareOperated()
  const body = { email: 'paula@example.test', role: 'operator' }
  const { url } = (await call('POST', '/invitations', { ...asAlice, body })).body
  const { searchParams } = new URL(url)
  const account = { email: body.email, password: 'paula likes lamps', name: 'Paula' }
  const proof = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  const answer = await call('POST', '/account', { body: { ...account, ...proof } })
  expect(answer.body.labels).toEqual(['operator'])
  const [joined] = await activity()
  expect(joined).toMatchObject({ action: 'joined', actorName: 'Paula', subjectName: 'Paula' })
})

test('operators see neither prefs nor hashes, and members see only the name and id', async () => {
  const { asAlice, alice, call, makePerson } = await shareOperated()
  const carla = await makePerson('carla')
  const body = { prefs: { a: 'secret' } }
  await call('PATCH', '/account/prefs', { cookie: carla.cookie, body })
  const { body: account } = await call('GET', `/users/${carla.id}`, asAlice)
  expect(account).toMatchObject({ email: carla.email, prefs: {}, password: '', hash: '' })
  const list = await call('GET', '/users', asAlice)
  expect(list.bytes.toString()).not.toContain('secret')
  const ofAlice = await call('GET', `/users/${alice.id}`, { cookie: carla.cookie })
  expect(ofAlice.body).toEqual({ $id: alice.id, name: 'alice' })
})

test('Activity records a changed setting with its value before and after', async () => {
  const { asAlice, call, activity } = await shareOperated()
  const before = (await call('GET', '/site', asAlice)).body.siteName
  const siteName = `${before} by night`
  await call('PATCH', '/site', { ...asAlice, body: { siteName, registration: 'open' } })
  const [changed] = await activity('?kind=settings')
  expect(changed).toMatchObject({
    action: 'changed',
    subjectName: 'siteName',
    details: { before, after: siteName },
  })
})

test('Activity can be searched by the words of a reason', async () => {
  const { asAlice, call, activity, makePerson } = await shareOperated()
  const { id } = await makePerson('carla')
  const reason = '@noise'
  await call('PATCH', `/users/${id}/status`, { ...asAlice, body: { status: false, reason } })
  expect(await activity('?search=NOISE')).toMatchObject([{ subjectId: id, details: { reason } }])
  expect(await activity('?search=nothing')).toEqual([])
})

test('Activity can be downloaded as a table with no cell that is a formula', async () => {
  const { asAlice, call, makePerson } = await shareOperated()
  const { id, cookie } = await makePerson('carla')
  await call('PATCH', '/account/name', { cookie, body: { name: '=1+2"' } })
  await call('PATCH', `/users/${id}/status`, { ...asAlice, body: { status: false } })
  const csv = await call('GET', '/operator/activity.csv', asAlice)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.body).toContain(`"'=1+2"""`)
  expect(csv.body.split('\r\n')[0]).toMatch(/^"time","actor"/)
})

test('Activity names a deleted account by its last name', async () => {
  const { asAlice, call, activity, makePerson } = await shareOperated()
  const { id, cookie } = await makePerson('carla')
  await call('PATCH', '/account/name', { cookie, body: { name: 'Carla the last' } })
  await call('DELETE', `/users/${id}`, asAlice)
  const [deleted] = await activity()
  expect(deleted).toMatchObject({ action: 'deleted', subjectName: 'Carla the last' })
})

test('Activity can be paged back to its beginning', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  for (let number = 0; number < 60; number++)
    await blog.call('PATCH', '/site', { ...blog.asAlice, body: { about: `Line ${number}` } })
  const page = async (cursor: string) =>
    (await blog.call('GET', `/operator/activity?kind=settings&cursor=${cursor}`, blog.asAlice)).body
  const first = (await blog.call('GET', '/operator/activity?kind=settings', blog.asAlice)).body
  const secondPage = await page(first.next)
  expect([first.list.length, secondPage.list.length, secondPage.next]).toEqual([50, 10, ''])
  const answer = await blog.call('GET', '/operator/activity?search=Line%205', blog.asAlice)
  expect(answer.body.list).toHaveLength(12)
  expect(answer.body.next).toBe('')
})

testEachDatabase('no row of Activity changes, or goes within a year', async (open) => {
  await using opened = await open()
  const row = (time: string) => ({
    time,
    actor: 'key',
    actorId: '',
    actorName: '',
    kind: 'people',
    action: 'role',
    subjectType: '',
    subjectId: '',
    subjectName: '',
    details: '{}',
  })
  const long = '2020-01-01T00:00:00.000Z'
  const lately = '2999-01-01T00:00:00.000Z'
  await opened.db
    .insertInto('activity')
    .values([row(long), row(lately)])
    .execute()
  const refusal = /never changed, and kept a year/
  await expect(
    opened.db.updateTable('activity').set({ action: 'blocked' }).execute(),
  ).rejects.toThrow(refusal)
  await expect(opened.db.deleteFrom('activity').execute()).rejects.toThrow(refusal)
  await opened.db.deleteFrom('activity').where('time', '=', long).execute()
  expect(await opened.db.selectFrom('activity').select('action').execute()).toHaveLength(1)
})
