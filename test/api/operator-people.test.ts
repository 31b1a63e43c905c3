// People as operators see them: search, roles, states, links that sign in, invitations with a role;
// and Activity, which nobody changes.
import { expect, test } from 'vitest'
import type { OperatorPeople, OperatorPerson } from '#contract/operator.ts'
import { DATABASES, testEachDatabase } from '#test/support/databases.ts'
import { openOperated } from '#test/support/operated-blog.ts'

for (const [kind, tags] of DATABASES)
  test(`people are found by beginnings, role and state, invited ones first, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openOperated(kind)
    const { alice, bob, asAlice } = blog
    const people = async (query: string): Promise<OperatorPeople> =>
      (await blog.call('GET', `/operator/people?${query}`, asAlice)).body
    const emails = async (query: string) =>
      (await people(query)).list.map(({ email }) => email.split('@')[0])
    const body = { email: 'paula@example.test', role: 'reader' }
    await blog.call('POST', '/invitations', { ...asAlice, body })
    await blog.post(bob)
    await blog.call('PATCH', '/account/name', { cookie: bob.cookie, body: { name: 'Özil Bob' } })

    expect(await emails('')).toEqual(['paula', 'otto', 'rita', 'bob', 'alice'])
    expect(await emails('search=PAU')).toEqual(['paula'])
    for (const search of ['özil', 'Öz', 'BO'])
      expect(await emails(`search=${search}`)).toEqual(['bob'])
    expect(await emails('search=example')).toEqual([])
    expect(await emails('role=operator')).toEqual(['otto', 'alice'])
    expect(await emails('role=reader')).toEqual(['paula', 'rita'])
    expect(await emails('role=operator&state=active')).toEqual(['alice'])
    expect(await emails('state=blocked')).toEqual(['otto'])
    expect(await emails('state=invited')).toEqual(['paula'])
    expect(await emails('state=unverified&search=r')).toEqual(['rita'])
    expect(await people('search=nobody')).toMatchObject({ total: 0, people: 4, pages: 1, list: [] })

    const { total, list } = await people('')
    const of = (name: string) => list.find(({ email }) => email.startsWith(name)) as OperatorPerson
    expect(total).toBe(5)
    expect(of('paula')).toMatchObject({
      state: 'invited',
      role: 'reader',
      done: { byId: alice.id, byName: 'alice' },
    })
    expect(of('otto')).toMatchObject({ state: 'blocked', done: { byId: '', byName: '' } })
    expect(of('bob')).toMatchObject({ posts: 1, comments: 0, role: 'author', state: 'active' })
    expect((await blog.call('GET', `/operator/people/${bob.id}/content`, asAlice)).body).toEqual({
      posts: 1,
      comments: 0,
      files: 1,
    })
    for (const wrong of ['role=king', 'state=gone', 'page=0', `search=${'x'.repeat(201)}`])
      expect((await blog.call('GET', `/operator/people?${wrong}`, asAlice)).status).toBe(400)
  })

for (const [kind, tags] of DATABASES)
  test(`a link signs in once, can be withdrawn, and is never one of an operator on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openOperated(kind)
    const { alice, bob, blocked, asAlice, asKey } = blog
    const make = (id: string, as: object = asAlice) => blog.call('POST', `/users/${id}/links`, as)
    const use = (url: string) => {
      const { searchParams } = new URL(url)
      const body = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
      return blog.call('POST', '/account/sessions/token', { body })
    }
    const first = (await make(bob.id)).body
    expect(new URL(first.url).pathname).toBe('/auth/magic-url')
    expect((await use(first.url)).status).toBe(201)
    expect((await use(first.url)).status).toBe(401)
    const second = (await make(bob.id)).body
    const withdraw = () => blog.call('DELETE', `/users/${bob.id}/links/${second.$id}`, asAlice)
    expect((await withdraw()).status).toBe(204)
    expect((await withdraw()).status).toBe(401)
    expect((await use(second.url)).status).toBe(401)
    const late = (await make(bob.id)).body
    blog.passTime(61 * 60_000)
    expect((await use(late.url)).status).toBe(401)

    expect((await make(alice.id)).body.type).toBe('user_unauthorized')
    expect((await make(blocked.id)).body.type).toBe('user_blocked')
    const before = (await make(bob.id)).body
    await blog.setRole(bob.id, 'operator')
    expect((await use(before.url)).status).toBe(401)
    expect((await make(bob.id)).body.type).toBe('user_unauthorized')
    expect((await make(bob.id, asKey)).status).toBe(201)

    const told = (await blog.activity('?kind=people')).filter(
      ({ subjectId }) => subjectId === first.$id,
    )
    expect(told.map(({ action }) => action)).toEqual(['linkUsed', 'linkMade'])
    expect(told[0]).toMatchObject({ actorName: 'bob', details: { address: '127.0.0.1' } })
  })

