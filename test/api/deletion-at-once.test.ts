// Changes while an account is being deleted: a post is saved, a session ends. Only PostgreSQL runs
// two writing transactions at once.
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

  // An uncommitted row with the same ID blocks the new post between its checks and its insert.
  const blocker = await db.startTransaction().execute()
  await blocker
    .insertInto('post')
    .values({ ...row, id: 'contested' })
    .execute()
  const created = documents.create(
    alice,
    { title: 'Too late', featuredImage },
    { documentId: 'contested' },
  )
  await untilLockWaits(db)
  const deletion = blog.call('DELETE', '/account', {
    cookie: alice.cookie,
    body: { password: alice.password },
  })
  await Promise.race([deletion, untilLockWaits(db, 2)])
  await blocker.rollback().execute()

  expect([(await created).status, (await deletion).status]).toEqual([201, 204])
  const posts = await db.selectFrom('post').select('id').execute()
  expect(posts).toEqual([{ id: bobsPost }])
  expect(await db.selectFrom('file').select('userId').execute()).toEqual([{ userId: bob.id }])
})

test('a session does not delete an account that its owner takes back at the same moment', async () => {
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
  const deletion = blog.call('DELETE', '/account', { cookie, body: {} })
  await Promise.race([deletion, untilLockWaits(db)])
  await handOver.commit().execute()

  expect(await deletion).toMatchObject({ status: 401, body: { type: 'user_unauthorized' } })
  expect(await db.selectFrom('user').select('id').execute()).toEqual([{ id }])
})
