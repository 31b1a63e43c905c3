// Uses of files, on both databases, with the real rules of posts: which files are deleted with a
// post, an edit or an avatar, which stay, deletions by the owner, and concurrent saves.
import { expect, test } from 'vitest'
import { VERSIONS_MAX } from '#backend/posts/record-version.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { makeFileSite } from '#test/support/file-site.ts'
import { viewerOf } from '#test/support/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const key: Viewer = { role: 'key' }
const ALWAYS = { unlessNewerThan: undefined }
const NO_COVER = { title: 'Secret', featuredImage: '', status: 'inactive' }
const FIRST_PAGE = { userId: undefined, cursor: undefined, limit: 10 }

function showing(...ids: string[]): string {
  return ids.map((id) => `<img src="/v1/storage/buckets/content/files/${id}/view">`).join('')
}

describeEachDatabase('uses of files', (open) => {
  test('permanently deleting a post deletes the files that only its cover or body shows', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'inside', 'shared', 'other']) await site.upload(alice, id)
    await site.upload(bob, 'foreign')
    await site.upload(key, 'operators')
    const content = showing('inside', 'shared', 'foreign', 'operators', 'missing')
    await site.posts.write(alice, 'one', { featuredImage: 'cover', content })
    await site.posts.write(alice, 'two', { featuredImage: 'other', content: showing('shared') })
    await site.posts.remove(alice, 'one', ALWAYS)
    expect(await site.ids()).toHaveLength(6)
    await site.expireDeleted()
    expect(await site.ids()).toEqual(['foreign', 'operators', 'other', 'shared'])
    await site.posts.remove(key, 'two', ALWAYS)
    await site.expireDeleted()
    expect(await site.ids()).toEqual(['foreign', 'operators'])
  })

  test.each([
    { name: 'the cover of another own post', author: alice, featuredImage: 'shared', content: '' },
    {
      name: 'the body of an inactive post',
      author: alice,
      featuredImage: 'own',
      content: showing('shared'),
      status: 'inactive',
    },
    {
      name: 'the body of another author’s post',
      author: bob,
      featuredImage: 'bobs',
      content: showing('shared'),
    },
  ])(
    '$name preserves a file when its post is deleted',
    async ({ author, name: _name, ...data }) => {
      await using site = await makeFileSite(open)
      for (const id of ['shared', 'own']) await site.upload(alice, id)
      await site.upload(bob, 'bobs')
      await site.posts.write(alice, 'one', { featuredImage: 'shared' })
      await site.posts.write(author, 'two', data)
      await site.posts.remove(alice, 'one', ALWAYS)
      await site.expireDeleted()
      expect(await site.ids()).toEqual(['bobs', 'own', 'shared'])
    },
  )

  test('a replaced cover is deleted at once; a file of the text only with the last version showing it', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['a', 'b', 'c', 'd']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: 'a', content: showing('b') })
    await site.edit(alice, 'one', { title: 'another title' })
    await site.edit(alice, 'one', { featuredImage: 'd' })
    expect(await site.ids()).toEqual(['b', 'c', 'd'])
    await site.edit(alice, 'one', { content: showing('c') })
    for (let save = 0; save < VERSIONS_MAX - 1; save += 1)
      await site.edit(key, 'one', { title: `title ${save}` })
    expect(await site.ids()).toEqual(['c', 'd'])
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['c', 'd'])
  })

  test('a post without a cover has no reference, and removing the cover deletes its file', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'cover')
    await site.posts.write(alice, 'bare', { featuredImage: '' })
    await site.posts.write(alice, 'covered', { featuredImage: 'cover' })
    await site.edit(alice, 'covered', { featuredImage: '' })
    expect(await site.ids()).toEqual([])
  })

  test('a file that an autosave no longer shows stays for a day', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['a', 'b']) await site.upload(alice, id)
    const inactive = { featuredImage: '', status: 'inactive' }
    await site.posts.write(alice, 'one', { ...inactive, content: '<p>first</p>' })
    const autosave = (content: string) =>
      site.posts.update(alice, 'one', {
        data: { content },
        permissions: undefined,
        isAutosave: true,
        ...ALWAYS,
      })
    await autosave(showing('a', 'b'))
    await autosave(showing('b'))
    expect(await site.ids()).toEqual(['a', 'b'])
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['b'])
  })

  test('a version of another user neither hides a file from its readers nor preserves it', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['free', 'inside', 'other']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: '', content: showing('inside') })
    await site.posts.write(bob, 'two', { featuredImage: '', content: showing('free', 'inside') })
    await site.edit(bob, 'two', { content: '' })
    const seen = await site.files.readVisible('content', 'free', { role: 'guest' })
    expect(seen).toMatchObject({ id: 'free', isPublic: true })
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.expireDeleted()
    expect(await site.ids()).toEqual(['free', 'other'])
  })

  test('a file of a deleted post stays hidden when a post by another user shows it', async () => {
    await using site = await makeFileSite(open)
    const guest = { role: 'guest' } as const
    const seen = () => site.files.readVisible('content', 'inside', guest).then(({ id }) => id)
    const missing = { type: 'storage_file_not_found' }
    await site.upload(alice, 'inside')
    await site.posts.write(alice, 'one', { featuredImage: '', content: showing('inside') })
    await site.posts.write(bob, 'two', { featuredImage: '' })
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.edit(bob, 'two', { content: showing('inside') })
    await site.posts.write(bob, 'three', { featuredImage: '', content: showing('inside') })
    await expect(seen()).rejects.toMatchObject(missing)
    const [deleted] = (await site.posts.listDeleted(alice, FIRST_PAGE)).deleted
    await site.posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(await seen()).toBe('inside')
    await site.posts.remove(alice, 'one', ALWAYS)
    await expect(seen()).rejects.toMatchObject(missing)
  })

  test('a file that only versions and deleted posts show is visible to its owner alone', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'inside', 'early']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: 'cover', content: showing('early') })
    await site.edit(alice, 'one', { content: showing('inside') })
    const seenBy = async (viewer: Viewer) => {
      const results = await Promise.allSettled(
        ['cover', 'early', 'inside'].map((id) => site.files.readVisible('content', id, viewer)),
      )
      return results.map((result) =>
        result.status === 'fulfilled' ? result.value.isPublic : 'none',
      )
    }
    const guest = { role: 'guest' } as const
    expect(await seenBy(guest)).toEqual([true, 'none', true])
    expect(await seenBy(alice)).toEqual([true, false, true])
    await site.posts.remove(alice, 'one', ALWAYS)
    for (const other of [guest, bob]) expect(await seenBy(other)).toEqual(['none', 'none', 'none'])
    expect(await seenBy(alice)).toEqual([false, false, false])
    const [deleted] = (await site.posts.listDeleted(alice, { ...FIRST_PAGE })).deleted
    await site.posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(await seenBy(guest)).toEqual([true, 'none', true])
  })

  test('the list of own files names versions and deleted posts as uses, each once', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['nowhere', 'cover', 'early', 'inside', 'lent']) await site.upload(alice, id)
    const uses = async () => {
      const page = { isUnused: false, cursor: undefined, limit: 10 }
      const { files, unused } = await site.files.listOwn('alice', page)
      return { unused, ...Object.fromEntries(files.map((file) => [file.$id, file.uses])) }
    }
    const data = { title: 'One', featuredImage: 'cover', content: showing('early', 'inside') }
    await site.posts.write(alice, 'one', data)
    await site.posts.write(bob, 'two', { ...NO_COVER, content: showing('lent') })
    for (const content of [`<p>2</p>${showing('early', 'inside')}`, showing('inside')])
      await site.edit(alice, 'one', { content })
    const ofOne = { postId: 'one', title: 'One' }
    expect(await uses()).toEqual({
      unused: 1,
      nowhere: [],
      cover: [{ place: 'cover', ...ofOne }],
      early: [{ place: 'version', ...ofOne }],
      inside: [{ place: 'body', ...ofOne }],
      lent: [{ place: 'elsewhere' }],
    })
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.posts.remove(bob, 'two', ALWAYS)
    const ofDeleted = [{ place: 'deleted', title: 'One' }]
    expect(await uses()).toEqual({
      unused: 2,
      nowhere: [],
      lent: [],
      cover: ofDeleted,
      early: ofDeleted,
      inside: ofDeleted,
    })
  })

  test('a replaced avatar is deleted; one that outdated prefs no longer name stays for a day', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['first', 'second']) await site.upload(alice, id, { bucketId: 'avatars' })
    await site.setAvatar('alice', 'first')
    await site.setAvatar('alice', 'second')
    expect(await site.ids()).toEqual(['second'])
    await site.files.remove('avatars', 'first', alice)
    site.passDay()
    await site.setAvatar('alice', 'first')
    await site.files.sweep()
    expect(await site.ids()).toEqual(['second'])
    await site.setAvatar('alice', 'second')
    await site.setAvatar('alice', undefined)
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual([])
  })

  test('an unused file is deleted after a day; used files, avatars and those of the API key stay', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'inside', 'unused']) await site.upload(alice, id)
    await site.upload(alice, 'face', { bucketId: 'avatars' })
    await site.upload(alice, 'unused', { bucketId: 'avatars' })
    await site.upload(alice, 'face-in-the-other-bucket')
    await site.upload(key, 'operators')
    const data = { featuredImage: 'cover', content: showing('inside') }
    await site.posts.write(alice, 'one', { ...data, status: 'inactive' })
    await site.setAvatar('alice', 'face')
    await site.setAvatar('bob', 'face-in-the-other-bucket')
    await site.files.sweep()
    expect(await site.ids()).toHaveLength(7)
    site.passDay()
    await site.upload(alice, 'young')
    await site.files.sweep()
    const remaining = ['cover', 'face', 'face-in-the-other-bucket', 'inside', 'operators', 'young']
    expect(await site.ids()).toEqual(remaining)
  })

  test('deleting an account deletes its files, but not those of others that it showed', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'own')
    await site.upload(bob, 'bobs')
    await site.posts.write(alice, 'one', { featuredImage: 'own', content: showing('bobs') })
    await site.posts.write(bob, 'two', { featuredImage: 'bobs', content: showing('own') })
    const background = makeBackground(makeLog('silent'))
    await inTransaction(site.db, background, async (tx, afterCommit) => {
      await tx.deleteFrom('user').where('id', '=', 'alice').execute()
      await site.posts.removePostsOf(tx, 'alice')
      await site.files.removeFilesOf(tx, afterCommit, 'alice')
    })
    await background.drained()
    expect(await site.ids()).toEqual(['bobs'])
    expect(
      await site.db.selectFrom('postFile').select(['postId', 'fileId']).execute(),
    ).toHaveLength(2)
  })
})

