// Changes at the same moment as the deletion of an account: a post that is saved, a session that
// ends. Only PostgreSQL lets two transactions run at once.
// @module-tag more
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase, untilLockWaits } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'

test('no post outlives an account that is deleted at the same moment', async () => {
  const postgres = await makePostgresDatabase()
  await using _dropping = { [Symbol.asyncDispose]: () => postgres.drop() }
  await using blog = await makeTestBlog({ BLOG_DATABASE_URL: postgres.url })
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const featuredImage = await documents.upload(alice)
  const bobsPost = await documents.post(bob)
  const { seq: _seq, ...row } = await db
    .selectFrom('post')
    .selectAll()
    .where('id', '=', bobsPost)
    .executeTakeFirstOrThrow()

  // A row of the same id, not committed yet, holds the new post between its checks and its end.
  const holding = await db.startTransaction().execute()
  await holding
    .insertInto('post')
    .values({ ...row, id: 'contested' })
    .execute()
  const created = documents.create(
    alice,
    { title: 'Too late', featuredImage },
    { documentId: 'contested' },
  )
  await untilLockWaits(db)
  const deleted = blog.call('DELETE', '/account', {
    cookie: alice.cookie,
    body: { password: alice.password },
  })
  await Promise.race([deleted, untilLockWaits(db, 2)])
  await holding.rollback().execute()

  expect([(await created).status, (await deleted).status]).toEqual([201, 204])
  const remaining = await db.selectFrom('post').select('id').execute()
  expect(remaining).toEqual([{ id: bobsPost }])
  expect(await db.selectFrom('file').select('userId').execute()).toEqual([{ userId: bob.id }])
})

test('a session deletes no account that changes hands at the same moment', async () => {
  const postgres = await makePostgresDatabase()
  await using _dropping = { [Symbol.asyncDispose]: () => postgres.drop() }
  await using blog = await makeTestBlog({ BLOG_DATABASE_URL: postgres.url })
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const { id, cookie } = await blog.makePerson('alice')
  await db.updateTable('user').set({ passwordHash: null }).execute()

  // The owner of the address takes the account back: no password is set, every session ends.
  const handOver = await db.startTransaction().execute()
  await handOver.updateTable('user').set({ isVerified: 1 }).where('id', '=', id).execute()
  await handOver.deleteFrom('session').where('userId', '=', id).execute()
  const deleted = blog.call('DELETE', '/account', { cookie, body: {} })
  await Promise.race([deleted, untilLockWaits(db)])
  await handOver.commit().execute()

  expect(await deleted).toMatchObject({ status: 401, body: { type: 'user_unauthorized' } })
  expect(await db.selectFrom('user').select('id').execute()).toEqual([{ id }])
})
