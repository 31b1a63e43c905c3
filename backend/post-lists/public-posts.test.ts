// The posts of the sitemap on both databases: as a guest sees them, in parts that use an index.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { makePublicPosts, type PublicPosts } from './public-posts.ts'
import { SITEMAP_ADDRESSES_MAX, selectAuthors, selectPart } from './public-posts-store.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carl = viewerOf('carl')

describeEachDatabase('public posts', (open, name) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob', 'carl'])
    const posts = makeTestPosts(opened.db)
    await posts.write(alice, 'one')
    posts.tick()
    await posts.write(alice, 'draft', { status: 'inactive' })
    await posts.write(bob, 'two')
    posts.tick()
    await posts.write(bob, 'hidden')
    await posts.hide({ role: 'key' }, 'hidden', true)
    await posts.write(carl, 'of-blocked')
    await opened.db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'carl').execute()
    await posts.write(alice, 'narrowed')
    await posts.update(alice, 'narrowed', {
      data: undefined,
      permissions: ['read("users")'],
      unlessNewerThan: undefined,
    })
    return { ...opened, posts, listed: makePublicPosts(opened.db) }
  }

  async function idsOf(listed: PublicPosts, part: number): Promise<string[]> {
    const ids: string[] = []
    for await (const batch of listed.streamPart(part)) ids.push(...batch.map(({ $id }) => $id))
    return ids
  }

  test('include only active posts, not hidden, of unblocked authors, that everybody may read', async () => {
    await using blog = await start()
    expect(await idsOf(blog.listed, 0)).toEqual(['one', 'two'])
    const authors = async (after: string, upTo?: string) =>
      (await blog.listed.listAuthors({ after, upTo, limit: 10 })).map(({ id }) => id)
    expect(await authors('')).toEqual(['alice', 'bob'])
    expect(await authors('alice')).toEqual(['bob'])
    expect(await authors('', 'alice')).toEqual(['alice'])
  })

  test('a part covers 50,000 numbers of posts, and a part without a public post is left out', async () => {
    await using blog = await start()
    await moveSequence(blog.db, name, 3 * SITEMAP_ADDRESSES_MAX)
    await blog.posts.write(alice, 'late')
    await moveSequence(blog.db, name, 5 * SITEMAP_ADDRESSES_MAX)
    await blog.posts.write(alice, 'latest', { status: 'inactive' })
    const parts = await blog.listed.parts()
    expect(parts.map(({ part }) => part)).toEqual([0, 3])
    expect(parts[0]?.changedAt).toBe('2023-11-20T13:37:01.000Z')
    expect(await idsOf(blog.listed, 3)).toEqual(['late'])
    expect(await idsOf(blog.listed, 1)).toEqual([])
  })

  test.runIf(name === 'SQLite')('a part is found in its index, and nothing is sorted', async () => {
    await using blog = await start()
    const after = { updatedAt: '2023-11-20T13:37:00.000Z', seq: 1 }
    for (const cursor of [undefined, after]) {
      const query = selectPart(blog.db, 0, { after: cursor, limit: 1000 })
      const plan = (await query.explain(undefined, sql`query plan`)) as { detail: string }[]
      const details = plan.map(({ detail }) => detail).join('\n')
      expect(details).toMatch(/SEARCH post USING COVERING INDEX postSitemap \(<expr>=\?/)
      expect(details).not.toContain('TEMP B-TREE')
    }
  })

  test.runIf(name === 'SQLite')('users without posts are not read', async () => {
    await using blog = await start()
    for (const upTo of [undefined, 'bob']) {
      const query = selectAuthors({ after: '', upTo, limit: 1000 })
      const plan = await sql<{ detail: string }>`explain query plan ${query}`.execute(blog.db)
      const details = plan.rows.map(({ detail }) => detail).join('\n')
      expect(details).toMatch(/SEARCH post USING COVERING INDEX postOfUserInOrder \(userId>\?\)/)
      expect(details).not.toMatch(/SCAN (?:post|user)/)
    }
  })
})

/** The next post gets the `seq` after this one. */
async function moveSequence(db: Database, name: string, seq: number): Promise<void> {
  const move =
    name === 'SQLite'
      ? sql`update sqlite_sequence set seq = ${seq} where name = 'post'`
      : sql`select setval(pg_get_serial_sequence('post', 'seq'), ${seq})`
  await move.execute(db)
}
