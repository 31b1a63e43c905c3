// Identities on both databases: their user, and the sessions that end when one is removed.

import { expect, test } from 'vitest'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import {
  addIdentity,
  findIdentityOwner,
  listIdentities,
  recordIdentityUse,
  removeOwnIdentity,
} from './identities.ts'
import { addSession } from './sessions.ts'

const LINKED = new Date('2023-11-20T13:37:00.000Z')
const USED = new Date('2023-11-21T08:00:00.000Z')
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }
const GOOGLE = { provider: 'google', sub: 'g-1' }
const log = makeLog('silent')
const background = makeBackground(log)
const viewerOf = (userId: string, sessionId = 'none') =>
  ({
    role: 'user',
    userId,
    sessionId,
    email: '',
    name: '',
    isVerified: true,
    accountRole: 'author',
  }) as const

describeEachDatabase('identities', (open) => {
  test('an identity belongs to one user, records its use, and is deleted with the user', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    await addIdentity(db, { ...GOOGLE, userId: 'alice', email: 'a@example.test' }, LINKED)
    const bobs = addIdentity(db, { ...GOOGLE, userId: 'bob', email: '' }, LINKED)
    await expect(bobs).rejects.toThrow(/unique/i)
    expect(await findIdentityOwner(db, GOOGLE)).toBe('alice')
    expect(await findIdentityOwner(db, { ...GOOGLE, provider: 'other' })).toBe(undefined)

    const use = { ...GOOGLE, userId: 'alice', email: 'new@example.test' }
    expect(await recordIdentityUse(db, use, USED)).toBe(true)
    expect(await recordIdentityUse(db, { ...use, userId: 'bob' }, USED)).toBe(false)
    expect(await listIdentities(db, 'alice')).toEqual([
      {
        ...use,
        id: expect.stringMatching(/^[0-9a-f]{20}$/),
        createdAt: LINKED.toISOString(),
        lastUsedAt: USED.toISOString(),
      },
    ])
    await db.deleteFrom('user').where('id', '=', 'alice').execute()
    expect(await findIdentityOwner(db, GOOGLE)).toBe(undefined)
  })

  test('removing an identity ends the other sessions that began with it, and only those', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    await db.updateTable('user').set({ passwordHash: 'hash' }).execute()
    for (const [userId, sub] of [
      ['alice', 'g-1'],
      ['alice', 'g-2'],
      ['bob', 'g-3'],
    ] as const)
      await addIdentity(db, { provider: 'google', sub, userId, email: '' }, LINKED)
    const start = async (userId: string, provider: string, providerUid: string) => {
      const tokens = { providerAccessToken: 'sealed', providerRefreshToken: 'sealed' }
      const origin = { userId, provider, providerUid, ...tokens }
      return await startAt(db, origin, USED)
    }
    const googleSessionId = await start('alice', 'google', 'g-1')
    await start('alice', 'google', 'g-1')
    const unaffected = [
      await start('alice', 'google', 'g-2'),
      await start('alice', 'email', 'alice@example.test'),
      await start('bob', 'google', 'g-3'),
    ]
    const [first] = await listIdentities(db, 'alice')
    const context = makeTestContext(db)
    const removal = removeOwnIdentity(context, viewerOf('bob'), first?.id ?? '', CALLER)
    await expect(removal).rejects.toMatchObject({ type: 'user_identity_not_found' })
    await removeOwnIdentity(context, viewerOf('alice', googleSessionId), first?.id ?? '', CALLER)

    const remaining = await db
      .selectFrom('session')
      .select(['id', 'providerAccessToken', 'providerRefreshToken'])
      .execute()
    expect(remaining.map(({ id }) => id).sort()).toEqual([googleSessionId, ...unaffected].sort())
    expect(remaining.find(({ id }) => id === googleSessionId)).toMatchObject({
      providerAccessToken: '',
      providerRefreshToken: '',
    })
    expect((await listIdentities(db, 'alice')).map(({ sub }) => sub)).toEqual(['g-2'])
  })

  test('one of two concurrent removals of the only two identities is refused', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    for (const sub of ['g-1', 'g-2'])
      await addIdentity(db, { provider: 'google', sub, userId: 'alice', email: '' }, LINKED)
    const rows = await listIdentities(db, 'alice')
    const outcomes = await Promise.allSettled(
      rows.map(({ id }) => removeOwnIdentity(makeTestContext(db), viewerOf('alice'), id, CALLER)),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ type: 'user_password_reset_required', status: 412 })
    expect(await listIdentities(db, 'alice')).toHaveLength(1)
  })
})

/** @returns the id of a session that began at `now` */
async function startAt(
  db: Database,
  origin: Parameters<typeof addSession>[1],
  now: Date,
): Promise<string> {
  const started = inTransaction(db, background, (tx) =>
    addSession(tx, origin, { caller: CALLER, now }),
  )
  return (await started).session.id
}
