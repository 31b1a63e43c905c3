// Sessions are kept between requests, and no longer than anything of them or their person stays as
// it was.
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { setHearing, tellAtOnce, tellMissed } from '../database/change-ears.ts'
import type { Database } from '../database/schema.ts'
import { makeBackground } from '../process/background.ts'
import { hashSecret } from '../process/ids.ts'
import { makeLog } from '../process/log.ts'
import { makeKeptSessions } from './kept-sessions.ts'
import { parseSessionToken } from './session-tokens.ts'
import { endAllSessions } from './sessions.ts'
import { startSession } from './sign-in.ts'
import { insertUser } from './user-store.ts'
import { makeUserRow } from './users.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

async function make(db: Database) {
  const background = makeBackground(makeLog('silent'))
  const hashes = new Map<string, string>()
  for (const id of ['alice', 'bob']) {
    const user = makeUserRow(
      { id, name: id, email: `${id}@example.test`, passwordHash: `hash of ${id}` },
      NOW,
    )
    await insertUser(db, user)
    const started = await startSession({ db, background, now: () => NOW }, user, CALLER)
    hashes.set(id, hashSecret(parseSessionToken(started?.token ?? '')?.secret ?? ''))
  }
  const clock = { ms: 0 }
  const sessions = makeKeptSessions(db, () => clock.ms)
  const find = (id = 'alice') => sessions.find(hashes.get(id) ?? '')
  let names = 0
  /** Whether the next look reads the database. */
  const isRead = async (id = 'alice') => {
    const name = `name ${++names}`
    await db.updateTable('user').set({ name }).where('id', '=', id).execute()
    return (await find(id))?.name === name
  }
  return { sessions, hashes, clock, find, isRead }
}

const [, open] = DATABASES[0] ?? []

test('a session is read once, and anew after a change of its person', async () => {
  await using opened = await open?.()
  if (!opened) throw new Error('There is no database')
  const { db } = opened
  const { sessions, hashes, clock, find, isRead } = await make(db)
  await Promise.all([find('alice'), find('bob')])
  expect(await isRead()).toBe(false)
  tellAtOnce(db, { kind: 'access', userId: 'alice' })
  expect([await isRead('alice'), await isRead('bob')]).toEqual([true, false])
  tellAtOnce(db, { kind: 'account', userId: 'alice', name: 'update.name', payload: {} })
  expect([await isRead('alice'), await isRead('bob')]).toEqual([true, false])
  tellMissed(db)
  expect([await isRead('alice'), await isRead('bob')]).toEqual([true, true])
  sessions.forget(hashes.get('alice') ?? '')
  expect(await isRead()).toBe(true)
  clock.ms = 10_001
  expect(await isRead()).toBe(true)
  setHearing(db, false)
  expect(await isRead()).toBe(true)
  setHearing(db, true)
  expect(await isRead()).toBe(false)
})

test('a session that has ended is found by nobody, also when it ends while it is read', async () => {
  await using opened = await open?.()
  if (!opened) throw new Error('There is no database')
  const { db } = opened
  const { find } = await make(db)
  expect((await find())?.userId).toBe('alice')
  const under = find('bob')
  await endAllSessions(db, 'bob')
  await under
  await endAllSessions(db, 'alice')
  expect([await find('alice'), await find('bob')]).toEqual([undefined, undefined])
})

test('what is read while its person changes, or while changes are not heard, is read again', async () => {
  await using opened = await open?.()
  if (!opened) throw new Error('There is no database')
  const { db } = opened
  const { find, isRead } = await make(db)
  const begun = [find('alice')]
  tellAtOnce(db, { kind: 'access', userId: 'alice' })
  await Promise.all(begun)
  expect([await isRead('alice'), await isRead('alice')]).toEqual([true, false])
  begun.push(find('bob'))
  setHearing(db, false)
  await Promise.all(begun)
  setHearing(db, true)
  expect([await isRead('bob'), await isRead('bob')]).toEqual([true, false])
})
