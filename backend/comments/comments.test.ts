// The rules of comments on both databases: who writes, edits, deletes and hides, one level of
// replies, and counts that stay exact.
import { describe, expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { DATABASES } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST } from '../http/viewer.ts'
import { removeCommentsOf } from './own-comments.ts'

const [alice, bob, carol] = [viewerOf('alice'), viewerOf('bob'), viewerOf('carol')]
const refused = (type: string) => expect.objectContaining({ type })

describe.each(DATABASES)('comments on %s', (_name, open) => {
  test('a comment is written, read by all, and counted; a reply to a reply joins the level', async () => {
    await using opened = await open()
    const { write, page, posts } = await makeTestComments(opened.db)
    const first = await write(bob, ' One\r\ntwo\u0000 ')
    expect(first).toMatchObject({
      ...{ content: 'One\ntwo', userId: 'bob', userName: 'The bob', status: 'shown', place: 1 },
      ...{ postId: 'p', parentId: '', hasLinks: true, $collectionId: 'comments' },
    })
    const reply = await write(carol, 'A reply', { parentId: first.$id })
    const second = await write(alice, 'To the reply', { parentId: reply.$id })
    expect([reply.parentId, second.parentId, second.place]).toEqual([first.$id, first.$id, 0])
    await write(carol, 'Another')
    const shown = await page(GUEST)
    expect(shown).toMatchObject({
      ...{ total: 4, page: 1, pages: 1, state: 'open', canWrite: false, canModerate: false },
    })
    expect(shown.comments.map(({ content, replies }) => [content, replies])).toEqual([
      ['One\ntwo', 2],
      ['Another', 0],
    ])
    expect(shown.comments[0]?.replyList.map(({ content }) => content)).toEqual([
      ...['A reply', 'To the reply'],
    ])
    const asked = [JSON.stringify({ method: 'select', values: ['comments'] })]
    expect(await posts.read(GUEST, 'p', asked)).toMatchObject({ comments: 4 })
    expect(await page(alice)).toMatchObject({ canWrite: true, canModerate: true })
  })

  test('counts are exact after deletes, hides, blocks, the bin and the end of an account', async () => {
    await using opened = await open()
    const all = await makeTestComments(opened.db, ['bob', 'carol', 'dora'])
    const { write, remove, update, page, posts, block, counts, hideAll } = all
    const dora = viewerOf('dora')
    const exact = async (total: number) => {
      const { stored, counted } = await counts()
      expect(stored).toEqual(counted)
      expect((await page(GUEST)).total).toBe(total)
    }
    const one = await write(bob, 'one')
    const two = await write(carol, 'two')
    const reply = await write(carol, 'reply', { parentId: one.$id })
    await write(dora, 'other', { parentId: one.$id })
    await exact(4)
    await update(alice, two.$id, { status: 'hidden' })
    await exact(3)
    await block('dora', true)
    await exact(2)
    await update(alice, two.$id, { status: 'shown' })
    await remove(bob, one.$id)
    await exact(2)
    expect((await page(GUEST)).comments[0]).toMatchObject({ status: 'deleted', content: '' })
    await block('dora', false)
    await exact(3)
    await hideAll(alice, 'p', { userId: 'carol', isHidden: true })
    await exact(1)
    await hideAll(alice, 'p', { userId: 'carol', isHidden: false })
    await exact(3)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    await expect(page(GUEST)).rejects.toEqual(refused('document_not_found'))
    await block('carol', true)
    const { deleted } = await posts.listDeleted(alice, {
      userId: undefined,
      cursor: undefined,
      limit: 9,
    })
    await posts.restoreDeleted(alice, deleted[0]?.$id ?? '')
    await posts.update(alice, 'p', {
      data: { status: 'active' },
      permissions: undefined,
      unlessNewerThan: undefined,
    })
    await exact(1)
    await block('carol', false)
    await exact(3)
    await inTransaction(opened.db, posts.background, (tx) => removeCommentsOf(tx, 'dora'))
    await exact(2)
    // The deleted comment goes with its last reply.
    await remove(carol, reply.$id)
    await exact(1)
    expect((await page(GUEST)).comments.map(({ content }) => content)).toEqual(['two'])
  })
})