describeEachDatabase('deleting a file that a post shows or showed', (open) => {
  const gone = { type: 'storage_file_not_found' }

  test('the owner may delete a file of a deleted post, which has effect once the post is purged', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'cover')
    await site.posts.write(alice, 'one', { featuredImage: 'cover' })
    await site.posts.remove(alice, 'one', ALWAYS)
    for (const _again of [1, 2]) await site.files.remove('content', 'cover', alice)
    for (const other of [bob, { role: 'guest' } as const])
      await expect(site.files.remove('content', 'cover', other)).rejects.toMatchObject(gone)
    expect(await site.ids()).toEqual(['cover'])
    await site.expireDeleted()
    await site.files.remove('content', 'cover', alice)
    for (const other of [bob, key, { role: 'guest' } as const])
      await expect(site.files.remove('content', 'cover', other)).rejects.toMatchObject(gone)
    site.passDay()
    await expect(site.files.remove('content', 'cover', alice)).rejects.toMatchObject(gone)
  })

  test('a program may delete the file before the post, or both concurrently', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'other']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: 'cover' })
    await site.posts.write(alice, 'two', { featuredImage: 'other' })
    await site.files.remove('content', 'cover', alice)
    expect(await site.ids()).toEqual(['other'])
    await site.posts.remove(alice, 'one', ALWAYS)
    await expect(site.files.remove('content', 'cover', alice)).rejects.toMatchObject(gone)
    await Promise.all([
      site.posts.remove(alice, 'two', ALWAYS),
      site.files.remove('content', 'other', alice),
    ])
    await site.expireDeleted()
    expect(await site.ids()).toEqual([])
  })

  test.each([
    { name: 'the post, then the file', isFileFirst: false },
    { name: 'the file, then the post', isFileFirst: true },
  ])('$name: another post still has its cover', async ({ isFileFirst }) => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'shared')
    await site.posts.write(alice, 'one', { featuredImage: 'shared' })
    await site.posts.write(alice, 'two', { featuredImage: 'shared' })
    if (isFileFirst) await site.files.remove('content', 'shared', alice)
    await site.posts.remove(alice, 'one', ALWAYS)
    if (!isFileFirst) await site.files.remove('content', 'shared', alice)
    expect(await site.ids()).toEqual(['shared'])
    site.passDay()
    await site.files.sweep()
    expect(await site.ids()).toEqual(['shared'])
    await site.expireDeleted()
    await site.files.remove('content', 'shared', alice)
    expect(await site.ids()).toEqual([])
  })

  test('the body of another user’s post does not prevent the owner from deleting a file', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'mine')
    await site.upload(bob, 'bobs')
    await site.posts.write(bob, 'two', { featuredImage: 'bobs', content: showing('mine') })
    await site.edit(bob, 'two', { title: 'again', content: `${showing('mine')}<p>x</p>` })
    await site.files.remove('content', 'mine', alice)
    expect(await site.ids()).toEqual(['bobs'])
  })

  test('an edit that deletes the old cover first leaves it in the body', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['old', 'new']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: 'old', content: showing('old') })
    await site.files.remove('content', 'old', alice)
    await site.edit(alice, 'one', { featuredImage: 'new' })
    expect(await site.ids()).toEqual(['new', 'old'])
  })
})

