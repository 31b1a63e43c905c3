// Files that extra attributes of a post refer to: they stay as long as the post does.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { makeFileSite } from '#test/support/file-site.ts'
import { viewerOf } from '#test/support/posts.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const ALWAYS = { unlessNewerThan: undefined }
const address = (id: string) =>
  `https://blog.example/v1/storage/buckets/content/files/${id}/view?project=blog`

describeEachDatabase('files that attributes name', (open) => {
  test('stay while a post refers to them, and are deleted with the last reference', async () => {
    await using site = await makeFileSite(open, { hasExtraAttributes: true })
    for (const id of ['cover', 'by-id', 'by-address', 'unused']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', {
      featuredImage: 'cover',
      imageId: 'by-id',
      banner: address('by-address'),
      slug: 'one',
    })
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['by-address', 'by-id', 'cover'])
    await site.edit(alice, 'one', { views: 1 })
    await site.edit(alice, 'one', { imageId: null, featuredImage: '' })
    expect(await site.ids()).toEqual(['by-address'])
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.expireDeleted()
    expect(await site.ids()).toEqual([])
  })

  test('are restored with a deleted post', async () => {
    await using site = await makeFileSite(open, { hasExtraAttributes: true })
    await site.upload(alice, 'named')
    await site.posts.write(alice, 'one', { featuredImage: '', imageId: 'named' })
    await site.posts.remove(alice, 'one', ALWAYS)
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['named'])
    const page = { userId: undefined, cursor: undefined, limit: 1 }
    const [deleted] = (await site.posts.listDeleted(alice, page)).deleted
    await site.posts.restoreDeleted(alice, String(deleted?.$id))
    expect(await site.posts.read(alice, 'one', undefined)).toMatchObject({ imageId: 'named' })
    await site.edit(alice, 'one', { imageId: 'other' })
    site.passDay()
    await site.files.sweep()
    // The version that the deletion recorded still refers to it.
    expect(await site.ids()).toEqual(['named'])
  })

  test('are neither preserved nor deleted by a reference in a post by another user', async () => {
    await using site = await makeFileSite(open, { hasExtraAttributes: true })
    for (const id of ['used', 'unused']) await site.upload(bob, id)
    await site.posts.write(bob, 'his', { featuredImage: 'used' })
    await site.posts.write(alice, 'hers', { featuredImage: '', image: 'used', other: 'unused' })
    await site.edit(alice, 'hers', { image: null, other: null })
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['used'])
  })
})
