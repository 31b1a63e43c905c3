// The rules of comments on both databases: who writes, edits, deletes and hides, one level of
// replies, and counts that stay exact.
import { expect, test } from 'vitest'
import { COMMENT_MAX_CHARS } from '#contract/comments.ts'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'
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
  test('a comment is written, read by all, and counted; a reply to a reply joins the level', async () => {
    await using opened = await open()
    const { write, page, posts } = await makeTestComments(opened.db)
    const first = await write(bob, ' One\r\ntwo\u0000 ')
    expect(first).toMatchObject({
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
    const reply = await write(carol, 'A reply', { parentId: first.$id })
    const second = await write(alice, 'To the reply', { parentId: reply.$id })
    expect([reply.parentId, second.parentId, second.place]).toEqual([first.$id, first.$id, 0])
    await write(carol, 'Another')
    const shown = await page(GUEST)
    expect(shown).toMatchObject({
      total: 4,
      page: 1,
      pages: 1,
      state: 'open',
      canWrite: false,
      canModerate: false,
    })
    expect(shown.comments.map(({ content, replies }) => [content, replies])).toEqual([
      ['One\ntwo', 2],
      ['Another', 0],
    ])
    expect(shown.comments[0]?.replyList.map(({ content }) => content)).toEqual([
      'A reply',
      'To the reply',
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

describeEachDatabase('rules of comments', (open) => {
  test('the words are checked: length, controls, and what shows nothing', async () => {
    await using opened = await open()
    const { write } = await makeTestComments(opened.db)
    const longest = '😀'.repeat(COMMENT_MAX_CHARS)
    expect((await write(bob, longest)).content).toBe(longest)
    for (const content of [`${longest}.`, '', ' \n ', '\u200b\u00ad', 7, null, ['x'], { a: 1 }])
      await expect(write(bob, content as string)).rejects.toEqual(
        refused('document_invalid_structure'),
      )
    await expect(write(bob, 'x', { status: 'shown' } as object)).rejects.toEqual(
      refused('document_invalid_structure'),
    )
    const odd = await write(carol, 'a\u0007b\rc\u2028d\te\ud800\u001b[31m')
    expect(odd.content).toBe('ab\nc\nd\te\ufffd[31m')
  })

  test.each([
    ['lines', 'at most 200 lines', 'a\n'],
    ['blank lines', 'at most 200 lines', 'a\n\n\n\n\n'],
    ['quotations', 'at most 300 paragraphs', '>a\nb\n'.repeat(60).concat('`c` '.repeat(40))],
    ['pieces of code', 'at most 300 paragraphs', '`a` '],
    ['links', 'at most 12000 characters', 'http://a '],
    ['signs that HTML escapes', 'at most 12000 characters as HTML', '&'],
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

  test('a stored comment beyond the limits is shown up to them, and a page has one limit for all', async () => {
    await using opened = await open()
    const { db, write, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'first')
    await write(carol, 'reply', { parentId: $id })
    const stored = { content: '>a\nb\n'.repeat(1000), renderer: '' }
    for (let at = 0; at < 50; at++) {
      const { $id: parentId } = await write(bob, `number ${at}`)
      for (let reply = 0; reply < (at === 48 ? 3 : 1); reply++)
        await write(carol, `reply ${at} ${reply}`, { parentId })
    }
    await db.updateTable('comment').set(stored).where('id', '!=', $id).execute()
    const { comments } = await page(GUEST, { texts: 'html' })
    expect(comments.length).toBe(50)
    expect(comments[0]).toMatchObject({ html: '<p dir="auto">first</p>', content: '', replies: 1 })
    expect(comments[1]?.html).toMatch(/<p>…<\/p>$/)
    const all = comments.flatMap((one) => [one, ...one.replyList])
    const chars = all.reduce((sum, { html = '' }) => sum + html.length, 0)
    expect(chars).toBeLessThan(50 * 12_000)
    expect(all.length).toBeLessThan(100)
    const plain = (await page(GUEST)).comments.flatMap((one) => [one, ...one.replyList])
    expect(plain.map(({ $id: id }) => id)).toEqual(all.map(({ $id: id }) => id))
    expect(plain[0]).toMatchObject({ content: 'first' })
    expect(plain[0]).not.toHaveProperty('html')
    const named = comments.at(-1)?.$id ?? ''
    const target = (await page(GUEST, { comment: named })).comments.find((one) => one.$id === named)
    expect(target?.replyList.length).toBe(3)
  })

  test('what a comment shows is rendered when it is saved, and gone when its words are', async () => {
    await using opened = await open()
    const { db, write, update, remove, page } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'See https://a.example/')
    await write(carol, 'reply', { parentId: $id })
    const htmlOf = async () => (await page(GUEST, { texts: 'html' })).comments[0]?.html
    expect(await htmlOf()).toContain('<a class="link" href="https://a.example/"')
    await update(bob, $id, { content: '<b>`x`</b>' })
    expect(await htmlOf()).toBe('<p dir="auto">&lt;b&gt;<code>x</code>&lt;/b&gt;</p>')
    await db.updateTable('comment').set({ html: 'as it was saved' }).execute()
    expect(await htmlOf()).toBe('as it was saved')
    await update(alice, $id, { status: 'hidden' })
    expect(await htmlOf()).toBe('')
    await remove(bob, $id)
    const row = db.selectFrom('comment').selectAll().where('id', '=', $id)
    expect(await row.executeTakeFirst()).toMatchObject({ content: '', html: '', digest: '' })
  })

  test('refused comments are not counted for the limit of their post', async () => {
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

  test.each([
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
  ])('%j says the same as the words that it looks like', async (content) => {
    await using opened = await open()
    const { write } = await makeTestComments(opened.db)
    await write(bob, 'Buy cheap lamps')
    await expect(write(bob, content)).rejects.toEqual(refused('comment_duplicate'))
    for (const other of [
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
    ])
      await write(bob, other)
  })

  test('the same words twice on a post are refused, elsewhere for a day', async () => {
    await using opened = await open()
    const { write, update, remove, posts } = await makeTestComments(opened.db)
    for (const id of ['q', 'r']) await posts.write(alice, id)
    const first = await write(bob, 'Buy  lamps')
    for (const content of ['Buy lamps', 'BUY lamps', 'ｂｕｙ\nlamps '])
      await expect(write(bob, content)).rejects.toEqual(refused('comment_duplicate'))
    await expect(write(bob, 'buy lamps', { postId: 'q' })).rejects.toEqual(
      refused('comment_duplicate'),
    )
    await write(carol, 'Buy lamps')
    const other = await write(bob, 'Other words')
    await expect(update(bob, other.$id, { content: 'buy lamps' })).rejects.toEqual(
      refused('comment_duplicate'),
    )
    expect((await update(bob, first.$id, { content: 'buy LAMPS' })).content).toBe('buy LAMPS')
    posts.pass(25 * 3600)
    await write(bob, 'Buy lamps', { postId: 'q' })
    await expect(write(bob, 'Buy lamps')).rejects.toEqual(refused('comment_duplicate'))
    await remove(bob, first.$id)
    posts.pass(25 * 3600)
    expect((await write(bob, 'Buy lamps')).content).toBe('Buy lamps')
  })

  test('its writer edits for a quarter of an hour, marked, and deletes at any time', async () => {
    await using opened = await open()
    const { write, update, remove, read, posts } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'First')
    posts.pass(14 * 60)
    expect(await update(bob, $id, { content: 'Second' })).toMatchObject({
      content: 'Second',
      editedAt: expect.stringContaining('T13:51:'),
      status: 'shown',
    })
    for (const viewer of [alice, carol, operator, KEY])
      await expect(update(viewer, $id, { content: 'Third' })).rejects.toEqual(
        refused('user_unauthorized'),
      )
    posts.pass(2 * 60)
    await expect(update(bob, $id, { content: 'Third' })).rejects.toEqual(
      refused('comment_edit_expired'),
    )
    for (const data of [{ content: 'x', status: 'shown' }, { status: 'waiting' }, { place: 1 }])
      await expect(update(bob, $id, data)).rejects.toEqual(refused('document_invalid_structure'))
    await remove(bob, $id)
    await expect(read(bob, $id)).rejects.toEqual(refused('document_not_found'))
  })

  test('a page has no link in the HTML of a comment whose links lead nowhere', async () => {
    await using opened = await open()
    const { write, update, site, posts, db, page } = await makeTestComments(opened.db)
    site.approveFirst = 'on'
    await addPeople(db, ['young'])
    const createdAt = posts.now().toISOString()
    await db.updateTable('user').set({ createdAt }).where('id', '=', 'young').execute()
    const { $id } = await write(viewerOf('young'), 'See https://a.example/')
    await update(alice, $id, { status: 'shown' })
    await update(viewerOf('young'), $id, { content: 'Or https://b.example/' })
    const { comments } = await page(GUEST, { texts: 'html' })
    expect(comments[0]).toMatchObject({ hasLinks: false, html: '<p dir="auto">Or b.example</p>' })
  })

  test('first comments of new accounts wait; approval opens their links; others do not wait', async () => {
    await using opened = await open()
    const { write, update, site, posts, db, page } = await makeTestComments(opened.db)
    site.approveFirst = 'on'
    const young = viewerOf('young')
    await addPeople(db, ['young'])
    const createdAt = posts.now().toISOString()
    await db.updateTable('user').set({ createdAt }).where('id', '=', 'young').execute()
    expect(await write(bob, 'one')).toMatchObject({ status: 'waiting', hasLinks: false })
    expect(await write(alice, 'mine')).toMatchObject({ status: 'shown', hasLinks: true })
    expect(await write(operator, 'run')).toMatchObject({ status: 'shown', hasLinks: true })
    const first = await write(young, 'two')
    await update(alice, first.$id, { status: 'shown' })
    expect(await write(young, 'three')).toMatchObject({ status: 'waiting' })
    expect(await update(young, first.$id, { content: 'two b' })).toMatchObject({
      status: 'shown',
      hasLinks: false,
    })
    posts.pass(25 * 3600)
    expect(await write(young, 'four')).toMatchObject({ status: 'shown', hasLinks: true })
    const links = (await page(alice)).comments.map((one) => [one.content, one.status, one.hasLinks])
    expect(links).toContainEqual(['two b', 'shown', true])
    expect(links).toContainEqual(['one', 'waiting', false])
    site.isRegistrationOpen = false
    expect(await write(carol, 'five')).toMatchObject({ status: 'shown', hasLinks: true })
  })

  test('what an operator hid, the author of the post does not show; a rejected one is never told', async () => {
    await using opened = await open()
    const { write, update, site, page, hideAll, counts } = await makeTestComments(opened.db)
    const one = await write(bob, 'one')
    await update(operator, one.$id, { status: 'hidden' })
    await expect(update(alice, one.$id, { status: 'shown' })).rejects.toEqual(
      refused('user_unauthorized'),
    )
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(0)
    expect((await page(GUEST)).comments[0]).toMatchObject({ hiddenBy: 'operator', content: '' })
    site.approveFirst = 'on'
    const spam = await write(carol, 'spam')
    await update(alice, spam.$id, { status: 'hidden' })
    expect((await page(GUEST)).comments).toHaveLength(1)
    expect((await page(carol)).comments[1]).toMatchObject({ status: 'hidden', content: 'spam' })
    await hideAll(alice, 'p', { userId: 'carol', isHidden: false })
    expect((await page(carol)).comments[1]).toMatchObject({ status: 'waiting', hiddenBy: '' })
    await hideAll(operator, 'p', { userId: 'bob', isHidden: false })
    expect((await page(GUEST)).total).toBe(1)
    const { stored, counted } = await counts()
    expect(stored).toEqual(counted)
  })

  test('taking back the hiding of all leaves hidden what was hidden one by one before', async () => {
    await using opened = await open()
    const { write, update, page, posts, hideAll } = await makeTestComments(opened.db)
    const insult = await write(bob, 'an insult')
    await write(bob, 'one')
    posts.pass(60)
    await write(bob, 'two')
    await update(alice, insult.$id, { status: 'hidden' })
    posts.pass(60)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(2)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(2)
    const shown = (await page(GUEST)).comments.map(({ content }) => content)
    expect(shown).toEqual(['', 'one', 'two'])
  })

  test('closed or switched off, nobody writes; what was written stays, or is away', async () => {
    await using opened = await open()
    const { write, remove, close, site, page, list, read, posts } = await makeTestComments(
      opened.db,
    )
    await posts.write(alice, 'q')
    const { $id } = await write(bob, 'one')
    for (const id of ['p', 'q']) await close(alice, id, true)
    for (const postId of ['p', 'q'])
      for (const viewer of [bob, alice, operator])
        await expect(write(viewer, 'two', { postId })).rejects.toEqual(refused('comments_closed'))
    expect(await page(bob)).toMatchObject({ state: 'closed', canWrite: false, total: 1 })
    await close(operator, 'p', false)
    await write(carol, 'two')
    site.comments = 'off'
    await expect(write(bob, 'three')).rejects.toEqual(refused('comments_closed'))
    expect(await page(bob)).toMatchObject({ state: 'off', total: 0, comments: [] })
    const asked = [JSON.stringify({ method: 'equal', attribute: 'postId', values: ['p'] })]
    expect(await list(bob, asked)).toEqual({ total: 0, documents: [] })
    await expect(read(bob, $id)).rejects.toEqual(refused('document_not_found'))
    await remove(bob, $id)
    site.comments = 'on'
    expect((await page(bob)).total).toBe(1)
  })

  test('closed or switched off, nobody edits, while deleting and hiding still work', async () => {
    await using opened = await open()
    const { write, update, remove, close, site, read } = await makeTestComments(opened.db)
    const { $id } = await write(bob, 'one')
    const own = await write(alice, 'two')
    const isRefused = async () => {
      for (const [viewer, id] of [
        [bob, $id],
        [alice, own.$id],
      ] as const)
        await expect(update(viewer, id, { content: 'changed' })).rejects.toEqual(
          refused('comments_closed'),
        )
    }
    await close(alice, 'p', true)
    await isRefused()
    await close(alice, 'p', false)
    site.comments = 'off'
    await isRefused()
    site.comments = 'on'
    expect((await read(bob, $id)).content).toBe('one')
    await close(alice, 'p', true)
    expect(await update(alice, $id, { status: 'hidden' })).toMatchObject({ status: 'hidden' })
    await remove(bob, $id)
    await close(alice, 'p', false)
    expect(await update(alice, own.$id, { content: 'changed' })).toMatchObject({
      content: 'changed',
    })
  })

  test('a person finds all they wrote in their archive, on deleted posts, too', async () => {
    await using opened = await open()
    const { write, context, posts, update, db } = await makeTestComments(opened.db)
    await posts.write(alice, 'q')
    const kept = await write(bob, 'on p')
    await write(bob, 'on q', { postId: 'q' })
    await write(carol, 'not mine')
    await update(alice, kept.$id, { status: 'hidden' })
    await posts.remove(alice, 'q', { unlessNewerThan: undefined })
    const own: object[] = []
    for await (const one of streamCommentsOf(context, bob)) own.push(one)
    expect(own).toMatchObject([
      { postId: 'p', content: 'on p', status: 'hidden' },
      { postId: 'q', content: 'on q', status: 'shown' },
    ])
    await inTransaction(db, posts.background, (tx) => removeCommentsOf(tx, 'bob'))
    const rows = await db.selectFrom('comment').select('content').execute()
    expect(rows).toEqual([{ content: 'not mine' }])
  })
})
