// No list scans more than a bounded number of posts; small blogs answer every list, and so does the
// API key.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, openBodies, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { LIST_POSTS_MAX } from './list-bounds.ts'

const alice = viewerOf('alice')
const KEY: Viewer = { role: 'key' }
const MILLION = 1_000_000
const TOO_MUCH = {
  type: 'general_argument_invalid',
  message: expect.stringContaining('Narrow it down'),
}

function toQuery(method: string, attribute: string, values: unknown[]): string {
  return JSON.stringify({ method, attribute, values })
}
const contains = (values: string[]) => toQuery('contains', 'content', values)
const texts = (count: number, text: string) => Array.from({ length: count }, (_, at) => text + at)

/** Slow to find in a text of many `a`s: it matches everywhere except at its end. */
function needle(chars: number): string {
  return `${'a'.repeat(chars - 1)}b`
}

/** Inserts posts by bob, a minute apart; each thousandth is alice’s and has a tag. */
async function addPosts(db: Database, count: number): Promise<void> {
  await addPeople(db, ['alice', 'bob'])
  const time = (at: number) => new Date(Date.UTC(2023, 0, 1) + at * 60_000).toISOString()
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `p${at}`,
    title: `A lamp ${at}`,
    content: '<p>light</p>',
    featuredImage: '',
    status: 'active',
    userId: at % 1000 === 0 ? 'alice' : 'bob',
    readers: 'any',
    permissions: '["read(\\"any\\")"]',
    createdAt: time(at),
    updatedAt: time(at),
  }))
  for (let from = 0; from < count; from += 1000)
    await db
      .insertInto('post')
      .values(rows.slice(from, from + 1000))
      .execute()
  const tagged = sql`insert into "postTag" ("postSeq", place, name, key, "isFromText", "createdAt")
    select seq, 0, 'Rare', 'rare', 0, "createdAt" from post where "userId" = 'alice'`
  await tagged.execute(db)
}

describeEachDatabase('the bounds of lists', (open) => {
  async function start(bodies: string[]) {
    const { posts, ...opened } = await openBodies(open, bodies)
    const list = (viewer: Viewer, ...queries: string[]) =>
      posts.list(viewer, queries, { hasTotal: true })
    return { ...opened, list }
  }

  test('a list without an index in its order may scan two thousand posts, and no more', async () => {
    await using opened = await open()
    await addPosts(opened.db, LIST_POSTS_MAX)
    const posts = makeTestPosts(opened.db)
    const list = async (viewer: Viewer, ...queries: string[]) =>
      (await posts.list(viewer, ['select(["$id"])', ...queries], { hasTotal: true })).total
    const unlike = 'notEqual("title", ["A lamp 3"])'
    const byAuthor = ['orderAsc("userName")', 'limit(1)']
    expect(await list(GUEST, unlike)).toBe(1999)
    expect(await list(GUEST, 'contains("title", ["lamp 199"])', ...byAuthor)).toBe(11)
    await posts.write(alice, 'one more', { featuredImage: '' })
    for (const queries of [[unlike], byAuthor, ['orderRandom()'], ['orderAsc("like")']]) {
      for (const viewer of [GUEST, alice])
        await expect(list(viewer, ...queries), queries[0]).rejects.toMatchObject(TOO_MUCH)
      expect(await list(KEY, ...queries), queries[0]).toBeGreaterThanOrEqual(2000)
    }
    expect(await list(GUEST, 'orderDesc("$createdAt")')).toBe(2001)
    for (const [total, ...narrow] of [
      [3, 'equal("userid", ["alice"])'],
      [2, 'equal("tags", ["rare"])'],
      [2, 'contains("tags", ["rare","other"])'],
      [2, 'equal("$id", ["p5","p7","nowhere"])'],
      [560, 'between("$createdAt", "2023-01-02", "2023-01-02T11:59")'],
      [111, 'startsWith("title", ["A lamp 18"])'],
      [0, 'contains("likeId", ["bob"])'],
    ] as const)
      expect(await list(GUEST, ...narrow, ...byAuthor), narrow[0]).toBe(total)
  })

  test('the bodies of a small blog can be searched', async () => {
    await using posts = await start([
      '<p>one lamp</p>',
      '<p>two</p>',
      `<p>${'three '.repeat(20_000)}</p>`,
    ])
    for (const [query, total] of [
      [contains(['lamp', 'two', ...texts(30, 'no ')]), 2],
      ['startsWith("content", ["<p>t"])', 2],
      ['endsWith("content", ["lamp</p>"])', 1],
      ['equal("content", ["<p>two</p>"])', 1],
      ['isNotNull("content")', 3],
      ['orderAsc("content")', 3],
    ] as const)
      expect((await posts.list(GUEST, query)).total).toBe(total)
  })

  test('scanning too many bytes of bodies is refused, except in a few posts', async () => {
    await using posts = await start(Array.from({ length: 20 }, () => 'a'.repeat(MILLION)))
    const select = 'select(["$id"])'
    const values = texts(95, needle(30))
    const or = { method: 'isNull', attribute: 'title', values: [] }
    for (const query of [
      contains(['a', 'b']),
      contains(values),
      JSON.stringify({ method: 'or', values: [or, JSON.parse(contains(values))] }),
      'endsWith("content", ["aab"])',
      'orderDesc("content")',
    ])
      for (const viewer of [GUEST, alice])
        await expect(posts.list(viewer, query, select), query).rejects.toMatchObject(TOO_MUCH)
    const twoPosts = toQuery('equal', '$id', ['p03', 'p04'])
    expect((await posts.list(GUEST, twoPosts, contains(['a', 'b']), select)).total).toBe(2)
  })

  test('the API key may scan everything, and other requests are answered meanwhile', async () => {
    await using posts = await start(Array.from({ length: 20 }, () => 'a'.repeat(MILLION)))
    let ticks = 0
    const counting = setInterval(() => ticks++, 1)
    const select = 'select(["$id"])'
    expect((await posts.list(KEY, contains(['ab', 'a']), select)).total).toBe(20)
    clearInterval(counting)
    expect(ticks).toBeGreaterThan(1)
  })

  test('likes are read only for answers with `likeId`', async () => {
    await using opened = await open()
    await addPeople(opened.db, ['alice'])
    const writer = makeTestPosts(opened.db)
    await writer.write(alice, 'one')
    await writer.setLike(alice, 'one', true)
    let count = 0
    const db = opened.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        count += result.rows.filter((row) => 'likers' in row).length
        return result
      },
    })
    const posts = makeTestPosts(db)
    const list = (...queries: string[]) => posts.list(GUEST, queries, { hasTotal: true })
    expect((await list('select(["likeId"])')).documents).toMatchObject([{ likeId: ['alice'] }])
    expect(count).toBeGreaterThan(0)
    count = 0
    const like = [{ like: 1 }]
    expect((await list('select(["$id","like"])')).documents).toMatchObject(like)
    expect((await list('orderDesc("like")', 'select(["like"])')).documents).toMatchObject(like)
    await list('select(["$id","title"])', 'limit(100)')
    await posts.read(GUEST, 'one', ['select(["title"])'])
    expect(count).toBe(0)
  })
})
