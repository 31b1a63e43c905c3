// Versions of cache tags on both databases: each changes when its subject
// changes, and only then.
import { sql, type Updateable } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { makeReadTagVersions } from './cache-tags.ts'
import type { Database, PostTable, UserRow } from './schema.ts'

const ROWS = 50
const ALICE = viewerOf('alice')
const BOB = viewerOf('bob')

/** The tags that this work gives another version, except `all`, which changes with any of them. */
async function raisedBy(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const read = async () => {
    const rows = await db
      .selectFrom('cacheTag')
      .select(['name', sql<number>`sum(version)`.as('version')])
      .groupBy('name')
      .execute()
    return new Map(rows.map(({ name, version }) => [name, Number(version)]))
  }
  const before = await read()
  await work()
  const after = await read()
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const raised = names.filter((name) => before.get(name) !== after.get(name)).sort()
  if (raised.length > 0) expect(raised).toContain('all')
  return raised.filter((name) => name !== 'all')
}

describeEachDatabase('the versions of cache tags', (open, name) => {
  async function start() {
    const opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob', 'carol'])
    const posts = makeTestPosts(db)
    for (const [author, id] of [
      [ALICE, 'a1'],
      [BOB, 'b1'],
      [ALICE, 'a2'],
      [BOB, 'b2'],
    ] as const) {
      posts.tick()
      await posts.write(author, id, { content: `<p>${id}</p>` })
    }
    const set = (id: string, columns: Updateable<PostTable>) =>
      db.updateTable('post').set(columns).where('id', '=', id).execute()
    return { ...opened, posts, set, raised: raisedBy.bind(undefined, db) }
  }

  test('a like changes only the tags of its post and of the counts on lists', async () => {
    await using blog = await start()
    const like = (isLiked: boolean) => () => blog.posts.setLike(BOB, 'a1', isLiked)
    for (const isLiked of [true, false])
      expect(await blog.raised(like(isLiked))).toEqual(['counts', 'post:a1'])
  })

  test('a new text changes only the tags of its post and of lists', async () => {
    await using blog = await start()
    const work = () => blog.set('a1', { content: '<p>Other words</p>' })
    expect(await blog.raised(work)).toEqual(['post:a1', 'texts'])
  })

  test('a new title also changes the tags of pages that link to the post', async () => {
    await using blog = await start()
    const work = () => blog.set('a1', { title: 'Another' })
    expect(await blog.raised(work)).toEqual(['link:a1', 'post:a1', 'texts'])
  })

  test('a new or removed post changes the tags of its neighbours and of its author', async () => {
    await using blog = await start()
    const { posts, raised, set } = blog
    const isShown = (status: string) => () => set('b1', { status })
    const neighbourTags = ['link:b1', 'post:a1', 'post:a2', 'post:b1', 'posts', 'user:bob']
    for (const status of ['inactive', 'active'])
      expect(await raised(isShown(status))).toEqual(neighbourTags)
    const raisedTags = await raised(() => posts.remove(BOB, 'b1', { unlessNewerThan: undefined }))
    expect(raisedTags).toEqual(expect.arrayContaining(neighbourTags))
  })

  test('a new post changes the tag of the next neighbour, past a post by a blocked author', async () => {
    await using blog = await start()
    const { db, raised, set } = blog
    await set('b1', { status: 'inactive' })
    await db.updateTable('post').set({ userId: 'carol' }).where('id', '=', 'a2').execute()
    await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'carol').execute()
    expect(await raised(() => set('b1', { status: 'active' }))).toEqual(
      expect.arrayContaining(['post:a1', 'post:b2']),
    )
  })

  test.runIf(name === 'PostgreSQL')(
    'two posts that are published at the same moment change the tags of each other',
    async () => {
      await using blog = await start()
      const { db, set } = blog
      for (const id of ['b1', 'a2']) await set(id, { status: 'inactive' })
      const versionOf = async (database: Database) =>
        (await makeReadTagVersions(database)(['post:a2'])).get('post:a2')
      const appears = db.updateTable('post').set({ status: 'active' })
      const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
      let second: Promise<unknown> | undefined
      const first = await db.transaction().execute(async (tx) => {
        await tx.executeQuery(appears.where('id', '=', 'a2').compile())
        await sql`set constraints all immediate`.execute(tx)
        let isOver = false
        second = appears.where('id', '=', 'b1').execute()
        second.finally(() => (isOver = true))
        while (!isOver && (await waiting.execute(db)).rows.length === 0);
        return await versionOf(tx)
      })
      await second
      expect(await versionOf(db)).not.toBe(first)
    },
  )

  test('hiding all comments by a person below a post changes only the tag of the post', async () => {
    await using blog = await start()
    const { db, posts, raised } = blog
    await posts.setLike(BOB, 'a1', true)
    const { seq: discussionSeq } = await db
      .selectFrom('discussion')
      .select('seq')
      .where('postId', '=', 'a1')
      .executeTakeFirstOrThrow()
    const hide = (below: number | null) => () =>
      db
        .insertInto('commentHiding')
        .values({
          action: 'hide',
          userId: 'carol',
          discussionSeq: below,
          decidedAt: '2025-11-23T00:00:00.000Z',
          hiddenBy: 'operator',
          actorId: '',
          actorName: '',
          lastSeq: 0,
        })
        .execute()
    expect(await raised(hide(discussionSeq))).toEqual(['counts', 'post:a1'])
    expect(await raised(hide(null))).toEqual(['site'])
  })

  test('an older post by an author with many posts does not change the tags of the others', async () => {
    await using blog = await start()
    for (const id of ['a3', 'a4', 'a5', 'a6']) {
      blog.posts.tick()
      await blog.posts.write(ALICE, id)
    }
    const hide = (id: string) => () => blog.set(id, { status: 'inactive' })
    expect(await blog.raised(hide('a1'))).not.toContain('user:alice')
    expect(await blog.raised(hide('a3'))).toContain('user:alice')
  })

  test('a draft changes no tag', async () => {
    await using blog = await start()
    const { posts, raised, set } = blog
    await posts.write(ALICE, 'draft', { status: 'inactive' })
    const change = () => set('draft', { title: 'Changed', content: '<p>Changed</p>' })
    expect(await raised(change)).toEqual([])
  })

  test('a new name changes the tags of pages that show it, and a block that of all pages', async () => {
    await using blog = await start()
    const { db, raised } = blog
    const change = (id: string, columns: Partial<UserRow>) => () =>
      db.updateTable('user').set(columns).where('id', '=', id).execute()
    expect(await raised(change('alice', { name: 'Alicia' }))).toEqual(['posts', 'user:alice'])
    expect(await raised(change('carol', { about: 'On lamps' }))).toEqual(['user:carol'])
    expect(await raised(change('carol', { isBlocked: 1 }))).toEqual(['site'])
  })

  test('private changes of a person change no tag', async () => {
    await using blog = await start()
    const { db } = blog
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
    const muted = { userId: 'alice', postId: 'a1', createdAt: time }
    const choice = { userId: 'alice', choices: '{}', secret: 's', mailedAt: '{}' }
    for (const work of [
      () => change({ prefs: '{"theme":"dark","a":"\\u0000"}', accessedAt: time, updatedAt: time }),
      () => change({ passwordHash: 'hash', labels: '["reader"]' }),
      () => db.insertInto('session').values(session).execute(),
      () => db.updateTable('session').set({ lastUsedAt: '' }).execute(),
      () => db.deleteFrom('session').execute(),
      () => db.insertInto('mutedPost').values(muted).execute(),
      () => db.insertInto('mailChoice').values(choice).execute(),
    ])
      expect([work.toString(), await blog.raised(work)]).toEqual([work.toString(), []])
  })

  test('rows of tags are deleted with their subject', async () => {
    await using blog = await start()
    await sql`delete from post where id = 'a1'`.execute(blog.db)
    await sql`delete from "user" where id = 'carol'`.execute(blog.db)
    const versions = await makeReadTagVersions(blog.db)(['post:a1', 'link:a1', 'user:carol'])
    expect([...versions.values()]).toEqual([0, 0, 0])
  })

  test('a transaction changes each tag once, however many rows it changes', async () => {
    await using blog = await start()
    const raised = await blog.raised(() =>
      blog.db.transaction().execute(async (tx) => {
        for (let row = 0; row < ROWS; row++)
          await tx
            .updateTable('post')
            .set({ content: `${row}` })
            .where('id', '=', 'a1')
            .execute()
      }),
    )
    expect(raised).toEqual(['post:a1', 'texts'])
  })

  test('a change after a rolled back savepoint changes its tag', async () => {
    await using blog = await start()
    const raised = await blog.raised(() =>
      blog.db.transaction().execute(async (tx) => {
        const set = (title: string) =>
          tx.updateTable('post').set({ title }).where('id', '=', 'a1').execute()
        await sql`savepoint inner_one`.execute(tx)
        await set('taken back')
        if (name === 'PostgreSQL') await sql`set constraints all immediate`.execute(tx)
        await sql`rollback to inner_one`.execute(tx)
        await set('stays')
      }),
    )
    expect(raised).toEqual(['link:a1', 'post:a1', 'texts'])
  })

  test('one query answers all calls that were made before it began', async () => {
    await using blog = await start()
    const read = makeReadTagVersions(blog.db)
    const [first, second] = await Promise.all([read(['posts']), read(['post:a1', 'none'])])
    expect(first).toBe(second)
    expect([...first.keys()]).toEqual(['posts', 'post:a1', 'none'])
    expect(first.get('none')).toBe(0)
  })
})
