import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf, writeSixPosts } from '#test/support/posts.ts'
import { GUEST } from '../http/viewer.ts'
import { POST_LIST_SCHEMA } from '../posts/post-data.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')

describeEachDatabase('lists of posts', (open) => {
  async function start() {
    const opened = await open()
    const posts = await writeSixPosts(opened.db)
    const ids = async (...queries: string[]) =>
      (await posts.list(alice, queries, { hasTotal: true })).documents.map(({ $id }) => $id)
    return {
      ...posts,
      ids,
      db: opened.db,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  describe('queries', () => {
    /** Shared by these tests, none of which writes. */
    let posts: Awaited<ReturnType<typeof start>>
    beforeAll(async () => {
      posts = await start()
    })
    afterAll(() => posts[Symbol.asyncDispose]())

    test.each([
      { queries: [], ids: 'abcdef' },
      { queries: ['equal("title", ["Lamp"])'], ids: 'a' },
      { queries: ['equal("title", ["LAMP"])'], ids: '' },
      { queries: ['equal("title", ["Lamp","Zebra"])'], ids: 'ad' },
      { queries: ['equal("title", ["it\'s (a) [test], yes"])'], ids: 'f' },
      { queries: ['notEqual("title", ["Lamp"])'], ids: 'bcdef' },
      { queries: ['lessThan("title", ["Z"])'], ids: 'ae' },
      { queries: ['greaterThanEqual("title", ["Zebra"])'], ids: 'bcdf' },
      { queries: ['between("title", "A", "Lamp")'], ids: 'ae' },
      { queries: ['startsWith("title", ["lamp"])'], ids: 'b' },
      { queries: ['startsWith("title", ["Ärger 😀"])'], ids: 'c' },
      { queries: ['startsWith("title", [""])'], ids: 'abcdef' },
      { queries: ['startsWith("title", ["%"])'], ids: '' },
      { queries: ['endsWith("title", ["😀"])'], ids: 'c' },
      { queries: ['endsWith("title", ["lamp"])'], ids: 'e' },
      { queries: ['endsWith("title", ["a much longer text than the title"])'], ids: '' },
      { queries: ['endsWith("title", [""])'], ids: 'abcdef' },
      { queries: ['contains("title", ["lamp"])'], ids: 'be' },
      { queries: ['contains("title", ["_"])'], ids: '' },
      { queries: ['contains("content", ["% off_"])'], ids: 'a' },
      { queries: ['contains("title", ["Ä","Z"])'], ids: 'cd' },
      { queries: ['isNull("title")'], ids: '' },
      { queries: ['isNotNull("title")', 'isNotNull("likeId")'], ids: 'abcdef' },
      { queries: ['isNull("likeId")'], ids: '' },
      { queries: ['equal("$id", ["a","f"])'], ids: 'af' },
      { queries: ['equal("userid", ["bob"])'], ids: 'cf' },
      { queries: ['equal("userName", ["The bob"])'], ids: 'cf' },
      { queries: ['equal("status", ["inactive"])'], ids: 'd' },
      { queries: ['equal("like", [0])'], ids: 'acdf' },
      { queries: ['greaterThan("like", [0])'], ids: 'be' },
      { queries: ['between("like", 1, 1)'], ids: 'e' },
      { queries: ['contains("likeId", ["alice"])'], ids: 'b' },
      { queries: ['equal("likeId", ["alice","bob"])'], ids: 'be' },
      { queries: ['equal("$createdAt", ["2023-11-20T13:37:02.000+00:00"])'], ids: 'cd' },
      { queries: ['greaterThan("$createdAt", ["2023-11-20T15:37:02+02:00"])'], ids: 'ef' },
      { queries: ['lessThanEqual("$updatedAt", ["2023-11-20T13:37:01.000Z"])'], ids: 'ab' },
      { queries: ['equal("status", ["active"])', 'equal("userid", ["alice"])'], ids: 'abe' },
      {
        queries: [
          '{"method":"or","values":[{"method":"equal","attribute":"title","values":["Lamp"]},{"method":"and","values":[{"method":"equal","attribute":"userid","values":["bob"]},{"method":"contains","attribute":"title","values":["test"]}]}]}',
        ],
        ids: 'af',
      },
      { queries: ['orderDesc("$createdAt")'], ids: 'fecdba' },
      { queries: ['orderAsc("$createdAt")'], ids: 'abcdef' },
      { queries: ['orderDesc("")'], ids: 'fedcba' },
      { queries: ['orderAsc("title")'], ids: 'eadfbc' },
      { queries: ['orderDesc("title")'], ids: 'cbfdae' },
      { queries: ['orderDesc("like")'], ids: 'beacdf' },
      { queries: ['orderAsc("userid")', 'orderDesc("title")'], ids: 'bdaecf' },
      { queries: ['limit(2)', 'offset(1)'], ids: 'bc' },
      { queries: ['cursorAfter("c")'], ids: 'def' },
      { queries: ['cursorBefore("c")'], ids: 'ab' },
      { queries: ['cursorBefore("f")', 'limit(2)'], ids: 'de' },
      { queries: ['cursorAfter("f")'], ids: '' },
      { queries: ['cursorBefore("a")'], ids: '' },
      { queries: ['orderDesc("$createdAt")', 'cursorAfter("e")'], ids: 'cdba' },
      { queries: ['orderDesc("$createdAt")', 'cursorAfter("c")'], ids: 'dba' },
      { queries: ['orderDesc("$createdAt")', 'cursorBefore("d")'], ids: 'fec' },
      { queries: ['orderDesc("$createdAt")', 'cursorBefore("a")', 'limit(2)'], ids: 'db' },
      { queries: ['orderDesc("like")', 'cursorAfter("e")', 'limit(2)'], ids: 'ac' },
      { queries: ['orderAsc("userid")', 'orderDesc("title")', 'cursorAfter("a")'], ids: 'ecf' },
      { queries: ['equal("userid", ["alice"])', 'cursorAfter("c")'], ids: 'de' },
    ])('$queries gives $ids', async ({ queries, ids }) => {
      expect((await posts.ids(...queries)).join('')).toBe(ids)
    })
  })

  test('pages by cursor, forwards and backwards, show every post once', async () => {
    await using posts = await start()
    for (const order of [
      [],
      ['orderDesc("$createdAt")'],
      ['orderAsc("like")'],
      ['orderDesc("userid")', 'orderAsc("title")'],
    ]) {
      const all = await posts.ids(...order)
      const forwards: unknown[] = []
      for (
        let page = await posts.ids(...order, 'limit(2)');
        page.length > 0;
        page = await posts.ids(...order, 'limit(2)', `cursorAfter("${page.at(-1)}")`)
      ) {
        forwards.push(...page)
      }
      expect(forwards).toEqual(all)
      const backwards: unknown[] = [all.at(-1)]
      for (;;) {
        const page = await posts.ids(...order, 'limit(2)', `cursorBefore("${backwards[0]}")`)
        if (page.length === 0) break
        backwards.unshift(...page)
      }
      expect(backwards).toEqual(all)
    }
  })

  test('a cursor at a missing post and one at a hidden post get the same refusal', async () => {
    await using posts = await start()
    const errors = []
    for (const id of ['d', 'none']) {
      for (const method of ['cursorAfter', 'cursorBefore']) {
        errors.push(
          await posts
            .list(bob, [`${method}("${id}")`], { hasTotal: true })
            .catch(({ type, message }) => ({ type, message })),
        )
      }
    }
    expect(new Set(errors.map((error) => JSON.stringify(error)))).toEqual(
      new Set([
        '{"type":"general_cursor_not_found","message":"The page marker no longer exists."}',
      ]),
    )
    expect(await posts.ids('cursorAfter("d")')).toEqual(['e', 'f'])
  })

  test('total counts all readable matches, whatever page is shown', async () => {
    await using posts = await start()
    const total = async (viewer: typeof alice | typeof GUEST, ...queries: string[]) =>
      (await posts.list(viewer, queries, { hasTotal: true })).total
    expect(await total(alice)).toBe(6)
    expect(await total(GUEST)).toBe(5)
    expect(await total(bob, 'equal("status", ["inactive"])')).toBe(0)
    expect(
      await total(alice, 'limit(1)', 'offset(3)', 'cursorAfter("b")', 'equal("userid", ["alice"])'),
    ).toBe(4)
    expect((await posts.list(alice, [], { hasTotal: false })).total).toBe(0)
  })

  test('total stops at 5000', async () => {
    await using posts = await start()
    const row = {
      title: 't',
      content: '',
      featuredImage: 'i',
      status: 'active',
      userId: 'bob',
      permissions: '[]',
      readers: 'any',
      createdAt: '2023-01-01T00:00:00.000Z',
      updatedAt: '2023-01-01T00:00:00.000Z',
    }
    for (let from = 0; from < 5010; from += 501) {
      await posts.db
        .insertInto('post')
        .values(Array.from({ length: 501 }, (_, index) => ({ ...row, id: `n${from + index}` })))
        .execute()
    }
    expect((await posts.list(GUEST, ['limit(1)'], { hasTotal: true })).total).toBe(5000)
    expect(
      (
        await posts.list({ role: 'key' }, ['equal("title", ["t"])', 'lessThan("like", [1])'], {
          hasTotal: true,
        })
      ).total,
    ).toBe(5000)
  })

  test('select leaves out everything else except the ids of database and collection', async () => {
    await using posts = await start()
    const { documents } = await posts.list(alice, ['select(["title","$id"])', 'limit(1)'], {
      hasTotal: true,
    })
    expect(documents).toEqual([
      { title: 'Lamp', $id: 'a', $databaseId: 'blogdb', $collectionId: 'posts' },
    ])
    expect(await posts.read(alice, 'a', ['select(["content"])'])).toEqual({
      content: '<p>50% off_now</p>',
      $databaseId: 'blogdb',
      $collectionId: 'posts',
    })
  })

  test('the colour of an image is returned when select names it, only for a complete public file of the content bucket', async () => {
    await using posts = await start()
    const time = '2023-01-01T00:00:00.000Z'
    const addFile = async (
      id: string,
      { bucketId = 'content', color = '#0a14e6', readers = 'any', isComplete = 1 } = {},
    ) => {
      const row = {
        id,
        bucketId,
        color,
        readers,
        isComplete,
        userId: 'alice',
        name: 'x.png',
        mimeType: 'image/png',
        sizeBytes: 1,
        signature: '',
        width: 1,
        height: 1,
        chunksTotal: 1,
        chunksUploaded: 1,
        storedName: `${bucketId}-${id}`,
        permissions: '[]',
      }
      await posts.db
        .insertInto('file')
        .values({ ...row, createdAt: time, updatedAt: time })
        .onConflict((c) =>
          c.columns(['bucketId', 'id']).doUpdateSet({ color, readers, isComplete }),
        )
        .execute()
    }
    await addFile('image-of-a')
    await addFile('image-of-a', { bucketId: 'avatars', color: '#ffffff' })
    await addFile('image-of-b', { readers: 'owner' })
    await addFile('image-of-c', { isComplete: 0 })
    await addFile('image-of-e', { color: '' })
    const colors = async (...queries: string[]) =>
      (await posts.list(alice, ['orderAsc("$id")', ...queries], { hasTotal: false })).documents.map(
        (document) => document.imageColor,
      )
    expect(await colors('select(["title","imageColor"])')).toEqual(['#0a14e6', '', '', '', '', ''])
    expect(await colors('select(["*","imageColor"])')).toEqual(['#0a14e6', '', '', '', '', ''])
    for (const select of [[], ['select(["*"])'], ['select(["title"])']])
      expect(await colors(...select)).toEqual(Array(6).fill(undefined))

    const wholePost = await posts.read(alice, 'a')
    expect(Object.keys(wholePost)).toHaveLength(16)
    expect(wholePost).not.toHaveProperty('imageColor')
    expect(await posts.read(alice, 'a', ['select(["*"])'])).toEqual(wholePost)
    const withColor = { ...wholePost, imageColor: '#0a14e6' }
    expect(await posts.read(alice, 'a', ['select(["*","imageColor"])'])).toEqual(withColor)
    expect(await posts.read(alice, 'f', ['select(["imageColor"])'])).toEqual({
      imageColor: '',
      $databaseId: 'blogdb',
      $collectionId: 'posts',
    })
  })

  test('no text of a query becomes SQL', async () => {
    await using posts = await start()
    const attack = `') or 1=1; drop table post; --`
    for (const method of ['equal', 'notEqual', 'lessThan', 'startsWith', 'endsWith', 'contains']) {
      await posts.ids(JSON.stringify({ method, attribute: 'title', values: [attack] }))
    }
    expect(
      await posts.ids(JSON.stringify({ method: 'equal', attribute: 'title', values: [attack] })),
    ).toEqual([])
    expect(await posts.ids()).toHaveLength(6)
  })

  test('every method with every attribute and odd values is answered or refused, never a fault of the database', {
    tags: ['more'],
  }, async () => {
    await using posts = await start()
    const methods = [
      'equal',
      'notEqual',
      'lessThan',
      'lessThanEqual',
      'greaterThan',
      'greaterThanEqual',
      'startsWith',
      'endsWith',
      'contains',
    ]
    const values = [
      '',
      "'",
      '\\',
      '%',
      '\ud800',
      '\u0000',
      '😀'.repeat(500),
      0,
      -1,
      1.5,
      2 ** 53 - 1,
      2 ** 60,
      true,
      null,
      '2023-11-20',
      '0001-01-01',
    ]
    let answeredCount = 0
    for (const attribute of Object.keys(POST_LIST_SCHEMA)) {
      for (const method of [
        ...methods,
        'between',
        'isNull',
        'isNotNull',
        'orderAsc',
        'orderDesc',
        'search',
      ]) {
        for (const value of methods.includes(method) || method === 'between'
          ? values
          : [undefined]) {
          const queryValues =
            method === 'between' ? [value, value] : value === undefined ? [] : [value]
          const query = JSON.stringify({ method, attribute, values: queryValues })
          try {
            await posts.list(alice, [query, 'cursorAfter("c")'], { hasTotal: true })
            answeredCount++
          } catch (error) {
            if (!(error instanceof Refusal)) throw new Error(`${query} broke`, { cause: error })
          }
        }
      }
    }
    expect(answeredCount).toBeGreaterThan(400)
  })
})
