// Triggers, indexes and the order of columns of a new database.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST } from '../http/viewer.ts'

const alice = viewerOf('alice')
const PEOPLE = ['p3', 'p1', 'p4', 'p2']
const TIME = '2023-11-20T13:37:00.000Z'

describeEachDatabase('tables', (open) => {
  test('triggers count likes, which stay with a deleted post', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', ...PEOPLE])
    const posts = makeTestPosts(db)
    for (const id of ['liked', 'none']) await posts.write(alice, id)
    await posts.setLike(viewerOf('p3'), 'liked', true)
    // Bypasses the program.
    for (const userId of PEOPLE.slice(1))
      await sql`insert into "postLike" ("discussionSeq", "userId", "createdAt")
        select seq, ${userId}, ${TIME} from discussion where "postId" = 'liked'`.execute(db)
    expect(await posts.read(GUEST, 'liked')).toMatchObject({ like: 4, likeId: PEOPLE })
    expect(await posts.read(GUEST, 'none')).toMatchObject({ like: 0, likeId: [] })
    await posts.remove(alice, 'liked', { unlessNewerThan: undefined })
    await db.deleteFrom('user').where('id', '=', 'p4').execute()
    const page = { userId: undefined, cursor: undefined, limit: 9 }
    const [deleted] = (await posts.listDeleted(alice, page)).deleted
    const restored = await posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(restored).toMatchObject({ like: 3, likeId: ['p3', 'p1', 'p2'] })
  })

  test('the full-text index gets each new text, and copies visibility and time of the post', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    await makeTestPosts(db).write(alice, 'one', { content: '<p>lamp</p>', tags: ['Lamps'] })
    await sql`update "searchPost" set title = ' one '`.execute(db)
    await sql`update post set "isHidden" = 1, "createdAt" = ${TIME} where id = 'one'`.execute(db)
    const indexed = db.selectFrom('searchPost').select(['title', 'isHidden', 'createdAt'])
    expect(await indexed.execute()).toEqual([{ title: ' one ', isHidden: 1, createdAt: TIME }])
    expect(await db.selectFrom('postTag').select(['shown', 'createdAt']).execute()).toEqual([
      { shown: 'hidden', createdAt: TIME },
    ])
    await sql`update post set content = '<p>oil</p>' where id = 'one'`.execute(db)
    expect((await indexed.execute())[0]?.title).toBeNull()
    await sql`delete from post where id = 'one'`.execute(db)
    expect(await indexed.execute()).toEqual([])
  })

  test('several tokens of one kind may exist, and are deleted with their user', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    const token = (id: string) => ({
      id,
      userId: 'alice',
      kind: 'recovery',
      secretHash: id,
      alias: '',
      providerUid: '',
      guessesLeft: null,
      createdAt: TIME,
      expiresAt: TIME,
    })
    await db
      .insertInto('token')
      .values([token('t1'), token('t2')])
      .execute()
    await expect(
      db
        .insertInto('token')
        .values({ ...token('t3'), secretHash: 't1' })
        .execute(),
    ).rejects.toThrow()
    await db.deleteFrom('user').where('id', '=', 'alice').execute()
    expect(await db.selectFrom('token').selectAll().execute()).toEqual([])
  })
})

test('on SQLite long texts are the last columns, because SQLite reads through them to reach later ones', async () => {
  await using opened = await openSqlite()
  const tables = await opened.db.introspection.getTables()
  const last = (table: string) => tables.find(({ name }) => name === table)?.columns.at(-1)?.name
  expect([last('post'), last('deletedPost'), last('postVersion')]).toEqual([
    'content',
    'content',
    'body',
  ])
})
