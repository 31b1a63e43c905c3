// Where files are used, on both databases, with the real rules of posts: what goes with a post, an
// edit or an avatar, what stays, what an owner's own deletion means, and saves at the same moment.
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
  test('a post that is deleted for good takes along the files that only it shows, in its cover or its body', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'inside', 'shared', 'other']) await site.upload(alice, id)
    await site.upload(bob, 'foreign')
    await site.upload(key, 'operators')
    const content = showing('inside', 'shared', 'foreign', 'operators', 'missing')
    await site.posts.write(alice, 'one', { featuredImage: 'cover', content })
    await site.posts.write(alice, 'two', { featuredImage: 'other', content: showing('shared') })
    await site.posts.remove(alice, 'one', ALWAYS)
    expect(await site.ids()).toHaveLength(6)
    await site.endDeleted()
    expect(await site.ids()).toEqual(['foreign', 'operators', 'other', 'shared'])
    await site.posts.remove(key, 'two', ALWAYS)
    await site.endDeleted()
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
  ])('$name keeps a file when its post is deleted', async ({ author, name: _name, ...data }) => {
    await using site = await makeFileSite(open)
    for (const id of ['shared', 'own']) await site.upload(alice, id)
    await site.upload(bob, 'bobs')
    await site.posts.write(alice, 'one', { featuredImage: 'shared' })
    await site.posts.write(author, 'two', data)
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.endDeleted()
    expect(await site.ids()).toEqual(['bobs', 'own', 'shared'])
  })

  test('a cover goes with the edit that replaces it; what a text showed stays as long as a version shows it', async () => {
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

  test('a post may do without a cover: none is noted, and the one that it had goes', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'cover')
    await site.posts.write(alice, 'bare', { featuredImage: '' })
    await site.posts.write(alice, 'covered', { featuredImage: 'cover' })
    await site.edit(alice, 'covered', { featuredImage: '' })
    expect(await site.ids()).toEqual([])
  })

  test('what a draft that saves itself no longer shows stays for a day', async () => {
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

  test('a version of somebody else keeps no file from its readers, and keeps none at all', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['free', 'inside', 'other']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: '', content: showing('inside') })
    await site.posts.write(bob, 'two', { featuredImage: '', content: showing('free', 'inside') })
    await site.edit(bob, 'two', { content: '' })
    const seen = await site.files.readVisible('content', 'free', { role: 'guest' })
    expect(seen).toMatchObject({ id: 'free', isPublic: true })
    await site.posts.remove(alice, 'one', ALWAYS)
    await site.endDeleted()
    expect(await site.ids()).toEqual(['free', 'other'])
  })

  test('what a deleted post showed is not shown again by the text of somebody else', async () => {
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

  test('what only versions and deleted posts show is there for its owner alone', async () => {
    await using site = await makeFileSite(open)
    for (const id of ['cover', 'inside', 'early']) await site.upload(alice, id)
    await site.posts.write(alice, 'one', { featuredImage: 'cover', content: showing('early') })
    await site.edit(alice, 'one', { content: showing('inside') })
    const seenBy = async (viewer: Viewer) => {
      const found = await Promise.allSettled(
        ['cover', 'early', 'inside'].map((id) => site.files.readVisible('content', id, viewer)),
      )
      return found.map((one) => (one.status === 'fulfilled' ? one.value.isPublic : 'none'))
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

  test('the own files name earlier versions and deleted posts that keep them, and none twice', async () => {
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

  test('an avatar goes when another replaces it, and stays while a program may only have sent old prefs', async () => {
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

  test('a file that nothing ever used goes after a day; used ones, avatars and the operator’s stay', async () => {
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
    const left = ['cover', 'face', 'face-in-the-other-bucket', 'inside', 'operators', 'young']
    expect(await site.ids()).toEqual(left)
  })

  test('an account takes its files along, and what it showed of others stays', async () => {
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

  test('after its post is deleted, its owner may delete it, which takes effect with the end of the post', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'cover')
    await site.posts.write(alice, 'one', { featuredImage: 'cover' })
    await site.posts.remove(alice, 'one', ALWAYS)
    for (const _again of [1, 2]) await site.files.remove('content', 'cover', alice)
    for (const other of [bob, { role: 'guest' } as const])
      await expect(site.files.remove('content', 'cover', other)).rejects.toMatchObject(gone)
    expect(await site.ids()).toEqual(['cover'])
    await site.endDeleted()
    await site.files.remove('content', 'cover', alice)
    for (const other of [bob, key, { role: 'guest' } as const])
      await expect(site.files.remove('content', 'cover', other)).rejects.toMatchObject(gone)
    site.passDay()
    await expect(site.files.remove('content', 'cover', alice)).rejects.toMatchObject(gone)
  })

  test('a program may delete the file before the post, and both at once', async () => {
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
    await site.endDeleted()
    expect(await site.ids()).toEqual([])
  })

  test.each([
    { name: 'the post, then the file', isFileFirst: false },
    { name: 'the file, then the post', isFileFirst: true },
  ])('$name: another post keeps its cover', async ({ isFileFirst }) => {
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
    await site.endDeleted()
    await site.files.remove('content', 'shared', alice)
    expect(await site.ids()).toEqual([])
  })

  test('a body of somebody else holds no file against its owner', async () => {
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

describeEachDatabase('saves at the same moment', (open) => {
  test('a post that begins to show an image either has it or is refused', async () => {
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
    const failed = (await Promise.allSettled(edits)).filter(({ status }) => status === 'rejected')
    for (const one of failed)
      expect((one as PromiseRejectedResult).reason).toMatchObject({
        type: 'document_invalid_structure',
      })
    const left = await site.ids()
    const shown = await site.db.selectFrom('postFile').select('fileId').distinct().execute()
    for (const { fileId } of shown.filter((one) => one.fileId !== ''))
      expect(left).toContain(fileId)
  })
})
