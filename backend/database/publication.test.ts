// The migration that gives posts their time of publication, on both databases.
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { up } from './migrations/0042-publication.ts'
import type { Database } from './schema.ts'

const alice = viewerOf('alice')
/** Likes belong to discussions from the next migration on. */
const BEFORE = '0054-backup-runs'
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const TIME = '2023-11-20T13:37:00.000Z'

/** As rows were before: with nothing in the new columns. */
async function forget(db: Database): Promise<void> {
  await sql`update post set "publishedAt" = ''`.execute(db)
  await sql`update "deletedPost" set "publishedAt" = ''`.execute(db)
  await sql`update "searchPost" set "createdAt" = ''`.execute(db)
}

async function timesOf(db: Database) {
  const rows = await db.selectFrom('post').select(['id', 'publishedAt']).orderBy('id').execute()
  return Object.fromEntries(rows.map(({ id, publishedAt }) => [id, publishedAt]))
}

/** Likes belong to discussions from the next migration on. */
describeEachDatabase('posts of before', (open) => {
  test('have the time under which readers knew them, if they were ever active', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    const posts = makeTestPosts(db)
    const save = (id: string, data: Record<string, unknown>) =>
      posts.update(alice, id, { data, ...ALWAYS })
    for (const id of ['active', 'liked', 'published', 'hidden']) await posts.write(alice, id)
    await posts.write(alice, 'draft', { status: 'inactive' })
    await save('draft', { title: 'Draft' })
    await posts.hide({ role: 'key' }, 'hidden', true)
    for (const id of ['liked', 'published']) await save(id, { status: 'inactive' })
    await sql`delete from "postVersion" where "postId" = 'liked'`.execute(db)
    await sql`insert into "postLike" ("postId", "userId", "createdAt")
      values ('liked', 'bob', ${TIME})`.execute(db)
    await forget(db)

    await up(db as unknown as Kysely<unknown>)
    await up(db as unknown as Kysely<unknown>)
    expect(await timesOf(db)).toEqual({
      active: TIME,
      draft: '',
      hidden: TIME,
      liked: TIME,
      published: TIME,
    })
    const found = await db.selectFrom('searchPost').select('createdAt').execute()
    expect(found.map(({ createdAt }) => createdAt)).toEqual(Array(5).fill(TIME))
  })

  test('have it as deleted ones, too', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    const posts = makeTestPosts(db)
    await posts.write(alice, 'active')
    await posts.write(alice, 'published')
    await posts.update(alice, 'published', { data: { status: 'inactive' }, ...ALWAYS })
    await posts.write(alice, 'draft', { status: 'inactive' })
    for (const id of ['active', 'published', 'draft'])
      await posts.remove(alice, id, { unlessNewerThan: undefined })
    await forget(db)

    await up(db as unknown as Kysely<unknown>)
    const rows = await db
      .selectFrom('deletedPost')
      .select(['postId', 'publishedAt'])
      .orderBy('postId')
      .execute()
    expect(rows).toEqual([
      { postId: 'active', publishedAt: TIME },
      { postId: 'draft', publishedAt: '' },
      { postId: 'published', publishedAt: TIME },
    ])
  })

  test('are noted for the search as before when their text changes', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    const posts = makeTestPosts(db)
    await posts.write(alice, 'one', { content: '<p>lamp</p>' })
    await up(db as unknown as Kysely<unknown>)
    await sql`update post set content = '<p>oil</p>' where id = 'one'`.execute(db)
    expect(await db.selectFrom('searchPost').select('title').execute()).toEqual([{ title: null }])
  })
})

test('on SQLite the text of a post stays its last column', async () => {
  await using opened = await openSqlite()
  const tables = await opened.db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'post')?.columns.map(({ name }) => name)
  expect(columns?.at(-1)).toBe('content')
  expect(columns).toContain('publishedAt')
})