describeEachDatabase('concurrent saves', (open) => {
  test('a post that adds an image that is being deleted has it, or is refused', async () => {
    await using site = await makeFileSite(open)
    for (let round = 0; round < 3; round += 1) {
      const image = `image-${round}`
      await site.upload(alice, image)
      await site.posts.write(alice, `a-${round}`, { featuredImage: image })
      await site.posts.remove(alice, `a-${round}`, ALWAYS)
      const [deleted] = (await site.posts.listDeleted(alice, { ...FIRST_PAGE })).deleted
      const [, saved] = await Promise.allSettled([
        site.posts.purgeDeleted(alice, deleted?.$id ?? ''),
        site.posts.write(alice, `b-${round}`, { featuredImage: image }),
      ])
      const isThere = (await site.ids()).includes(image)
      if (saved.status === 'rejected')
        expect(saved.reason).toMatchObject({ type: 'document_invalid_structure' })
      expect(isThere).toBe(saved.status === 'fulfilled')
    }
  })

  test('posts that exchange their images wait for each other without a deadlock', async () => {
    await using site = await makeFileSite(open)
    const ids = Array.from({ length: 8 }, (_, at) => `image-${at}`)
    for (const id of ids) await site.upload(alice, id)
    for (const at of [0, 1, 2, 3])
      await site.posts.write(alice, `post-${at}`, {
        featuredImage: ids[at],
        content: showing(...ids),
      })
    const edits = Array.from({ length: 12 }, (_, at) =>
      site.edit(alice, `post-${at % 4}`, {
        featuredImage: ids[(at * 3) % 8],
        content: showing(...(at % 2 ? ids.slice(at % 8) : ids.toReversed().slice(at % 5))),
      }),
    )
    const rejected = (await Promise.allSettled(edits)).filter(({ status }) => status === 'rejected')
    for (const outcome of rejected)
      expect((outcome as PromiseRejectedResult).reason).toMatchObject({
        type: 'document_invalid_structure',
      })
    const remaining = await site.ids()
    const rows = await site.db.selectFrom('postFile').select('fileId').distinct().execute()
    for (const { fileId } of rows.filter((row) => row.fileId !== ''))
      expect(remaining).toContain(fileId)
  })
})