test('who was invited with a role has it, and operators never see prefs', async () => {
  await using blog = await openOperated('SQLite')
  const { asAlice, alice, bob } = blog
  const body = { email: 'paula@example.test', role: 'operator' }
  const { url } = (await blog.call('POST', '/invitations', { ...asAlice, body })).body
  const { searchParams } = new URL(url)
  const sent = { email: body.email, password: 'paula likes lamps', name: 'Paula' }
  const proof = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  const made = await blog.call('POST', '/account', { body: { ...sent, ...proof } })
  expect(made.body.labels).toEqual(['operator'])
  const [joined] = await blog.activity()
  expect(joined).toMatchObject({ action: 'joined', actorName: 'Paula', subjectName: 'Paula' })
  await blog.call('PATCH', '/account/prefs', {
    cookie: bob.cookie,
    body: { prefs: { a: 'secret' } },
  })
  const seen = (await blog.call('GET', `/users/${bob.id}`, asAlice)).body
  expect(seen).toMatchObject({ email: bob.email, prefs: {}, password: '', hash: '' })
  expect((await blog.call('GET', `/users/${alice.id}`, { cookie: bob.cookie })).body).toEqual({
    $id: alice.id,
    name: 'alice',
  })
  const list = await blog.call('GET', '/users', asAlice)
  expect(list.bytes.toString()).not.toContain('secret')
})

test('Activity tells changes with before and after, is searched, and is a table without formulas', async () => {
  await using blog = await openOperated('SQLite')
  const { asAlice, bob } = blog
  await blog.call('PATCH', '/site', {
    ...asAlice,
    body: { siteName: 'Lamps', registration: 'open' },
  })
  const [changed] = await blog.activity('?kind=settings')
  expect(changed).toMatchObject({
    action: 'changed',
    subjectName: 'siteName',
    details: { before: 'Web App', after: 'Lamps' },
  })
  await blog.call('PATCH', '/account/name', { cookie: bob.cookie, body: { name: '=1+2"' } })
  const reason = '@noise'
  const block = { ...asAlice, body: { status: false, reason } }
  await blog.call('PATCH', `/users/${bob.id}/status`, block)
  expect((await blog.activity('?search=NOISE'))[0]).toMatchObject({ details: { reason } })
  expect(await blog.activity('?search=nothing')).toEqual([])
  const csv = await blog.call('GET', '/operator/activity.csv', asAlice)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.body).toContain(`"'=1+2"""`)
  expect(csv.body.split('\r\n')[0]).toMatch(/^"time","actor"/)
  await blog.call('DELETE', `/users/${bob.id}`, asAlice)
  expect((await blog.activity())[0]).toMatchObject({ action: 'deleted', subjectName: '=1+2"' })
})

test('Activity is paged back to its beginning', async () => {
  await using blog = await openOperated('SQLite')
  for (let turn = 0; turn < 60; turn++)
    await blog.call('PATCH', '/site', { ...blog.asAlice, body: { about: `Line ${turn}` } })
  const page = async (cursor: string) =>
    (await blog.call('GET', `/operator/activity?kind=settings&cursor=${cursor}`, blog.asAlice)).body
  const first = (await blog.call('GET', '/operator/activity?kind=settings', blog.asAlice)).body
  const rest = await page(first.next)
  expect([first.list.length, rest.list.length, rest.next]).toEqual([50, 10, ''])
  const found = await blog.call('GET', '/operator/activity?search=Line%205', blog.asAlice)
  expect(found.body.list).toHaveLength(12)
  expect(found.body.next).toBe('')
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
  const kept = /never changed, and kept a year/
  await expect(
    opened.db.updateTable('activity').set({ action: 'blocked' }).execute(),
  ).rejects.toThrow(kept)
  await expect(opened.db.deleteFrom('activity').execute()).rejects.toThrow(kept)
  await opened.db.deleteFrom('activity').where('time', '=', long).execute()
  expect(await opened.db.selectFrom('activity').select('action').execute()).toHaveLength(1)
})
