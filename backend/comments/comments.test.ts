// The rules of comments on both databases: who writes, edits, deletes and hides, one level of
// replies, and counts that stay exact.
import { expect, test } from 'vitest'
import { COMMENT_MAX_CHARS } from '#contract/comments.ts'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { removeCommentsOf, streamCommentsOf } from './own-comments.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const KEY: Viewer = { role: 'key' }
const operator = { ...viewerOf('operator'), accountRole: 'operator' } as const
const refused = (type: string) => expect.objectContaining({ type })

describeEachDatabase('comments', (open) => {
  test('a comment is stored without control characters and outer spaces, and returned with its fields', async () => {
    await using opened = await open()
    const { write } = await makeTestComments(opened.db)
    expect(await write(bob, ' One\r\ntwo\u0000 ')).toMatchObject({
      content: 'One\ntwo',
      userId: 'bob',
      userName: 'The bob',
      status: 'shown',
      place: 1,
      postId: 'p',
      parentId: '',
      hasLinks: true,
      $collectionId: 'comments',
    })
  })

  test('a reply to a reply joins the replies of the first comment', async () => {
    await using opened = await open()
    const { write, page } = await makeTestComments(opened.db)
    const first = await write(bob, 'One')
    const reply = await write(carol, 'A reply', { parentId: first.$id })
    const second = await write(alice, 'To the reply', { parentId: reply.$id })
    expect([reply.parentId, second.parentId, second.place]).toEqual([first.$id, first.$id, 0])
    const [comment] = (await page(GUEST)).comments
    expect(comment?.replyList.map(({ content }) => content)).toEqual(['A reply', 'To the reply'])
  })

  test('the page and the post say how many comments and replies there are', async () => {
    await using opened = await open()
    const { write, page, posts } = await makeTestComments(opened.db)
    const first = await write(bob, 'One')
    for (const content of ['A reply', 'Another reply'])
      await write(carol, content, { parentId: first.$id })
    await write(carol, 'Another')
    const { comments, ...shown } = await page(GUEST)
    expect(shown).toMatchObject({ total: 4, page: 1, pages: 1 })
    expect(comments.map(({ content, replies }) => [content, replies])).toEqual([
      ['One', 2],
      ['Another', 0],
    ])
    const queries = [JSON.stringify({ method: 'select', values: ['comments'] })]
    expect(await posts.read(GUEST, 'p', queries)).toMatchObject({ comments: 4 })
  })

  test('a page says whether its viewer may write and moderate', async () => {
    await using opened = await open()
    const { page } = await makeTestComments(opened.db)
    expect(await page(GUEST)).toMatchObject({ state: 'open', canWrite: false, canModerate: false })
    expect(await page(alice)).toMatchObject({ canWrite: true, canModerate: true })
  })
})

