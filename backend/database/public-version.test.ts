// The public version on both databases: it is another one after each change that readers see.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { makeReadPublicVersion } from './public-version.ts'
import type { UserRow } from './schema.ts'

const ROWS = 50

describeEachDatabase('the public version', (open, name) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    await makeTestPosts(opened.db).write(viewerOf('alice'), 'a', { content: '<p>a</p>' })
    return opened
  }

  test('is another one after each transaction, on PostgreSQL by one however many rows it changes', async () => {
    await using opened = await start()
    const read = makeReadPublicVersion(opened.db)
    let before = (await read()).version
    for (const turn of ['one', 'two']) {
      await opened.db.transaction().execute(async (tx) => {
        for (let row = 0; row < ROWS; row++)
          await tx
            .updateTable('post')
            .set({ title: `${turn} ${row}` })
            .execute()
      })
      const { version } = await read()
      if (name === 'PostgreSQL') expect(version).toBe(before + 1)
      else expect(version).toBeGreaterThan(before)
      before = version
    }
  })

  test('is raised by what readers see of a person, and by nothing that is private', async () => {
    await using opened = await start()
    const { db } = opened
    const read = makeReadPublicVersion(db)
    const time = '2026-11-28T12:00:00.000Z'
    const change = (columns: Partial<UserRow>) => db.updateTable('user').set(columns).execute()
    const session = {
      id: 's1',
      userId: 'alice',
      secretHash: 's1',
      provider: 'email',
      providerUid: '',
      providerAccessToken: '',
      providerAccessTokenExpiresAt: '',
      providerRefreshToken: '',
      ip: '',
      userAgent: '',
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
    }
    const muted = { userId: 'alice', postId: 'a', createdAt: time }
    const choice = { userId: 'alice', choices: '{}', secret: 's', mailedAt: '{}' }
    const isRaisedBy = async (work: () => Promise<unknown>) => {
      const { version } = await read()
      await work()
      return (await read()).version > version
    }
    for (const work of [
      () => change({ prefs: '{"theme":"dark","a":"\\u0000"}', accessedAt: time, updatedAt: time }),
      () => change({ email: 'a@example.test', passwordHash: 'hash', labels: '["reader"]' }),
      () => db.insertInto('session').values(session).execute(),
      () => db.updateTable('session').set({ lastUsedAt: '' }).execute(),
      () => db.deleteFrom('session').execute(),
      () => db.insertInto('mutedPost').values(muted).execute(),
      () => db.insertInto('mailChoice').values(choice).execute(),
    ])
      expect([work.toString(), await isRaisedBy(work)]).toEqual([work.toString(), false])
    for (const columns of [{ name: 'Alice' }, { about: 'On lamps' }, { isBlocked: 1 }])
      expect([columns, await isRaisedBy(() => change(columns))]).toEqual([columns, true])
  })

  test('is raised by what follows a savepoint that was taken back', async () => {
    await using opened = await start()
    const read = makeReadPublicVersion(opened.db)
    const before = (await read()).version
    await opened.db.transaction().execute(async (tx) => {
      await sql`savepoint inner_one`.execute(tx)
      await tx.updateTable('post').set({ title: 'taken back' }).execute()
      if (name === 'PostgreSQL') await sql`set constraints all immediate`.execute(tx)
      await sql`rollback to inner_one`.execute(tx)
      await tx.updateTable('post').set({ title: 'kept' }).execute()
    })
    expect((await read()).version).toBeGreaterThan(before)
  })
})
