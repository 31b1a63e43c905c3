// The public version on both databases: it is another one after each change that readers see.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { makeReadPublicVersion } from './public-version.ts'

const ROWS = 50

describe.each(DATABASES)('the public version on %s', (name, open) => {
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
