// What an author decides about a post beside its text: its form, and where it is stored and shown.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { describeEachDatabase, makePostgresDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { makeDataDir } from '#test/support/process.ts'
import { openDatabase } from '../database/database.ts'
import { GUEST } from '../http/viewer.ts'
import { listNewest, makePublicPosts } from '../post-lists/public-posts.ts'
import { streamDeletedOf } from '../versions/deleted-posts.ts'
import { applyDetailChanges, parseDetails, readDetail } from './post-details.ts'

const alice = viewerOf('alice')
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const DETAILS = {
  excerpt: 'Light by night',
  addressWords: 'lamps-by-night',
  metaTitle: 'Lamps',
  metaDescription: 'All about lamps',
  canonicalUrl: 'https://example.test/lamps',
}

test.each([
  ['excerpt', ' Two\n lines ', 'Two lines'],
  ['excerpt', '\u200b', ''],
  ['metaTitle', null, ''],
  ['addressWords', 'Flut & Größe!', 'flut-größe'],
  ['canonicalUrl', ' HTTPS://Example.test/a b ', 'https://example.test/a%20b'],
] as const)('%s is stored in one form: %j', (name, value, stored) => {
  expect(readDetail(name, value)).toBe(stored)
})

test.each([
  ['excerpt', 'a'.repeat(301)],
  ['excerpt', 5],
  ['excerpt', 'a\u0007'],
  ['metaTitle', 'a'.repeat(121)],
  ['metaDescription', 'a'.repeat(301)],
  ['addressWords', '… !'],
  ['canonicalUrl', '/post/lamps'],
  ['canonicalUrl', 'javascript:alert(1)'],
  ['canonicalUrl', 'https://user:word@example.test/'],
  ['canonicalUrl', `https://example.test/${'a'.repeat(2000)}`],
] as const)('%s is refused: %j', (name, value) => {
  expect(() => readDetail(name, value)).toThrow('Invalid document structure')
})

test('lengths are counted in code points', () => {
  expect(readDetail('excerpt', '😀'.repeat(300))).toHaveLength(600)
})

test('a text of megabytes is refused before it is cleaned', () => {
  const refuse = (words: number) =>
    expect(() => readDetail('excerpt', 'a '.repeat(words))).toThrow('no longer than 300 chars')
  const costMs = (words: number) => threadCpuMs(() => refuse(words))
  costMs(1000)
  expect(costMs(2_000_000)).toBeLessThan(10 * Math.max(costMs(20_000), 2))
})

test('an empty text removes what is stored, and the last one leaves nothing', () => {
  const stored = applyDetailChanges('', { excerpt: 'a', metaTitle: 'b' })
  expect(parseDetails(applyDetailChanges(stored, { excerpt: '' }))).toEqual({ metaTitle: 'b' })
  expect(applyDetailChanges(stored, { excerpt: '', metaTitle: '' })).toBe('')
})

describeEachDatabase('the details of a post', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    const posts = makeTestPosts(opened.db)
    await posts.write(alice, 'lamps', { ...DETAILS, content: '<p>oil</p>', tags: ['lamp'] })
    return {
      ...posts,
      save: (data: Record<string, unknown>) => posts.update(alice, 'lamps', { data, ...ALWAYS }),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('are in its document and in lists, and null where they are selected and missing', async () => {
    await using blog = await start()
    expect(await blog.read(GUEST, 'lamps')).toMatchObject(DETAILS)
    const { documents } = await blog.list(GUEST, [], { hasTotal: false })
    expect(documents).toMatchObject([DETAILS])
    await blog.save({ excerpt: null, addressWords: '' })
    const post = await blog.read(GUEST, 'lamps')
    expect(post).not.toHaveProperty('excerpt')
    expect(await blog.read(GUEST, 'lamps', ['select(["excerpt","metaTitle"])'])).toMatchObject({
      excerpt: null,
      metaTitle: 'Lamps',
    })
  })

  test('follow it into the deleted posts, its export and back', async () => {
    await using blog = await start()
    await blog.remove(alice, 'lamps', { unlessNewerThan: undefined })
    expect(await Array.fromAsync(streamDeletedOf(blog, alice))).toMatchObject([DETAILS])
    const page = { userId: undefined, cursor: undefined, limit: 9 }
    const [deleted] = (await blog.listDeleted(alice, page)).deleted
    expect(await blog.restoreDeleted(alice, deleted?.$id ?? '')).toMatchObject(DETAILS)
  })

  test('end with the post that is deleted for good', async () => {
    await using blog = await start()
    await blog.remove(alice, 'lamps', { unlessNewerThan: undefined })
    const page = { userId: undefined, cursor: undefined, limit: 9 }
    const [deleted] = (await blog.listDeleted(alice, page)).deleted
    await blog.purgeDeleted(alice, deleted?.$id ?? '')
    expect(await blog.db.selectFrom('postDetails').selectAll().execute()).toEqual([])
  })

  test('change the tags of its page, of lists and of pages that link to it', async () => {
    await using blog = await start()
    const read = async () => {
      const { rows } = await sql<{ name: string; version: string }>`
        select name, sum(version) as version from "cacheTag" group by name`.execute(blog.db)
      return new Map(rows.map(({ name, version }) => [name, Number(version)]))
    }
    for (const data of [{ excerpt: 'Other' }, { excerpt: '', addressWords: '' }]) {
      const before = await read()
      await blog.save(data)
      const after = await read()
      for (const tag of ['post:lamps', 'link:lamps', 'texts'])
        expect(after.get(tag), tag).not.toBe(before.get(tag))
    }
  })

  test('are in feeds; a post whose original is elsewhere is not in the sitemap', async () => {
    await using blog = await start()
    const { addressWords, excerpt } = DETAILS
    expect(await listNewest(blog, {})).toMatchObject([{ addressWords, excerpt }])
    const listSitemap = async () =>
      (await Array.fromAsync(makePublicPosts(blog.db).streamPart(0))).flat()
    expect(await listSitemap()).toEqual([])
    await blog.save({ canonicalUrl: '' })
    expect(await listSitemap()).toMatchObject([{ $id: 'lamps', addressWords }])
  })

  test('are what the search shows of a text without hits', async () => {
    await using blog = await start()
    const find = async (q: string) => (await blog.search(GUEST, { q, page: 1 })).documents
    const { addressWords, excerpt } = DETAILS
    expect(await find('lamps')).toMatchObject([{ addressWords, snippet: [{ text: excerpt }] }])
    expect(await find('oil')).toMatchObject([{ snippet: [{ text: 'oil', isHit: true }] }])
  })

  test('name the neighbours of a post', async () => {
    await using blog = await start()
    blog.tick()
    await blog.write(alice, 'newer')
    const { previous, others } = await blog.readAdjacentPosts(GUEST, 'newer')
    const { addressWords } = DETAILS
    expect([previous, others]).toMatchObject([{ addressWords }, [{ addressWords }]])
  })

  test('include whether comments are closed, which its author says with the post', async () => {
    await using blog = await start()
    expect(await blog.read(GUEST, 'lamps')).not.toHaveProperty('commentsClosed')
    for (const commentsClosed of [true, false, true])
      await blog.save({ commentsClosed, title: String(commentsClosed) })
    expect(await blog.read(GUEST, 'lamps')).toMatchObject({ commentsClosed: true })
    await blog.write(alice, 'quiet', { status: 'inactive', commentsClosed: true })
    const rows = blog.db.selectFrom('discussion').select(['postId', 'isClosed'])
    expect(await rows.orderBy('postId').execute()).toEqual([
      { postId: 'lamps', isClosed: 1 },
      { postId: 'quiet', isClosed: 1 },
    ])
  })
})

