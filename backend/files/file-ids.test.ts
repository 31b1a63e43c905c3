// The owner of a file id, on both databases: the first uploader, for ever.
import { expect, test } from 'vitest'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { makeFileSite } from '#test/support/file-site.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const key: Viewer = { role: 'key' }
const TAKEN = { type: 'storage_file_already_exists', status: 409 }
const SECOND_CHUNK = {
  contentRange: `bytes ${CHUNK_BYTES}-${CHUNK_BYTES + 19}/${CHUNK_BYTES + 20}`,
  bytes: Buffer.alloc(20),
}

describeEachDatabase('ids of files', (open) => {
  test.each([
    { name: 'deleted by its owner', owner: alice, sending: {} },
    { name: 'an upload that was never completed', owner: alice, sending: SECOND_CHUNK },
    { name: 'uploaded by the API key', owner: key, sending: {} },
  ])('$name: the id stays its owner’s', async ({ owner, sending }) => {
    await using site = await makeFileSite(open)
    await site.upload(owner, 'mine', sending)
    await site.files.remove('content', 'mine', owner)
    for (const other of [alice, bob, key].filter((viewer) => viewer !== owner)) {
      await expect(site.upload(other, 'mine')).rejects.toMatchObject(TAKEN)
      await expect(site.upload(other, 'mine', SECOND_CHUNK)).rejects.toMatchObject(TAKEN)
    }
    expect(await site.ids()).toEqual([])
    await site.upload(owner, 'mine')
    await site.upload(bob, 'mine', { bucketId: 'avatars' })
    expect(await site.ids()).toEqual(['mine', 'mine'])
  })

  test('an id stays its owner’s after the upload has expired, or the sweep or its post has deleted the file', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'expired', SECOND_CHUNK)
    await site.upload(alice, 'swept')
    site.passDay()
    await site.files.sweep()
    await site.upload(alice, 'cover')
    await site.posts.write(alice, 'one', { featuredImage: 'cover' })
    await site.posts.remove(alice, 'one', { unlessNewerThan: undefined })
    await site.expireDeleted()
    expect(await site.ids()).toEqual([])
    for (const id of ['expired', 'swept', 'cover'])
      await expect(site.upload(bob, id)).rejects.toMatchObject(TAKEN)
    await site.upload(alice, 'cover')
    await site.files.remove('content', 'cover', alice)
    await expect(site.files.remove('content', 'cover', alice)).rejects.toMatchObject({
      type: 'storage_file_not_found',
    })
  })

  test('once the account of its owner is deleted nobody owns an id, not even a new account under the same user id', async () => {
    await using site = await makeFileSite(open)
    await site.upload(alice, 'mine')
    await site.posts.write(alice, 'one', { featuredImage: 'mine' })
    await site.posts.remove(alice, 'one', { unlessNewerThan: undefined })
    await inTransaction(site.db, site.background, async (tx, afterCommit) => {
      await tx.deleteFrom('user').where('id', '=', 'alice').execute()
      await site.files.removeFilesOf(tx, afterCommit, 'alice')
    })
    await addPeople(site.db, ['alice'])
    for (const other of [alice, bob, key])
      await expect(site.upload(other, 'mine')).rejects.toMatchObject(TAKEN)
    await expect(site.files.remove('content', 'mine', alice)).rejects.toMatchObject({
      type: 'storage_file_not_found',
    })
  })

  test('one of several concurrent uploads under one id succeeds', async () => {
    await using site = await makeFileSite(open)
    const everybody = [alice, bob, key, alice, bob]
    const uploads = await Promise.allSettled(everybody.map((viewer) => site.upload(viewer, 'mine')))
    for (const upload of uploads)
      if (upload.status === 'rejected') expect(upload.reason).toMatchObject(TAKEN)
    expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await site.ids()).toEqual(['mine'])
  })
})
