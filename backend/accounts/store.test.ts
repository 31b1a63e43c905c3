// Sessions on both databases: races, what ends them, and the cost of finding one.

import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { makeBackground } from '../process/background.ts'
import { hashSecret } from '../process/ids.ts'
import { makeLog } from '../process/log.ts'
import { parseSessionToken } from './resolve-viewer.ts'
import { SESSIONS_PER_USER } from './sessions.ts'
import { startSession } from './sign-in.ts'
import * as store from './store.ts'
import { insertUser } from './store.ts'
import { makeUserRow } from './users.ts'

const _background = makeBackground(makeLog('silent'))
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
  const checked = makeUser(userId)
  return startSession(makeTestContext(db, { now: () => now }), checked, CALLER)
}

const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const daysLater = (days: number) => minutesLater(days * 24 * 60)

describeEachDatabase('sessions', (open, name) => {
  test('only the hash of a session’s secret is stored, and one query finds its user', async () => {
    await using opened = await open()
    await insertUser(opened.db, makeUser('alice', { isVerified: 1 }))
    const started = await signIn(opened.db, 'alice')
    const secret = parseSessionToken(started?.token ?? '')?.secret ?? ''
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const rows = await opened.db.selectFrom('session').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows[0]?.secretHash).toBe(hashSecret(secret))
    const owners = await store.findSessionsWithUsers(opened.db, [
      hashSecret(secret),
      'another',
      secret,
    ])
    expect([...owners.keys()]).toEqual([hashSecret(secret)])
    expect(owners.get(hashSecret(secret))).toEqual({
      id: started?.session.id,
      userId: 'alice',
      secretHash: hashSecret(secret),
      lastUsedAt: NOW.toISOString(),
      expiresAt: daysLater(30).toISOString(),
      email: 'alice@example.test',
      name: 'alice',
      isVerified: 1,
      isBlocked: 0,
      labels: '["author"]',
      accessedAt: NOW.toISOString(),
      openedBy: '',
      openedRole: '',
      openerName: null,
      openerLabels: null,
      openerIsBlocked: null,
    })
  })

  test.each([
    { why: 'the password has changed', change: { passwordHash: 'another' } },
    { why: 'the user was blocked', change: { isBlocked: 1 } },
  ])('no session starts when $why since the check', async ({ change }) => {
    await using opened = await open()
    await insertUser(opened.db, makeUser('alice', change))
    expect(await signIn(opened.db, 'alice')).toBe(undefined)
    expect(await opened.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('thirty sign-ins at once leave exactly the allowed number of sessions, and touch nobody else’s', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await insertUser(opened.db, makeUser(id))
    const bobs = await signIn(opened.db, 'bob')
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(opened.db, 'alice', minutesLater(index))),
    )
    const remaining = await opened.db.selectFrom('session').select(['userId']).execute()
    expect(remaining.filter(({ userId }) => userId === 'alice')).toHaveLength(SESSIONS_PER_USER)
    expect(await store.listSessions(opened.db, 'bob', NOW)).toEqual([bobs?.session])
  })

  test('one sign-in beyond the limit drops the oldest session and all expired ones', async () => {
    await using opened = await open()
    await insertUser(opened.db, makeUser('alice'))
    const ended = await signIn(opened.db, 'alice', daysLater(-31))
    const started: string[] = []
    for (let index = 0; index <= SESSIONS_PER_USER; index++)
      started.push((await signIn(opened.db, 'alice', minutesLater(index)))?.session.id ?? '')
    const remaining = (await opened.db.selectFrom('session').select('id').execute()).map(
      ({ id }) => id,
    )
    expect(remaining.toSorted()).toEqual(started.slice(1).toSorted())
    expect(remaining).not.toContain(ended?.session.id)
  })

  test('a list holds only active sessions, newest first', async () => {
    await using opened = await open()
    await insertUser(opened.db, makeUser('alice'))
    const first = await signIn(opened.db, 'alice', NOW)
    const second = await signIn(opened.db, 'alice', daysLater(1))
    const at = async (days: number) =>
      (await store.listSessions(opened.db, 'alice', daysLater(days))).map(({ id }) => id)
    const touch = (days: number) =>
      store.updateSession(
        opened.db,
        { id: second?.session.id ?? '' },
        {
          lastUsedAt: daysLater(days).toISOString(),
        },
      )
    expect(await at(2)).toEqual([second?.session.id, first?.session.id])
    expect(await at(14.5)).toEqual([second?.session.id])
    await touch(14)
    expect(await at(16)).toEqual([second?.session.id])
    await touch(30)
    expect(await at(30.9)).toEqual([second?.session.id])
    expect(await at(31.1)).toEqual([])
  })

  test('only its own user can end a session', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await insertUser(opened.db, makeUser(id))
    const { session } = (await signIn(opened.db, 'alice')) ?? {}
    const id = session?.id ?? ''
    expect(await store.deleteSessions(opened.db, 'bob', { id })).toEqual([])
    expect(await store.listSessions(opened.db, 'alice', NOW)).toEqual([session])
    expect(await store.deleteSessions(opened.db, 'alice', { id })).toEqual([session])
    expect(await store.deleteSessions(opened.db, 'alice', { id })).toEqual([])
  })

  test('all of a user’s sessions end together, and with the user', async () => {
    await using opened = await open()
    for (const id of ['alice', 'bob']) await insertUser(opened.db, makeUser(id))
    for (const id of ['alice', 'alice', 'bob']) await signIn(opened.db, id)
    await store.deleteSessions(opened.db, 'alice')
    expect(await opened.db.selectFrom('session').select('userId').execute()).toEqual([
      { userId: 'bob' },
    ])
    await opened.db.deleteFrom('user').where('id', '=', 'bob').execute()
    expect(await opened.db.selectFrom('session').select('userId').execute()).toEqual([])
  })

  test.runIf(name === 'SQLite')('finding the viewer reads no whole table', async () => {
    await using opened = await open()
    const texts: string[] = []
    const watched = new Proxy(opened.db, {
      get(db, name) {
        if (name !== 'executeQuery') {
          const value = Reflect.get(db, name, db)
          return typeof value === 'function' ? value.bind(db) : value
        }
        return (query: CompiledQuery) => {
          texts.push(query.sql.replaceAll('?', "'x'"))
          return db.executeQuery(query)
        }
      },
    })
    await store.findSessionsWithUsers(watched, ['x'])
    expect(texts).toHaveLength(1)
    const { rows } = await sql<{
      detail: string
    }>`explain query plan ${sql.raw(texts[0] ?? '')}`.execute(opened.db)
    const steps = rows.map(({ detail }) => detail)
    expect(steps.filter((step) => step.startsWith('SEARCH'))).toHaveLength(3)
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([
      expect.stringContaining('VIRTUAL TABLE'),
    ])
  })

  test('a session with a new secret is found by it alone; the other sessions end', async () => {
    await using opened = await open()
    const { db } = opened
    await insertUser(db, makeUser('alice'))
    const time = NOW.toISOString()
    const tokens = {
      providerAccessToken: '',
      providerAccessTokenExpiresAt: '',
      providerRefreshToken: '',
    }
    const origin = { userId: 'alice', provider: 'email', providerUid: '' }
    const session = { ...origin, ...tokens, openedBy: '', openedRole: '' }
    for (const id of ['s1', 's2', 's3']) {
      const dates = { createdAt: time, lastUsedAt: time, expiresAt: minutesLater(60).toISOString() }
      await store.insertSession(db, {
        ...session,
        ...dates,
        id,
        secretHash: `hash of ${id}`,
        ip: '',
        userAgent: '',
      })
    }
    expect(await store.updateSession(db, { id: 's2' }, { secretHash: 'new hash' })).toMatchObject({
      id: 's2',
      secretHash: 'new hash',
    })
    expect(await store.updateSession(db, { id: 's9' }, { secretHash: 'another' })).toBe(undefined)
    await store.deleteSessions(db, 'alice', { exceptIds: ['s2'] })
    const hashes = ['hash of s1', 'hash of s2', 'new hash', 'hash of s3']
    const sessions = await store.findSessionsWithUsers(db, hashes)
    expect([...sessions].map(([hash, { id }]) => [hash, id])).toEqual([['new hash', 's2']])
  })
})
