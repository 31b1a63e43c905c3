// People and sessions on both databases: what must be unique, what a race may not do, what a
// look-up costs.
import { createQueryId, type RootOperationNode, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { SESSIONS_PER_USER } from '#contract/limits.ts'
import { DATABASES } from '#test/support/databases.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { hashSecret } from '../process/ids.ts'
import { makeLog } from '../process/log.ts'
import { makeUserRow } from './new-user.ts'
import { parseToken } from './session-tokens.ts'
import { addSession, aliveAt } from './sessions.ts'
import * as store from './user-store.ts'

const background = makeBackground(makeLog('silent'))
const NOW = new Date('2026-03-01T12:00:00.000Z')
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

function makeUser(id: string, changes: Partial<UserRow> = {}): UserRow {
  return {
    ...makeUserRow(
      { id, name: id, email: `${id}@example.test`, passwordHash: `hash of ${id}` },
      NOW,
    ),
    ...changes,
  }
}

function signIn(db: Database, userId: string, now = NOW) {
  return inTransaction(db, background, async (tx) => {
    const isHeld = await store.holdForSignIn(tx, userId, {
      passwordHash: `hash of ${userId}`,
      accessedAt: now.toISOString(),
    })
    return isHeld
      ? addSession(tx, { userId, provider: 'email', providerUid: '' }, { caller: CALLER, now })
      : undefined
  })
}

const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const daysLater = (days: number) => minutesLater(days * 24 * 60)

describe.each(DATABASES)('accounts on %s', (name, open) => {
  test('a person is found by id and by e-mail, as stored', async () => {
    await using opened = await open()
    const alice = makeUser('alice', { name: '<b>Älice</b> 💡', prefs: '{"a":"\\u0000"}' })
    await store.insertUser(opened.db, alice)
    expect(await store.findUser(opened.db, 'alice')).toEqual(alice)
    expect(await store.findUserByEmail(opened.db, 'alice@example.test')).toEqual(alice)
    expect(await store.findUser(opened.db, 'Alice')).toBe(undefined)
    expect(await store.findUserByEmail(opened.db, '%')).toBe(undefined)
  })

  test.each([
    { clash: 'id', user: makeUser('alice', { email: 'other@example.test' }) },
    { clash: 'e-mail', user: makeUser('other', { email: 'alice@example.test' }) },
  ])('two people never share an $clash', async ({ user }) => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    expect(await store.isTaken(opened.db, { userId: user.id, email: user.email })).toBe(true)
    const fault = await store.insertUser(opened.db, user).catch((error: unknown) => error)
    expect(isUniqueFault(fault)).toBe(true)
    expect(await opened.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'alice' }])
    expect(await store.isTaken(opened.db, { userId: 'bob', email: 'bob@example.test' })).toBe(false)
  })

  test('prefs are replaced and the row comes back; nobody’s are not', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    const change = { prefs: '{"theme":"dark"}', updatedAt: minutesLater(1).toISOString() }
    expect(await store.changeUser(opened.db, 'alice', change)).toEqual(makeUser('alice', change))
    expect(await store.changeUser(opened.db, 'nobody', change)).toBe(undefined)
  })

  test('of a session’s secret only the hash is kept, and one read finds its person', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice', { isVerified: 1 }))
    const started = await signIn(opened.db, 'alice')
    const secret = parseToken(started?.token ?? '')?.secret ?? ''
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const rows = await opened.db.selectFrom('session').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows[0]?.secretHash).toBe(hashSecret(secret))
    expect(await store.findSessionOwner(opened.db, hashSecret(secret))).toEqual({
      id: started?.session.id,
      userId: 'alice',
      secretHash: hashSecret(secret),
      lastUsedAt: NOW.toISOString(),
      expiresAt: daysLater(30).toISOString(),
      email: 'alice@example.test',
      name: 'alice',
      isVerified: 1,
      isBlocked: 0,
      accessedAt: NOW.toISOString(),
    })
    expect(await store.findSessionOwner(opened.db, secret)).toBe(undefined)
  })

  test.each([
    { why: 'the password has changed', change: { passwordHash: 'another' } },
    { why: 'the person was blocked', change: { isBlocked: 1 } },
  ])('no session starts when meanwhile $why', async ({ change }) => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice', change))
    expect(await signIn(opened.db, 'alice')).toBe(undefined)
    expect(await opened.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('thirty sign-ins at once leave exactly the allowed number of sessions, and nobody else’s is touched', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await store.insertUser(opened.db, makeUser(id))
    const bobs = await signIn(opened.db, 'bob')
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(opened.db, 'alice', minutesLater(index))),
    )
    const left = await opened.db.selectFrom('session').select(['userId']).execute()
    expect(left.filter(({ userId }) => userId === 'alice')).toHaveLength(SESSIONS_PER_USER)
    expect(await store.listSessions(opened.db, 'bob', aliveAt(NOW))).toEqual([bobs?.session])
  })

  test('one sign-in more drops the oldest session, and those that ended', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    const ended = await signIn(opened.db, 'alice', daysLater(-31))
    const started: string[] = []
    for (let index = 0; index <= SESSIONS_PER_USER; index++)
      started.push((await signIn(opened.db, 'alice', minutesLater(index)))?.session.id ?? '')
    const left = (await opened.db.selectFrom('session').select('id').execute()).map(({ id }) => id)
    expect(left.toSorted()).toEqual(started.slice(1).toSorted())
    expect(left).not.toContain(ended?.session.id)
  })

  test('a list holds only sessions that live, newest first', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    const first = await signIn(opened.db, 'alice', NOW)
    const second = await signIn(opened.db, 'alice', daysLater(1))
    const at = async (days: number) =>
      (await store.listSessions(opened.db, 'alice', aliveAt(daysLater(days)))).map(({ id }) => id)
    expect(await at(2)).toEqual([second?.session.id, first?.session.id])
    expect(await at(14.5)).toEqual([second?.session.id])
    await store.setLastUsedAt(opened.db, second?.session.id ?? '', daysLater(14).toISOString())
    expect(await at(16)).toEqual([second?.session.id])
    await store.setLastUsedAt(opened.db, second?.session.id ?? '', daysLater(30).toISOString())
    expect(await at(30.9)).toEqual([second?.session.id])
    expect(await at(31.1)).toEqual([])
  })

  test('a session is ended only by its own person', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await store.insertUser(opened.db, makeUser(id))
    const { session } = (await signIn(opened.db, 'alice')) ?? {}
    expect(await store.deleteSession(opened.db, 'bob', session?.id ?? '')).toBe(false)
    expect(await store.listSessions(opened.db, 'alice', aliveAt(NOW))).toEqual([session])
    expect(await store.deleteSession(opened.db, 'alice', session?.id ?? '')).toBe(true)
    expect(await store.deleteSession(opened.db, 'alice', session?.id ?? '')).toBe(false)
  })

  test('all of a person’s sessions end together, and with the person', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await store.insertUser(opened.db, makeUser(id))
    for (const id of ['alice', 'alice', 'bob']) await signIn(opened.db, id)
    await store.deleteSessions(opened.db, 'alice')
    expect(await opened.db.selectFrom('session').select('userId').execute()).toEqual([
      { userId: 'bob' },
    ])
    await opened.db.deleteFrom('user').where('id', '=', 'bob').execute()
    expect(await opened.db.selectFrom('session').select('userId').execute()).toEqual([])
  })

  test('a hash is upgraded only while it is still the one that was checked', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    await store.upgradeHash(opened.db, 'alice', { from: 'an older one', to: 'lost' })
    expect((await store.findUser(opened.db, 'alice'))?.passwordHash).toBe('hash of alice')
    await store.upgradeHash(opened.db, 'alice', { from: 'hash of alice', to: 'stronger' })
    expect((await store.findUser(opened.db, 'alice'))?.passwordHash).toBe('stronger')
  })

  test.runIf(name === 'SQLite')('finding who asks reads no whole table', async () => {
    await using opened = await open()
    const nodes: RootOperationNode[] = []
    const watched = opened.db.withPlugin({
      transformQuery: ({ node }) => {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await store.findSessionOwner(watched, 'x')
    const texts = nodes.map((node) =>
      opened.db.getExecutor().compileQuery(node, createQueryId()).sql.replaceAll('?', "'x'"),
    )
    expect(texts).toHaveLength(1)
    const { rows } = await sql<{
      detail: string
    }>`explain query plan ${sql.raw(texts[0] ?? '')}`.execute(opened.db)
    const steps = rows.map(({ detail }) => detail)
    expect(steps).toHaveLength(2)
    expect(steps.filter((step) => !step.startsWith('SEARCH'))).toEqual([])
  })
})