describeEachDatabase('rules of comments', (open) => {
  test('a comment can be as long as the limit says, and no longer', async () => {
    await using opened = await open()
    const { write, page } = await makeTestComments(opened.db)
    const longest = '😀'.repeat(COMMENT_MAX_CHARS)
    await expect(write(bob, `${longest}.`)).rejects.toEqual(refused('document_invalid_structure'))
    expect((await page(GUEST)).total).toBe(0)
    expect((await write(bob, longest)).content).toBe(longest)
  })

  test('a comment without text, with nothing visible, or with unknown fields is refused', async () => {
    await using opened = await open()
    const { write, page } = await makeTestComments(opened.db)
    for (const content of ['', ' \n ', '\u200b\u00ad', 7, null, ['x'], { a: 1 }])
      await expect(write(bob, content as string)).rejects.toEqual(
        refused('document_invalid_structure'),
      )
    await expect(write(bob, 'x', { status: 'shown' } as object)).rejects.toEqual(
      refused('document_invalid_structure'),
    )
    expect((await page(GUEST)).total).toBe(0)
  })

  test('control characters and lone surrogates are removed from a comment', async () => {
    await using opened = await open()
    const { write } = await makeTestComments(opened.db)
    const comment = await write(carol, 'a\u0007b\rc\u2028d\te\ud800\u001b[31m')
    expect(comment.content).toBe('ab\nc\nd\te\ufffd[31m')
  })

  test.each([
    ['lines', 'at most 200 lines', 'a\n'],
    ['blank lines', 'at most 200 lines', 'a\n\n\n\n\n'],
    ['quotations', 'at most 300 paragraphs', '>a\nb\n'.repeat(60).concat('`c` '.repeat(40))],
    ['pieces of code', 'at most 300 paragraphs', '`a` '],
    ['links', 'at most 12000 characters', 'http://a '],
    ['characters that HTML escapes', 'at most 12000 characters as HTML', '&'],
  ])('a comment of too many %s is refused, and the refusal names the limit', async (...row) => {
    const [, limit, part] = row
    await using opened = await open()
    const { write, update, page } = await makeTestComments(opened.db)
    const content = part.repeat(Math.floor(COMMENT_MAX_CHARS / part.length))
    const error = { type: 'document_invalid_structure', message: expect.stringContaining(limit) }
    await expect(write(bob, content)).rejects.toMatchObject(error)
    const { $id } = await write(bob, 'short')
    await expect(update(bob, $id, { content })).rejects.toMatchObject(error)
    expect((await page(GUEST)).comments).toMatchObject([{ content: 'short' }])
  })

  test('a stored comment beyond the limits is truncated, and ends with an ellipsis', async () => {
    await using opened = await open()
    const { page } = await startWithTooLong(opened.db)
    const { comments } = await page(GUEST, { texts: 'html' })
    expect(comments[0]).toMatchObject({ html: '<p dir="auto">first</p>', content: '', replies: 1 })
    expect(comments[1]?.html).toMatch(/<p>…<\/p>$/)
  })

  test('the comments of a page have a limit on their total length, whichever form of text is read', async () => {
    await using opened = await open()
    const { page } = await startWithTooLong(opened.db)
    const { comments } = await page(GUEST, { texts: 'html' })
    expect(comments.length).toBe(50)
    const all = comments.flatMap((comment) => [comment, ...comment.replyList])
    const chars = all.reduce((sum, { html = '' }) => sum + html.length, 0)
    expect(chars).toBeLessThan(50 * 12_000)
    expect(all.length).toBeLessThan(100)
    const plain = (await page(GUEST)).comments.flatMap((comment) => [comment, ...comment.replyList])
    expect(plain.map(({ $id: id }) => id)).toEqual(all.map(({ $id: id }) => id))
    expect(plain[0]).toMatchObject({ content: 'first' })
    expect(plain[0]).not.toHaveProperty('html')
    const target = comments.at(-1)?.$id ?? ''
    const linked = (await page(GUEST, { comment: target })).comments
    expect(linked.find(({ $id: id }) => id === target)?.replyList.length).toBe(3)
  })

  /** 51 comments with replies, all but the first longer than may be written. */
  async function startWithTooLong(db: Database) {
    const comments = await makeTestComments(db)
    const { write } = comments
    const first = await write(bob, 'first')
    await write(carol, 'reply', { parentId: first.$id })
    for (let at = 0; at < 50; at++) {
      const { $id: parentId } = await write(bob, `number ${at}`)
      for (let reply = 0; reply < (at === 48 ? 3 : 1); reply++)
        await write(carol, `reply ${at} ${reply}`, { parentId })
    }
    const stored = { content: '>a\nb\n'.repeat(1000), renderer: '' }
    await db.updateTable('comment').set(stored).where('id', '!=', first.$id).execute()
    return comments
  }

  test('the HTML of a comment is rendered when it is saved', async () => {
    await using opened = await open()
    const { db, write, update, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'See https://a.example/')
    const readHtml = async () => (await page(GUEST, { texts: 'html' })).comments[0]?.html
    expect(await readHtml()).toContain('<a class="link" href="https://a.example/"')
    await update(bob, $id, { content: '<b>`x`</b>' })
    expect(await readHtml()).toBe('<p dir="auto">&lt;b&gt;<code>x</code>&lt;/b&gt;</p>')
    await db.updateTable('comment').set({ html: 'as it was saved' }).execute()
    expect(await readHtml()).toBe('as it was saved')
  })

  test('the HTML of a hidden comment is not returned, and that of a deleted one is not even stored', async () => {
    await using opened = await open()
    const { db, write, update, remove, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'See https://a.example/')
    await write(carol, 'reply', { parentId: $id })
    await update(alice, $id, { status: 'hidden' })
    expect((await page(GUEST, { texts: 'html' })).comments[0]?.html).toBe('')
    await remove(bob, $id)
    const row = db.selectFrom('comment').selectAll().where('id', '=', $id)
    expect(await row.executeTakeFirst()).toMatchObject({ content: '', html: '', digest: '' })
  })

  test('refused comments do not count towards the limit of their post', async () => {
    await using opened = await open()
    const { write, counted, block, close } = await makeTestComments(opened.db)
    await write(bob, 'once')
    for (const content of ['once', '', 'x'.repeat(COMMENT_MAX_CHARS + 1)])
      await write(bob, content).catch(() => {})
    await write(bob, 'reply', { parentId: 'none' }).catch(() => {})
    await write(bob, 'elsewhere', { postId: 'none' }).catch(() => {})
    await block('carol', true)
    await write(carol, 'blocked').catch(() => {})
    await close(alice, 'p', true)
    await write(bob, 'late').catch(() => {})
    expect(counted).toEqual(['p'])
  })

  test('a person cannot repeat a comment in letters that look the same', async () => {
    await using opened = await open()
    const { write, page } = await makeTestComments(opened.db)
    await write(bob, 'Buy cheap lamps')
    for (const content of [
      'Buy\u200b cheap la\u00admps',
      'B\u2060uy ch\ufeffeap l\u034famps\u200d',
      '\u202eBuy cheap\u2069 lamps\u{e0061}\ufe0f',
      'Вuу сhеар lаmрѕ',
      'Βυy chεap lαmps',
      'BUY CHEAP LАМРЅ',
      '𝐁𝐮𝐲 𝒸𝒽ℯ𝒶𝓅 ｌａｍｐｓ',
      'Bùÿ çhéáp låmpš',
      'Buy chеap \u2003 l\u0430mps',
      'Buy\u3164cheap\u2800lamps',
      'B u y c h e a p l a m p s',
      'Buʏ ᴄʜᴇᴀᴘ ꓡꓮꓟꓑꓢ',
    ])
      await expect(write(bob, content), content).rejects.toEqual(refused('comment_duplicate'))
    expect((await page(GUEST)).total).toBe(1)
  })

  test('comments that differ in a letter, a punctuation mark or an emoji do not count as repetition', async () => {
    await using opened = await open()
    const { write, page } = await makeTestComments(opened.db)
    const contents = [
      'Buy cheap lamps',
      'Buy cheap lamp',
      'Buy cheap lamps?',
      'Write it in C#',
      'Write it in C++',
      'https://example.com/a。次',
      'https://example.com/a、次',
      'I ❤\ufe0f it',
      'I ☹\ufe0f it',
      'Купи лампы',
      'Купи лампу',
      'हाँ',
      'हूँ',
      '!',
      '?',
      '👍',
      '👎',
    ]
    for (const content of contents) await write(bob, content)
    expect((await page(GUEST)).comments.map(({ content }) => content)).toEqual(contents)
  })

  test('a person cannot write the same words twice on a post', async () => {
    await using opened = await open()
    const { write, update, page } = await makeTestComments(opened.db)
    const first = await write(bob, 'Buy  lamps')
    for (const content of ['Buy lamps', 'BUY lamps', 'ｂｕｙ\nlamps '])
      await expect(write(bob, content)).rejects.toEqual(refused('comment_duplicate'))
    const other = await write(bob, 'Other words')
    await expect(update(bob, other.$id, { content: 'buy lamps' })).rejects.toEqual(
      refused('comment_duplicate'),
    )
    expect((await update(bob, first.$id, { content: 'buy LAMPS' })).content).toBe('buy LAMPS')
    await write(carol, 'Buy lamps')
    const contents = (await page(GUEST)).comments.map(({ content }) => content)
    expect(contents).toEqual(['buy LAMPS', 'Other words', 'Buy lamps'])
  })

  test('a person cannot write the same words on another post within a day', async () => {
    await using opened = await open()
    const { write, posts, page } = await makeTestComments(opened.db)
    await posts.write(alice, 'q')
    await write(bob, 'Buy lamps')
    await expect(write(bob, 'buy lamps', { postId: 'q' })).rejects.toEqual(
      refused('comment_duplicate'),
    )
    expect((await page(GUEST, {}, 'q')).total).toBe(0)
    posts.passSeconds(25 * 3600)
    expect((await write(bob, 'Buy lamps', { postId: 'q' })).content).toBe('Buy lamps')
  })

  test('on the same post the same words are refused until the comment is deleted', async () => {
    await using opened = await open()
    const { write, remove, posts, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'Buy lamps')
    posts.passSeconds(25 * 3600)
    await expect(write(bob, 'Buy lamps')).rejects.toEqual(refused('comment_duplicate'))
    await remove(bob, $id)
    expect((await page(GUEST)).total).toBe(0)
    expect((await write(bob, 'Buy lamps')).content).toBe('Buy lamps')
  })

  test('only its writer can edit a comment, which then says when it was edited', async () => {
    await using opened = await open()
    const { write, update, read, posts } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'First')
    posts.passSeconds(14 * 60)
    expect(await update(bob, $id, { content: 'Second' })).toMatchObject({
      content: 'Second',
      editedAt: expect.stringContaining('T13:51:'),
      status: 'shown',
    })
    for (const viewer of [alice, carol, operator, KEY])
      await expect(update(viewer, $id, { content: 'Third' })).rejects.toEqual(
        refused('user_unauthorized'),
      )
    expect((await read(GUEST, $id)).content).toBe('Second')
  })

  test('after a quarter of an hour a comment can no longer be edited', async () => {
    await using opened = await open()
    const { write, update, read, posts } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'First')
    posts.passSeconds(16 * 60)
    await expect(update(bob, $id, { content: 'Third' })).rejects.toEqual(
      refused('comment_edit_expired'),
    )
    expect((await read(GUEST, $id)).content).toBe('First')
  })

  test('the writer of a comment can change only its text', async () => {
    await using opened = await open()
    const { write, update, read } = await makeTestComments(opened.db)
    const comment = await write(bob, 'First')
    for (const data of [{ content: 'x', status: 'shown' }, { status: 'waiting' }, { place: 1 }])
      await expect(update(bob, comment.$id, data)).rejects.toEqual(
        refused('document_invalid_structure'),
      )
    expect(await read(bob, comment.$id)).toEqual(comment)
  })

  test('the writer of a comment can delete it even when it can no longer be edited', async () => {
    await using opened = await open()
    const { write, remove, read, posts } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'First')
    posts.passSeconds(16 * 60)
    await remove(bob, $id)
    await expect(read(bob, $id)).rejects.toEqual(refused('document_not_found'))
  })

  test('nobody can write a comment where comments are closed; existing ones stay', async () => {
    await using opened = await open()
    const { write, close, page, posts } = await makeTestComments(opened.db)
    await posts.write(alice, 'q')
    await write(bob, 'one')
    for (const id of ['p', 'q']) await close(alice, id, true)
    for (const postId of ['p', 'q'])
      for (const viewer of [bob, alice, operator])
        await expect(write(viewer, 'two', { postId })).rejects.toEqual(refused('comments_closed'))
    expect(await page(bob)).toMatchObject({ state: 'closed', canWrite: false, total: 1 })
  })

  test('comments can be written again once they are reopened', async () => {
    await using opened = await open()
    const { write, close } = await makeTestComments(opened.db)
    await close(alice, 'p', true)
    await close(operator, 'p', false)
    expect(await write(carol, 'two')).toMatchObject({ status: 'shown' })
  })

  test('comments that are switched off can be neither written nor read, and are back once they are on', async () => {
    await using opened = await open()
    const { write, remove, site, page, list, read } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'one')
    await write(carol, 'two')
    site.comments = 'off'
    await expect(write(bob, 'three')).rejects.toEqual(refused('comments_closed'))
    expect(await page(bob)).toMatchObject({ state: 'off', total: 0, comments: [] })
    const queries = [JSON.stringify({ method: 'equal', attribute: 'postId', values: ['p'] })]
    expect(await list(bob, queries)).toEqual({ total: 0, documents: [] })
    await expect(read(bob, $id)).rejects.toEqual(refused('document_not_found'))
    await remove(bob, $id)
    site.comments = 'on'
    expect((await page(bob)).total).toBe(1)
  })

  test('nobody can edit a comment while comments are closed or switched off', async () => {
    await using opened = await open()
    const { write, update, close, site, read } = await makeTestComments(opened.db)
    const { $id: ofBob } = await write(bob, 'one')
    const { $id: ofAlice } = await write(alice, 'two')
    const expectRefusals = async () => {
      for (const [viewer, id] of [
        [bob, ofBob],
        [alice, ofAlice],
      ] as const)
        await expect(update(viewer, id, { content: 'changed' })).rejects.toEqual(
          refused('comments_closed'),
        )
    }
    await close(alice, 'p', true)
    await expectRefusals()
    await close(alice, 'p', false)
    site.comments = 'off'
    await expectRefusals()
    site.comments = 'on'
    expect((await read(bob, ofBob)).content).toBe('one')
    expect(await update(alice, ofAlice, { content: 'changed' })).toMatchObject({
      content: 'changed',
    })
  })

  test('comments can be hidden and deleted while commenting is closed', async () => {
    await using opened = await open()
    const { write, update, remove, close, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'one')
    await close(alice, 'p', true)
    expect(await update(alice, $id, { status: 'hidden' })).toMatchObject({ status: 'hidden' })
    await remove(bob, $id)
    expect((await page(alice)).comments).toEqual([])
  })

  test('a user’s data export has all their comments, including those on deleted posts', async () => {
    await using opened = await open()
    const { context, write } = await startWithComments(opened.db)
    await write(carol, 'not mine')
    expect(await Array.fromAsync(streamCommentsOf(context, bob))).toMatchObject([
      { postId: 'p', content: 'on p', status: 'hidden' },
      { postId: 'q', content: 'on q', status: 'shown' },
    ])
  })

  test('all comments by a person are removed with the account, including those on deleted posts', async () => {
    await using opened = await open()
    const { db, write, posts } = await startWithComments(opened.db)
    await write(carol, 'not mine')
    await inTransaction(db, posts.background, (tx) => removeCommentsOf(tx, 'bob'))
    const rows = await db.selectFrom('comment').select('content').execute()
    expect(rows).toEqual([{ content: 'not mine' }])
  })

  /** With comments by bob: one that is hidden, and one on a deleted post. */
  async function startWithComments(db: Database) {
    const comments = await makeTestComments(db)
    const { write, posts, update } = comments
    await posts.write(alice, 'q')
    const { $id } = await write(bob, 'on p')
    await write(bob, 'on q', { postId: 'q' })
    await update(alice, $id, { status: 'hidden' })
    await posts.remove(alice, 'q', { unlessNewerThan: undefined })
    return comments
  }
})
