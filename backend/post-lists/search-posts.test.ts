// The search for posts in real SQL on both databases: which posts a reader finds, in which order.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX } from '#contract/limits.ts'
import { describeEachDatabase, openSqlite, untilLockWaits } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { indexWords } from '../post-texts/word-index-store.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY = { role: 'key' } as const
const noSignal = { signal: new AbortController().signal }

describeEachDatabase('searching posts', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    const posts = makeTestPosts(opened.db)
    const findIds = async (q: string, viewer: Viewer = GUEST) =>
      (await posts.search(viewer, { q, page: 1 })).documents.map(({ $id }) => $id).join(' ')
    return {
      ...posts,
      db: opened.db,
      findIds,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  async function startWithNights() {
    const posts = await start()
    await posts.write(alice, 'title', { title: 'Crème at NIGHT', content: '<p>x</p>' })
    await posts.write(alice, 'half', { title: 'A night', content: '<p>with crème</p>' })
    await posts.write(alice, 'text', { title: 'Other', content: '<p>cre&#768;me</p><p>nights</p>' })
    await posts.write(alice, 'one', { title: 'Creme', content: '<p>day</p>' })
    await posts.write(alice, 'tag', { title: 'Tag', content: '<p class="night">crem</p>' })
    return posts
  }

  test('a post is found by all words in any spelling, titles first', async () => {
    await using posts = await startWithNights()
    expect(await posts.findIds('creme night')).toBe('title half text')
    expect(await posts.findIds('night')).toBe('half title text')
  })

  test('words are found by their beginnings', async () => {
    await using posts = await startWithNights()
    expect(await posts.findIds('NIG Crè')).toBe('title half text')
    expect(await posts.findIds('ni')).toBe('half title text')
    expect(await posts.findIds('crem')).toBe('one title tag text half')
    expect(await posts.findIds('ight')).toBe('')
  })

  test('a post is not found when a word is missing, or stands only in the markup', async () => {
    await using posts = await startWithNights()
    expect(await posts.findIds('strong')).toBe('')
    expect(await posts.findIds('class')).toBe('')
    expect(await posts.findIds('day x')).toBe('')
  })

  test('the words of a phrase stand side by side in its order', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'The night train', content: '' })
    await posts.write(alice, 'b', {
      title: 'train',
      content: '<p>the <b>night</b>, then a train</p>',
    })
    await posts.write(alice, 'c', { title: 'x', content: '<p>One night-train</p>' })
    await posts.write(bob, 'd', { title: 'The end', content: '<p>a train by night</p>' })
    expect(await posts.findIds('"night train"')).toBe('a c')
    expect(await posts.findIds('“Night Train” the')).toBe('a')
    expect(await posts.findIds('"night tra"')).toBe('')
    expect(await posts.findIds('"the train"')).toBe('')
  })

  test('scripts without spaces are found anywhere in a text', async () => {
    await using posts = await start()
    await posts.write(bob, 'a', { title: '東京タワーへ行く', content: '' })
    await posts.write(bob, 'b', { title: 'x', content: '<p>京東</p>' })
    expect(await posts.findIds('タワー')).toBe('a')
    expect(await posts.findIds('東京')).toBe('a')
    expect(await posts.findIds('京')).toBe('a b')
    expect(await posts.findIds('京都')).toBe('')
    expect(await posts.findIds('東京行')).toBe('')
  })

  test('posts behind any number of drafts are found', async () => {
    await using posts = await start()
    for (const id of ['a', 'b', 'c'])
      await posts.write(bob, id, { title: `Lamp ${id}`, content: '' })
    for (let at = 0; at < 80; at++)
      await posts.write(alice, `draft${at}`, { title: 'Lamp', content: '', status: 'inactive' })
    expect(await posts.findIds('lamp')).toBe('c b a')
    expect((await posts.search(alice, { q: 'lamp', page: 1 })).total).toBe(83)
  })

  test('one post with many unusual words does not change the search for others', async () => {
    await using posts = await start()
    const odd = Array.from({ length: 2000 }, (_none, at) => String.fromCodePoint(0x1100 + at))
    const words = odd.filter((one) => /^\p{L}$/u.test(one.normalize('NFKD')))
    expect(words.length).toBeGreaterThan(500)
    await posts.write(alice, 'lamp', { title: 'The lamp' })
    await posts.write(alice, 'odd', {
      title: 'x',
      content: words.map((one) => `th${one}x`).join(' '),
    })
    expect(await posts.findIds('th la')).toBe('lamp')
  })

  test('a post that is unpublished or deleted while it is being indexed is not counted', async () => {
    await using posts = await start()
    const { db } = posts
    await posts.write(alice, 'back', { title: 'secret lamp' })
    await posts.write(alice, 'gone', { title: 'secret light' })
    await forgetWords(db)
    const { promise: isUnpublished, resolve } = Promise.withResolvers<void>()
    const filling = isUnpublished.then(() => posts.backfillIndex(noSignal))
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('post').set({ status: 'inactive' }).where('id', '=', 'back').execute()
      await tx.deleteFrom('post').where('id', '=', 'gone').execute()
      resolve()
      if (isShared(db)) await Promise.race([filling, untilLockWaits(db)])
    })
    await filling
    expect(await posts.search(GUEST, { q: 'secret', page: 1 })).toEqual({ total: 0, documents: [] })
    expect((await posts.search(alice, { q: 'secret', page: 1 })).total).toBe(1)
  })

  test('a post that is deleted in the transaction that indexes it leaves no word in the index', async () => {
    await using posts = await start()
    const { db } = posts
    await posts.write(alice, 'gone', { title: 'secret lamp' })
    const { seq } = await db.selectFrom('post').select('seq').executeTakeFirstOrThrow()
    await db.transaction().execute(async (tx) => {
      await indexWords(tx, seq, { title: 'secret lamp', body: 'and its light' })
      await tx.deleteFrom('post').where('id', '=', 'gone').execute()
    })
    const holding = isShared(db)
      ? sql`select seq from "searchPost" where lexemes @@ 'light'`
      : sql`select rowid from "postWords" where "postWords" match 'light'`
    expect((await holding.execute(db)).rows).toEqual([])
  })

  test('posts can be deleted while they are being indexed, without a deadlock', async () => {
    await using posts = await start()
    const { db } = posts
    await posts.write(alice, 'one', { title: 'first lamp' })
    await posts.write(alice, 'two', { title: 'second lamp' })
    await forgetWords(db)
    const { promise: isBegun, resolve } = Promise.withResolvers<void>()
    const filling = isBegun.then(() => posts.backfillIndex(noSignal))
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('post').where('id', '=', 'one').execute()
      resolve()
      if (isShared(db)) await Promise.race([filling, untilLockWaits(db)])
      await tx.deleteFrom('post').where('id', '=', 'two').execute()
    })
    await filling
    expect(await posts.search(alice, { q: 'lamp', page: 1 })).toEqual({ total: 0, documents: [] })
  })

  describe('readers find, and count, only posts that they may read', () => {
    /** Posts by alice: active, inactive, hidden and for herself; a deleted post by bob. */
    async function startWithSecrets() {
      const posts = await start()
      await posts.write(alice, 'shown', { title: 'secret lamp' })
      await posts.write(alice, 'draft', { title: 'secret draft', status: 'inactive' })
      await posts.write(alice, 'hidden', { title: 'secret hidden' })
      await posts.hide(KEY, 'hidden', true)
      await posts.create(alice, {
        documentId: 'narrow',
        data: { title: 'secret narrow' },
        permissions: [`read("user:alice")`],
      })
      await posts.write(bob, 'gone', { title: 'secret gone' })
      await posts.remove(bob, 'gone', { unlessNewerThan: undefined })
      return {
        ...posts,
        count: async (viewer: Viewer) =>
          (await posts.search(viewer, { q: 'secret', page: 1 })).total,
        [Symbol.asyncDispose]: () => posts[Symbol.asyncDispose](),
      }
    }

    test.each([
      ['guests', GUEST, 'shown'],
      ['other members', bob, 'shown'],
      ['the author', alice, 'narrow hidden draft shown'],
    ])('%s', async (_, viewer, ids) => {
      await using posts = await startWithSecrets()
      expect(await posts.findIds('secret', viewer)).toBe(ids)
      expect(await posts.count(viewer)).toBe(ids.split(' ').length)
    })

    test('posts are found once they are shown again or published', async () => {
      await using posts = await startWithSecrets()
      await posts.hide(KEY, 'hidden', false)
      await posts.update(alice, 'draft', change({ status: 'active' }))
      expect(await posts.findIds('secret')).toBe('hidden draft shown')
    })

    test('only the API key can find posts by a blocked author', async () => {
      await using posts = await startWithSecrets()
      await posts.db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'alice').execute()
      expect([await posts.findIds('secret'), await posts.count(GUEST)]).toEqual(['', 0])
      expect(await posts.findIds('secret', KEY)).toBe('narrow hidden draft shown')
    })
  })

  test('a changed post is found by its new words alone', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'first words', content: '<p>body</p>' })
    await posts.update(alice, 'a', change({ title: 'second words' }))
    expect([await posts.findIds('first'), await posts.findIds('second body')]).toEqual(['', 'a'])
    await posts.update(alice, 'a', change({ content: '<p>text</p>' }))
    expect([await posts.findIds('body'), await posts.findIds('second text')]).toEqual(['', 'a'])
  })

  test('a deleted post is found again once it is restored', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'second words', content: '<p>text</p>' })
    await posts.remove(alice, 'a', { unlessNewerThan: undefined })
    expect(await posts.findIds('second', alice)).toBe('')
    const page = { userId: undefined, cursor: undefined, limit: 1 }
    const [deletedPost] = (await posts.listDeleted(alice, page)).deleted
    await posts.restoreDeleted(alice, deletedPost?.$id ?? '')
    expect(await posts.findIds('second text', alice)).toBe('a')
  })

  test('the words of the posts by a deleted account are removed from the index', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'second words', content: '<p>text</p>' })
    await inTransaction(posts.db, posts.background, (tx) => posts.removePostsOf(tx, 'alice'))
    expect(await posts.findIds('second', KEY)).toBe('')
    expect(await posts.db.selectFrom('searchPost').selectAll().execute()).toEqual([])
  })

  test('posts older than the index are added to it, and are found by lists until then', async () => {
    await using posts = await start()
    for (let at = 0; at < 45; at++) await posts.write(alice, `p${at}`, { title: `old number${at}` })
    await forgetWords(posts.db)
    expect((await posts.list(GUEST, ['search("title", ["number7"])'], all)).total).toBe(1)
    await posts.backfillIndex(noSignal)
    expect(await posts.findIds('number7')).toBe('p7')
    expect((await posts.search(GUEST, { q: 'old', page: 1 })).total).toBe(45)
  })

  test('a post that is changed by SQL is indexed, and is found by lists until then', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'before' })
    await posts.db.updateTable('post').set({ title: 'written past' }).execute()
    expect((await posts.list(GUEST, ['search("title", ["past"])'], all)).total).toBe(1)
    const waiting = posts.db.selectFrom('searchPost').select('seq').where('title', 'is', null)
    expect(await waiting.execute()).toHaveLength(1)
    await posts.backfillIndex(noSignal)
    expect([await posts.findIds('past'), await posts.findIds('before')]).toEqual(['a', ''])
    expect(await waiting.execute()).toEqual([])
  })

  // Few results are ranked by their titles, many by the index; of too many only some are listed.
  for (const count of [30, 230, 1030])
    test(`${count} results are paged by rank and then by age, and counted on all pages`, {
      tags: count > 1000 ? ['more'] : [],
    }, async () => {
      await using posts = await start()
      const titles = ['Lamp oil', 'The lamp', 'Other']
      for (let at = 0; at < count; at++)
        await posts.write(alice, `p${at}`, {
          title: titles[at % 3] ?? '',
          content: '<p>lamps, oil</p>',
        })
      const ids: number[] = []
      const totals = new Set<number>()
      for (let page = 1; page <= Math.ceil(count / SEARCH_PAGE_POSTS) + 1; page++) {
        const { total, documents } = await posts.search(GUEST, { q: 'lamp oi', page })
        totals.add(total)
        ids.push(...documents.map(({ $id }) => Number($id.slice(1))))
      }
      const newest = Array.from({ length: count }, (_, at) => count - 1 - at)
      const ranked = [0, 1, 2].flatMap((rank) => newest.filter((at) => at % 3 === rank))
      expect(ids).toEqual(ranked.slice(0, SEARCH_RESULTS_MAX))
      expect([...totals]).toEqual([Math.min(count, SEARCH_RESULTS_MAX)])
    })

  test('a result shows its title and a piece of its text as plain text, with the matches marked', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', {
      title: 'A <b>lamp</b>',
      content: '<p>Tom &amp; the lamp &lt;script&gt;</p>',
    })
    const { documents } = await posts.search(GUEST, { q: 'lamp', page: 1 })
    expect(documents).toMatchObject([
      {
        titleParts: [
          { text: 'A <b>', isHit: false },
          { text: 'lamp', isHit: true },
          { text: '</b>', isHit: false },
        ],
        snippet: [
          { text: 'Tom & the ', isHit: false },
          { text: 'lamp', isHit: true },
          { text: ' <script>', isHit: false },
        ],
        userName: 'The alice',
        status: 'active',
        hidden: false,
      },
    ])
  })

  test.each([
    "it's",
    '%_\\',
    '"; drop table post; --',
    'NEAR(a b)',
    'a AND NOT b',
    '* ^ab',
    "':*&|!",
  ])('%j is searched as plain words', async (q) => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: `with ${q}` })
    await posts.search(GUEST, { q: `${q} with`, page: 1 })
    expect(await posts.findIds(`${q} with`)).toBe('a')
  })

  test('a search of a list finds words by their beginnings, together with other conditions', async () => {
    await using posts = await start()
    await posts.write(alice, 'a', { title: 'Crème', content: '<p>Night trains</p>' })
    await posts.write(bob, 'b', { title: 'night', content: '<p>creme</p>' })
    const ids = async (...queries: string[]) =>
      (await posts.list(GUEST, queries, all)).documents.map(({ $id }) => $id).join(' ')
    expect(await ids('search("content", ["nig"])')).toBe('a')
    expect(await ids('search("title", ["creme night"])')).toBe('a b')
    expect(await ids('search("content", ["train creme"])', 'equal("userid", ["bob"])')).toBe('b')
    expect(await ids('notSearch("title", ["creme"])')).toBe('b')
    expect(await ids('search("title", ["ight"])')).toBe('')
    expect(await ids('search("content", ["\\"Night tr\\""])')).toBe('a')
  })
})

