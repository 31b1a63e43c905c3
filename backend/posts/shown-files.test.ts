// The files that a post shows: how they are found in a body, and stored.

import { expect, test } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { addImage, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { FILES_IN_BODY_MAX, findShownFiles, listShownFiles } from './shown-files.ts'

const alice = viewerOf('alice')
const EDIT = { permissions: undefined, unlessNewerThan: undefined }

testEachDatabase(
  'the files that a post shows are stored at creation and change, and deleted with the post',
  async (open) => {
    await using opened = await open()
    await addPeople(opened.db, ['alice'])
    const posts = makeTestPosts(opened.db)
    for (const id of ['cover', 'inside', 'new']) await addImage(opened.db, 'alice', id)
    const listShownRows = async () => {
      const rows = await opened.db.selectFrom('postFile').selectAll().orderBy('place').execute()
      return rows.map(({ postId, place, fileId }) => `${postId} ${place} ${fileId}`)
    }
    const address = '/v1/storage/buckets/content/files/inside/view?project=blog'
    const content = `<p><img src="${address}"><img src="${address}"><a href="/v1/storage/buckets/other/files/no/view">x</a></p>`
    await posts.write(alice, 'one', { featuredImage: 'cover', content })
    expect(await listShownRows()).toEqual(['one body inside', 'one cover cover'])
    await posts.update(alice, 'one', { ...EDIT, data: { title: 'other', featuredImage: 'new' } })
    expect(await listShownRows()).toEqual(['one body inside', 'one cover new'])
    await posts.update(alice, 'one', { ...EDIT, data: { content: '<p>none</p>' } })
    expect(await listShownRows()).toEqual(['one cover new'])
    await posts.remove(alice, 'one', { unlessNewerThan: undefined })
    expect(await listShownRows()).toEqual([])
  },
)

test('a body may show a bounded number of different files', async () => {
  const body = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `<img src="/v1/storage/buckets/content/files/f${at}/preview?width=4">`,
    ).join('')
  const list = (count: number) =>
    listShownFiles({ contentBucketId: 'content' } as PostsContext, {} as Database, {
      userId: 'alice',
      content: body(count),
      featuredImage: '',
      attributes: '',
    })
  expect(await list(FILES_IN_BODY_MAX)).toHaveLength(FILES_IN_BODY_MAX)
  await expect(list(FILES_IN_BODY_MAX + 1)).rejects.toThrow(/different files/)
})

test.each([
  ['an image', '<img src="/v1/storage/buckets/content/files/a-1.x/view?project=blog">', ['a-1.x']],
  [
    'a player with a still',
    '<video poster="/v1/storage/buckets/content/files/a/view"></video>',
    ['a'],
  ],
  [
    'a link to the whole image',
    '<a href="/v1/storage/buckets/content/files/a/download">x</a>',
    ['a'],
  ],
  ['another bucket', '<img src="/v1/storage/buckets/other/files/a/view">', []],
  ['another page of the file', '<a href="/v1/storage/buckets/content/files/a/viewer">x</a>', []],
  ['no id', '<a href="/v1/storage/buckets/content/files/-a/view">x</a>', []],
])('the files of %s are found, if there are any', (_name, html, shown) => {
  expect(findShownFiles(html, 'content')).toEqual(shown)
})