describe('extra attributes that had the names of details', () => {
  const EXTRAS = {
    excerpt: 'Short "words"',
    metaTitle: 'a'.repeat(121),
    canonicalUrl: 'https://example.test/a?b=c',
    addressWords: 5,
    page: true,
    slug: 'lamps',
  }
  const MOVED = { excerpt: EXTRAS.excerpt, canonicalUrl: EXTRAS.canonicalUrl }
  const OTHERS = {
    old_metaTitle: EXTRAS.metaTitle,
    old_addressWords: 5,
    old_page: true,
    slug: 'lamps',
  }

  async function openOld(kind: 'SQLite' | 'PostgreSQL') {
    const stack = new AsyncDisposableStack()
    const dataDir = stack.use(await makeDataDir()).path
    const postgres =
      kind === 'PostgreSQL' ? await makePostgresDatabase({ isEmpty: true }) : undefined
    if (postgres) stack.defer(postgres.drop)
    const place = { dataDir, databaseUrl: postgres?.url }
    const old = await openDatabase({ ...place, upTo: '0101-cache-tags' })
    return { old, place, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  for (const [kind, tags] of [
    ['SQLite', []],
    ['PostgreSQL', ['more']],
  ] as [kind: 'SQLite' | 'PostgreSQL', tags: string[]][])
    test(`become them where they are valid, and get another name else (${kind})`, {
      tags,
    }, async () => {
      await using opened = await openOld(kind)
      const { old, place } = opened
      await addPeople(old, ['alice'])
      const attributes = JSON.stringify(EXTRAS)
      const only = JSON.stringify(MOVED)
      for (const id of ['mixed', 'only', 'none'])
        await sql`insert into post (id, title, "featuredImage", status, "userId", permissions,
            readers, "createdAt", "updatedAt", content)
          values (${id}, 'a', '', 'active', 'alice', '[]', 'any', '2024', '2024', '')`.execute(old)
      await sql`insert into "postExtra" values ('mixed', ${attributes}), ('only', ${only})`.execute(
        old,
      )
      await sql`insert into "deletedPost" (id, "postId", "userId", title, "featuredImage", status,
          permissions, readers, "isHidden", attributes, "createdAt", "updatedAt", "deletedAt",
          content)
        values ('d', 'gone', 'alice', 'a', '', 'active', '[]', 'any', 0, ${only}, '2024', '2024',
          '2024', '')`.execute(old)
      await old.destroy()
      const db = await openDatabase(place)
      const details = await db.selectFrom('postDetails').selectAll().orderBy('seq').execute()
      const byPost = details.map(({ postId, deletedId, details: text }) => [
        postId ?? deletedId,
        JSON.parse(text),
      ])
      expect(Object.fromEntries(byPost)).toEqual({ mixed: MOVED, only: MOVED, d: MOVED })
      const extras = await db.selectFrom('postExtra').selectAll().execute()
      expect(extras.map(({ attributes: text }) => JSON.parse(text))).toEqual([OTHERS])
      const deleted = await db.selectFrom('deletedPost').select('attributes').execute()
      expect(deleted).toEqual([{ attributes: '' }])
      await db.destroy()
    })
})