const all = { hasTotal: true }

function change(data: Record<string, unknown>) {
  return { data, permissions: undefined, unlessNewerThan: undefined }
}

/** The state after the update that introduced the index. */
async function forgetWords(db: Database): Promise<void> {
  await db.updateTable('searchPost').set({ title: null }).execute()
  await (isShared(db)
    ? sql`update "searchPost" set lexemes = null`
    : sql`insert into "postWords" ("postWords") values ('delete-all')`
  ).execute(db)
}

test('on SQLite a post is found behind 9,000 unreadable posts with the same words', async () => {
  await using opened = await openSqlite()
  await addPeople(opened.db, ['alice'])
  const posts = makeTestPosts(opened.db)
  const find = async () =>
    (await posts.search(GUEST, { q: 'lamp', page: 1 })).documents.map(({ $id }) => $id)
  const addUnseen = (from: number, to: number) =>
    sql`with recursive seqs(seq) as (select ${from} union all select seq + 1 from seqs where seq < ${to})
      insert into "postWords" (rowid, body) select seq, 'lamp' from seqs`.execute(opened.db)
  await posts.write(alice, 'old', { content: '<p>lamp</p>' })
  await addUnseen(2, 9000)
  expect(await find()).toEqual(['old'])
  await addUnseen(9001, 10_001)
  expect(await find()).toEqual([])
})
