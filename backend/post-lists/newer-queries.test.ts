// The methods of newer clients in real SQL on both databases.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf, writeSixPosts } from '#test/support/posts.ts'

const alice = viewerOf('alice')

describeEachDatabase('newer queries', (open) => {
  async function start() {
    const opened = await open()
    const posts = await writeSixPosts(opened.db)
    const ids = async (...queries: string[]) =>
      (await posts.list(alice, queries, { hasTotal: true })).documents.map(({ $id }) => $id)
    return { ids, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
  }

  /** Shared by these tests, none of which writes. */
  let posts: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    posts = await start()
  })
  afterAll(() => posts[Symbol.asyncDispose]())

  test.each([
    { queries: ['notContains("title", ["lamp"])'], ids: 'acdf' },
    { queries: ['notContains("title", ["lamp","Z"])'], ids: 'acf' },
    { queries: ['notStartsWith("title", ["lamp"])'], ids: 'acdef' },
    { queries: ['notEndsWith("title", ["lamp"])'], ids: 'abcdf' },
    { queries: ['notBetween("title", "A", "Lamp")'], ids: 'bcdf' },
    { queries: ['notBetween("like", 1, 1)'], ids: 'abcdf' },
    { queries: ['notContains("likeId", ["alice"])'], ids: 'acdef' },
    { queries: ['containsAny("likeId", ["alice","bob"])'], ids: 'be' },
    { queries: ['containsAll("likeId", ["alice","bob"])'], ids: 'b' },
    { queries: ['containsAll("title", ["lamp","post"])'], ids: 'b' },
    { queries: ['{"method":"exists","values":["title","likeId"]}'], ids: 'abcdef' },
    { queries: ['{"method":"notExists","values":["title"]}'], ids: '' },
    { queries: ['search("title", ["LAMP"])'], ids: 'abe' },
    { queries: ['search("title", ["zebra, test"])'], ids: 'df' },
    { queries: ['search("title", ["Ärger"])'], ids: 'c' },
    { queries: ['{"method":"search","attribute":"title","values":["\\"a lamp\\""]}'], ids: 'e' },
    { queries: ['search("title", ["%"])'], ids: '' },
    { queries: ['search("content", ["off_now"])'], ids: 'a' },
    { queries: ['notSearch("title", ["lamp"])'], ids: 'cdf' },
    { queries: ['notSearch("title", ["!"])'], ids: 'abcdef' },
    {
      queries: [
        '{"method":"or","values":[{"method":"notContains","attribute":"title","values":["a","m"]},{"method":"search","attribute":"title","values":["post"]}]}',
      ],
      ids: 'bc',
    },
    { queries: ['limit(100000)'], ids: 'abcdef' },
  ])('$queries gives $ids', async ({ queries, ids }) => {
    expect((await posts.ids(...queries)).join('')).toBe(ids)
  })

  test('a random order shows the same posts, in another order each time, and has no cursors', async () => {
    const orders = new Set<string>()
    for (let time = 0; time < 40; time++)
      orders.add((await posts.ids('orderRandom()', 'orderDesc("$createdAt")', 'limit(3)')).join(''))
    expect(orders.size).toBeGreaterThan(1)
    const all = await posts.ids('orderRandom()', 'contains("title", ["lamp"])')
    expect(all.toSorted()).toEqual(['b', 'e'])
    await expect(posts.ids('orderRandom()', 'cursorAfter("a")')).rejects.toThrow(
      'Cursors have no meaning in a random order.',
    )
  })
})
