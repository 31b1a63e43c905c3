// The size of a page of posts: long bodies end it early, and the next page continues from there.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, openBodies, viewerOf } from '#test/support/posts.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'

const MIB = 1024 * 1024

describeEachDatabase('the size of lists', (open) => {
  async function start(bodies: string[]) {
    const { posts, ...opened } = await openBodies(open, bodies)
    async function page(viewer: Viewer, ...queries: string[]) {
      const { total, documents } = await posts.list(viewer, ['limit(100)', ...queries], {
        hasTotal: true,
      })
      return {
        total,
        ids: documents.map(({ $id }) => $id),
        sizes: documents.map(({ content = '' }) => Buffer.byteLength(content)),
      }
    }
    return { ...opened, page }
  }

  test('a post hidden after the page was selected is left out, and its body is not read', async () => {
    await using opened = await open()
    await addPeople(opened.db, ['alice'])
    const posts = makeTestPosts(opened.db)
    await posts.write(viewerOf('alice'), 'one', { content: 'secret' })
    let hasSelectedPage = false
    const db = opened.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!hasSelectedPage) {
          hasSelectedPage = true
          await opened.db.updateTable('post').set({ status: 'inactive' }).execute()
        }
        return result
      },
    })
    const { documents } = await makeTestPosts(db).list(GUEST, [], { hasTotal: false })
    expect([hasSelectedPage, documents]).toEqual([true, []])
  })

  test('a page holds at most 8 MiB of bodies; cursors continue in both directions', async () => {
    // Two bytes a character.
    await using posts = await start(Array.from({ length: 5 }, () => 'ä'.repeat(2 * MIB)))
    expect(await posts.page(GUEST)).toEqual({
      total: 5,
      ids: ['p00', 'p01'],
      sizes: [4 * MIB, 4 * MIB],
    })
    expect((await posts.page(GUEST, 'cursorAfter("p01")')).ids).toEqual(['p02', 'p03'])
    expect((await posts.page(GUEST, 'cursorAfter("p03")')).ids).toEqual(['p04'])
    expect((await posts.page(GUEST, 'cursorBefore("p04")')).ids).toEqual(['p02', 'p03'])
    expect((await posts.page(GUEST, 'orderDesc("")')).ids).toEqual(['p04', 'p03'])
    expect((await posts.page(GUEST, 'offset(3)')).ids).toEqual(['p03', 'p04'])
    expect((await posts.page(GUEST, 'select(["content"])')).sizes).toEqual([4 * MIB, 4 * MIB])
  })

  test('one post always fits on a page, however long it is', async () => {
    await using posts = await start(['a'.repeat(9 * MIB), 'b'])
    expect(await posts.page(GUEST)).toEqual({ total: 2, ids: ['p00'], sizes: [9 * MIB] })
    expect((await posts.page(GUEST, 'cursorAfter("p00")')).ids).toEqual(['p01'])
  })

  test('without bodies a page has the requested length', async () => {
    await using posts = await start(Array.from({ length: 4 }, () => 'a'.repeat(4 * MIB)))
    expect(await posts.page(GUEST, 'select(["title"])')).toEqual({
      total: 4,
      ids: ['p00', 'p01', 'p02', 'p03'].map(() => undefined),
      sizes: [0, 0, 0, 0],
    })
  })
})
