// Comments that wait for approval, and hidden ones: who shows them again.
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { GUEST } from '../http/viewer.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const young = viewerOf('young')
const operator = { ...viewerOf('operator'), accountRole: 'operator' } as const
const refused = (type: string) => expect.objectContaining({ type })

/** First comments wait; the account of `young` was created just now. */
async function startWithApproval(db: Database) {
  const comments = await makeTestComments(db)
  const { site, posts } = comments
  site.approveFirst = 'on'
  await addPeople(db, ['young'])
  const createdAt = posts.now().toISOString()
  await db.updateTable('user').set({ createdAt }).where('id', '=', 'young').execute()
  return comments
}

describeEachDatabase('approval of comments', (open) => {
  test('the HTML of a comment that may not have links contains none', async () => {
    await using opened = await open()
    const { write, update, page } = await startWithApproval(opened.db)
    const { $id } = await write(young, 'See https://a.example/')
    await update(alice, $id, { status: 'shown' })
    await update(young, $id, { content: 'Or https://b.example/' })
    const { comments } = await page(GUEST, { texts: 'html' })
    expect(comments[0]).toMatchObject({ hasLinks: false, html: '<p dir="auto">Or b.example</p>' })
  })

  test('the first comment waits for approval, except those of the post’s author and of operators', async () => {
    await using opened = await open()
    const { write } = await startWithApproval(opened.db)
    expect(await write(bob, 'one')).toMatchObject({ status: 'waiting', hasLinks: false })
    expect(await write(alice, 'mine')).toMatchObject({ status: 'shown', hasLinks: true })
    expect(await write(operator, 'run')).toMatchObject({ status: 'shown', hasLinks: true })
  })

  test('for a day each comment by a new account waits, even after one was approved', async () => {
    await using opened = await open()
    const { write, update, posts } = await startWithApproval(opened.db)
    const first = await write(young, 'two')
    await update(alice, first.$id, { status: 'shown' })
    expect(await write(young, 'three')).toMatchObject({ status: 'waiting' })
    posts.passSeconds(25 * 3600)
    expect(await write(young, 'four')).toMatchObject({ status: 'shown', hasLinks: true })
  })

  test('the links of an approved comment open once its account is a day old', async () => {
    await using opened = await open()
    const { write, update, posts, page } = await startWithApproval(opened.db)
    await write(bob, 'one')
    const { $id } = await write(young, 'two')
    await update(alice, $id, { status: 'shown' })
    expect(await update(young, $id, { content: 'two b' })).toMatchObject({
      status: 'shown',
      hasLinks: false,
    })
    posts.passSeconds(25 * 3600)
    const { comments } = await page(alice)
    expect(comments.map(({ content, status, hasLinks }) => [content, status, hasLinks])).toEqual([
      ['one', 'waiting', false],
      ['two b', 'shown', true],
    ])
  })

  test('where registration is closed, no comment waits', async () => {
    await using opened = await open()
    const { write, site } = await startWithApproval(opened.db)
    site.isRegistrationOpen = false
    expect(await write(carol, 'five')).toMatchObject({ status: 'shown', hasLinks: true })
  })

  test('the author of the post cannot show what an operator has hidden', async () => {
    await using opened = await open()
    const { write, update, page, hideAll, counts } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'one')
    await update(operator, $id, { status: 'hidden' })
    await expect(update(alice, $id, { status: 'shown' })).rejects.toEqual(
      refused('user_unauthorized'),
    )
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(0)
    expect((await page(GUEST)).comments[0]).toMatchObject({ hiddenBy: 'operator', content: '' })
    await hideAll(operator, 'p', { userId: 'bob', isHidden: false })
    expect((await page(GUEST)).total).toBe(1)
    const { stored, counted } = await counts()
    expect(stored).toEqual(counted)
  })

  test('a comment that was hidden while it waited can be seen only by its writer, and waits again when it is shown', async () => {
    await using opened = await open()
    const { write, update, site, page, hideAll, counts } = await makeTestComments(opened.db)
    site.approveFirst = 'on'
    const spam = await write(carol, 'spam')
    await update(alice, spam.$id, { status: 'hidden' })
    expect((await page(GUEST)).comments).toEqual([])
    expect((await page(carol)).comments).toMatchObject([{ status: 'hidden', content: 'spam' }])
    await hideAll(alice, 'p', { userId: 'carol', isHidden: false })
    expect((await page(carol)).comments).toMatchObject([{ status: 'waiting', hiddenBy: '' }])
    const { stored, counted } = await counts()
    expect(stored).toEqual(counted)
  })

  test('undoing the hiding of all comments does not show those that were hidden one by one', async () => {
    await using opened = await open()
    const { write, update, page, posts, hideAll } = await makeTestComments(opened.db)
    const insult = await write(bob, 'an insult')
    await write(bob, 'one')
    posts.passSeconds(60)
    await write(bob, 'two')
    await update(alice, insult.$id, { status: 'hidden' })
    posts.passSeconds(60)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(2)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(2)
    const contents = (await page(GUEST)).comments.map(({ content }) => content)
    expect(contents).toEqual(['', 'one', 'two'])
  })
})
