// What a post shows, as the rules of posts tell files, and how it is read from a body.

import { expect, test } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { FILES_IN_BODY_MAX, findShownFiles, listShownFiles } from './tags-and-files.ts'

const alice = viewerOf('alice')
const EDIT = { permissions: undefined, unlessNewerThan: undefined }

testEachDatabase(
  'files hears what a post shows, at creation, change and deletion',
  async (open) => {
    await using opened = await open()
    await addPeople(opened.db, ['alice'])
    const posts = makeTestPosts(opened.db)
    const address = '/v1/storage/buckets/content/files/inside/view?project=blog'
    const content = `<p><img src="${address}"><img src="${address}"><a href="/v1/storage/buckets/other/files/no/view">x</a></p>`
    await posts.write(alice, 'one', { featuredImage: 'cover', content })
    await posts.update(alice, 'one', { ...EDIT, data: { title: 'other', featuredImage: 'new' } })
    await posts.update(alice, 'one', { ...EDIT, data: { content: '<p>none</p>' } })
    await posts.remove(alice, 'one', { unlessNewerThan: undefined })
    expect(posts.notedFiles.map(({ shown }) => shown)).toEqual([
      { cover: 'cover', body: ['inside'] },
      { cover: 'new', body: ['inside'] },
      { cover: undefined, body: [] },
      undefined,
    ])
    expect(new Set(posts.notedFiles.map(({ postId, ownerId }) => `${ownerId}/${postId}`))).toEqual(
      new Set(['alice/one']),
    )
  },
)

test('a body may show a bounded number of different files', async () => {
  const body = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `<img src="/v1/storage/buckets/content/files/f${at}/preview?width=4">`,
    ).join('')
  const list = (count: number) =>
    listShownFiles(
      { contentBucketId: 'content', findOwnFiles: async () => new Set() },
      {} as Database,
      { userId: 'alice', content: body(count), featuredImage: '', attributes: '' },
    )
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
])('%s', (_name, html, shown) => {
  expect(findShownFiles(html, 'content')).toEqual(shown)
})
