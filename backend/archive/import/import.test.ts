// What comes of an import: posts with their dates, tags and states, as typed posts.
import { expect, test } from 'vitest'
import { addNewUser, makeUserRow } from '#backend/accounts/users.ts'
import {
  DATABASES,
  type DatabaseKind,
  makePostgresDatabase,
} from '../../../test/support/databases.ts'
import { importExport, openImportBlog, undo } from '../../../test/support/imports.ts'

async function openBlog(kind: DatabaseKind = 'SQLite') {
  const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const blog = await openImportBlog({ databaseUrl: postgres?.url ?? '' })
  const { db } = blog.context
  const ada = { id: 'ada', email: 'ada@blog.example', name: 'Ada', passwordHash: 'x' }
  await addNewUser(db, { ...makeUserRow(ada, new Date()), isVerified: 1 })
  const readPosts = async () =>
    await db.selectFrom('post').selectAll().orderBy('createdAt').orderBy('title').execute()
  return {
    ...blog,
    db,
    readPosts,
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await postgres?.drop()
    },
  }
}

for (const [kind, tags] of DATABASES) {
  test(`a published post keeps its dates, tags, excerpt and text (${kind})`, { tags }, async () => {
    await using blog = await openBlog(kind)
    const post = {
      key: '1',
      html: '<p>Waves <script>alert(1)</script>and <b>wind</b>.</p>',
      tags: ['Sea & Sky', 'wind'],
      excerpt: 'About waves.',
    }

    const { imported } = await importExport(blog, { posts: [post] }, { ownerId: 'ada' })

    expect(imported).toMatchObject({ posts: 1, drafts: 0, tags: 2 })
    const [row] = await blog.readPosts()
    expect(row).toMatchObject({
      title: 'A day at sea',
      content: '<p>Waves and <b>wind</b>.</p>',
      status: 'active',
      userId: 'ada',
      createdAt: '2019-05-04T08:00:00.000Z',
      publishedAt: '2019-05-04T08:00:00.000Z',
      updatedAt: '2019-05-05T08:00:00.000Z',
    })
    const tags = await blog.db.selectFrom('postTag').select('name').orderBy('place').execute()
    expect(tags.map(({ name }) => name)).toEqual(['Sea-Sky', 'wind'])
    const words = await blog.db.selectFrom('searchPost').select('title').execute()
    expect(words).toEqual([{ title: ' a day at sea ' }])
  })

  test(`the same file again changes nothing, and a newer one brings only what is new (${kind})`, {
    tags,
  }, async () => {
    await using blog = await openBlog(kind)
    const posts = [{ key: '1' }, { key: '2', title: 'Second' }]
    await importExport(blog, { posts }, { ownerId: 'ada' })
    const before = await blog.readPosts()

    const again = await importExport(blog, { posts }, { ownerId: 'ada', runId: 'run-2' })
    expect(again.check.willImport.posts).toBe(0)
    expect(again.imported.posts).toBe(0)
    expect(await blog.readPosts()).toEqual(before)

    const newer = { posts: [...posts, { key: '3', title: 'Third' }] }
    const later = await importExport(blog, newer, { ownerId: 'ada', runId: 'run-3' })
    expect(later.imported.posts).toBe(1)
    expect((await blog.readPosts()).map(({ title }) => title)).toEqual([
      'A day at sea',
      'Second',
      'Third',
    ])
  })

  test(`an undone import leaves nothing, and can be repeated (${kind})`, { tags }, async () => {
    await using blog = await openBlog(kind)
    const exported = {
      people: [{ key: 'bo', name: 'Bo', email: 'bo@old.example' }],
      posts: [{ key: '1', authors: ['bo'], url: 'https://old.example/2019/05/sea/' }],
      comments: [
        { key: 'c1', postKey: '1' },
        { key: 'c2', postKey: '1', parentKey: 'c1' },
      ],
    }
    const first = await importExport(blog, exported)
    expect(first.imported).toMatchObject({ posts: 1, comments: 2, people: 1, addresses: 1 })

    expect(await undo(blog)).toEqual({ removed: 1, kept: 0 })
    await blog.context.background.drained()

    for (const table of ['post', 'comment', 'importedItem', 'oldAddress', 'unclaimedUser'] as const)
      expect(await blog.db.selectFrom(table).selectAll().execute(), table).toEqual([])
    const people = await blog.db.selectFrom('user').select('id').execute()
    expect(people).toEqual([{ id: 'ada' }])

    const again = await importExport(blog, exported, { runId: 'run-2' })
    expect(again.imported).toEqual(first.imported)
  })
}
