// A post that is being saved while its author's account is deleted. Only PostgreSQL lets the two
// transactions run at once.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase, untilLockWait } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'

test('no post outlives an account that is deleted at the same moment', async () => {
  const postgres = await makePostgresDatabase()
  await using _dropping = { [Symbol.asyncDispose]: () => postgres.drop() }
  await using blog = await makeTestBlog({ BLOG_DATABASE_URL: postgres.url })
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const documents = makeDocuments(blog)
  const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
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
  await untilLockWait(db)
  const deleted = blog.call('DELETE', '/account', {
    cookie: alice.cookie,
    body: { password: alice.password },
  })
  await Promise.race([deleted, untilLockWait(db, 2)])
  await holding.rollback().execute()

  expect([(await created).status, (await deleted).status]).toEqual([201, 204])
  const left = await db.selectFrom('post').select('id').execute()
  expect(left).toEqual([{ id: bobsPost }])
  expect(await db.selectFrom('file').select('userId').execute()).toEqual([{ userId: bob.id }])
})
