// The stored counts of comments and replies agree with the rows after every kind of change.
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST } from '../http/viewer.ts'
import { removeCommentsOf } from './own-comments.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')

describeEachDatabase('counts of comments', (open) => {
  /** Two comments, the first with a reply by carol and one by dora. */
  async function startWithFour(db: Database) {
    const comments = await makeTestComments(db, ['bob', 'carol', 'dora'])
    const { write, page, counts } = comments
    const expectExact = async (total: number) => {
      const { stored, counted } = await counts()
      expect(stored).toEqual(counted)
      expect((await page(GUEST)).total).toBe(total)
    }
    const comment = await write(bob, 'one')
    const two = await write(carol, 'two')
    const reply = await write(carol, 'reply', { parentId: comment.$id })
    const other = await write(viewerOf('dora'), 'other', { parentId: comment.$id })
    await expectExact(4)
    return { ...comments, expectExact, one: comment, two, reply, other }
  }

  test('are exact after a comment is hidden and shown again', async () => {
    await using opened = await open()
    const { update, two, expectExact } = await startWithFour(opened.db)
    await update(alice, two.$id, { status: 'hidden' })
    await expectExact(3)
    await update(alice, two.$id, { status: 'shown' })
    await expectExact(4)
  })

  test('are exact after a person is blocked and unblocked', async () => {
    await using opened = await open()
    const { block, expectExact } = await startWithFour(opened.db)
    await block('dora', true)
    await expectExact(3)
    await block('dora', false)
    await expectExact(4)
  })

  test('are exact after a comment with replies is deleted, even while the writer of a reply is blocked', async () => {
    await using opened = await open()
    const { block, remove, page, one, expectExact } = await startWithFour(opened.db)
    await block('dora', true)
    await remove(bob, one.$id)
    await expectExact(2)
    expect((await page(GUEST)).comments[0]).toMatchObject({ status: 'deleted', content: '' })
    await block('dora', false)
    await expectExact(3)
  })

  test('are exact after all comments by a person are hidden and shown again', async () => {
    await using opened = await open()
    const { hideAll, remove, one, expectExact } = await startWithFour(opened.db)
    await remove(bob, one.$id)
    await hideAll(alice, 'p', { userId: 'carol', isHidden: true })
    await expectExact(1)
    await hideAll(alice, 'p', { userId: 'carol', isHidden: false })
    await expectExact(3)
  })

  test('are exact after a post is restored while one of its commenters is blocked', async () => {
    await using opened = await open()
    const { posts, page, block, expectExact } = await startWithFour(opened.db)
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    await expect(page(GUEST)).rejects.toEqual(
      expect.objectContaining({ type: 'document_not_found' }),
    )
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
    await expectExact(2)
    await block('carol', false)
    await expectExact(4)
  })

  test('are exact after an account is deleted; a deleted comment is removed with its last reply', async () => {
    await using opened = await open()
    const { remove, page, posts, one, reply, expectExact } = await startWithFour(opened.db)
    await remove(bob, one.$id)
    await inTransaction(opened.db, posts.background, (tx) => removeCommentsOf(tx, 'dora'))
    await expectExact(2)
    await remove(carol, reply.$id)
    await expectExact(1)
    expect((await page(GUEST)).comments.map(({ content }) => content)).toEqual(['two'])
  })
})
