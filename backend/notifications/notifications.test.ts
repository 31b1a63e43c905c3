// Who is told of what, on both databases: what joins, what is taken back, what nobody hears of.
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import { onDomainEvent } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import { decideCase, listCases } from '../moderation/cases.ts'
import { hidePost } from '../moderation/moderate-posts.ts'
import { openCaseForApproval } from '../moderation/open-cases.ts'
import { createReport } from '../moderation/reports.ts'
import { createNotifications } from './create-notifications.ts'
import {
  countNotifications,
  listMuted,
  listNotifications,
  markRead,
  mutePost,
  sweepNotifications,
  unmutePost,
} from './notifications.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const operator: UserViewer = { ...viewerOf('operator'), accountRole: 'operator' }
const NAMES = Array.from({ length: 20 }, (_none, at) => `person-${at}`)

async function start(db: Database, names: string[] = []) {
  const comments = await makeTestComments(db, ['bob', 'carol', ...names])
  const { context } = comments
  onDomainEvent(db, (tx, _after, event) => openCaseForApproval(context, tx, event))
  onDomainEvent(db, createNotifications(context))
  const list = async (who: UserViewer, filter = 'all') => {
    await context.background.drained()
    return (await listNotifications(context, who, { filter })).list
  }
  const count = (who: UserViewer) => countNotifications(context, who)
  return { ...comments, list, count }
}

describeEachDatabase('notifications', (open) => {
  test('while comments are off, the bell has none of their words, and no link to them', async () => {
    await using opened = await open()
    const { write, list, site } = await start(opened.db)
    const { $id } = await write(bob, 'secret words')
    site.comments = 'off'
    const [line] = await list(alice)
    expect(line).toMatchObject({ kind: 'comment', text: '', commentId: '', post: { $id: 'p' } })
    site.comments = 'on'
    expect(await list(alice)).toMatchObject([{ text: 'secret words', commentId: $id }])
  })

  test('comments and replies are told, and join until they are read', async () => {
    await using opened = await open()
    const { write, list, count, context } = await start(opened.db)
    const first = await write(bob, 'one')
    await write(carol, 'two')
    await write(alice, 'own')
    await write(alice, 'an answer', { parentId: first.$id })
    expect(await list(alice)).toMatchObject([
      {
        kind: 'comment',
        count: 2,
        isRead: false,
        text: 'two',
        post: { $id: 'p' },
        people: { total: 2, newest: [{ id: 'carol', name: 'The carol' }, { id: 'bob' }] },
      },
    ])
    const [reply] = await list(bob)
    expect(reply).toMatchObject({ kind: 'reply', count: 1, text: 'an answer', isGone: false })
    expect(await list(carol)).toEqual([])
    expect(await count(bob)).toEqual({ new: 1, unread: 1 })
    await markRead(context, bob, { isRead: false })
    expect(await count(bob)).toEqual({ new: 0, unread: 1 })
    await markRead(context, alice, { id: reply?.$id ?? '', isRead: true })
    expect(await count(bob)).toEqual({ new: 0, unread: 1 })
    await markRead(context, bob, { id: reply?.$id ?? '', isRead: true })
    expect(await count(bob)).toEqual({ new: 0, unread: 0 })
    await write(alice, 'one more', { parentId: first.$id })
    expect(await list(bob)).toMatchObject([{ count: 1, text: 'one more' }, { isRead: true }])
    expect(await list(bob, 'new')).toHaveLength(1)
    expect(await list(bob, 'likes')).toEqual([])
  })

  test('likes of a day are one line, exact after unlikes, never of one’s own', async () => {
    await using opened = await open()
    const { posts, list, count, context } = await start(opened.db, NAMES.slice(0, 5))
    for (const name of NAMES.slice(0, 5)) await posts.setLike(viewerOf(name), 'p', true)
    await posts.setLike(alice, 'p', true)
    expect(await list(alice)).toMatchObject([
      { kind: 'like', count: 5, people: { total: 5, newest: [{ id: 'person-4' }, {}] } },
    ])
    await markRead(context, alice, { isRead: true })
    await posts.setLike(viewerOf('person-4'), 'p', false)
    expect(await list(alice)).toMatchObject([{ count: 4, isRead: true }])
    await posts.setLike(bob, 'p', true)
    expect(await list(alice)).toMatchObject([{ count: 5, isRead: false }])
    expect(await count(alice)).toEqual({ new: 1, unread: 1 })
    posts.pass(24 * 3600)
    await posts.setLike(carol, 'p', true)
    expect(await list(alice)).toMatchObject([{ count: 1 }, { count: 5 }])
  })

  test('of what one may not read no word, name or link stays; muted posts are silent', async () => {
    await using opened = await open()
    const { posts, write, list, context, update } = await start(opened.db)
    const setStatus = (status: string) =>
      opened.db.updateTable('post').set({ status }).where('id', '=', 'p').execute()
    const first = await write(bob, 'secret words')
    await write(carol, 'an answer', { parentId: first.$id })
    await update(alice, first.$id, { status: 'hidden' })
    await setStatus('inactive')
    const gone = { isGone: true, text: '', people: { total: 0, newest: [] }, commentId: '' }
    const lines = await list(bob)
    expect(lines).toMatchObject([gone, gone])
    expect(lines[0]).not.toHaveProperty('post')
    await setStatus('active')
    expect(await list(bob)).toMatchObject([
      { kind: 'commentHidden', hiddenBy: 'author', text: 'secret words' },
      { kind: 'reply' },
    ])
    await mutePost(context, alice, 'p')
    expect(await listMuted(context, alice)).toMatchObject({ total: 1, list: [{ postId: 'p' }] })
    const before = await list(alice)
    await write(carol, 'unheard')
    await posts.setLike(carol, 'p', true)
    expect(await list(alice)).toEqual(before)
    await unmutePost(context, alice, 'p')
    await write(carol, 'heard')
    expect(await list(alice)).toMatchObject([{ text: 'heard' }])
    posts.pass(91 * 24 * 3600)
    await sweepNotifications(context)
    expect(await list(alice)).toEqual([])
  })

  test('writers hear why something was hidden, reporters that it was reviewed', async () => {
    await using opened = await open()
    const { write, list, context, site } = await start(opened.db)
    const { $id: commentId } = await write(bob, 'Cheap ferries')
    await createReport(context, carol, { postId: 'p', commentId, reason: 'spam', words: 'again' })
    expect(await list(operator)).toMatchObject([{ kind: 'reported', caseId: /./, commentId }])
    const [found] = (await listCases(context, {})).list
    const id = found?.$id ?? ''
    await decideCase(context, operator, id, { action: 'hide' })
    expect(await list(bob)).toMatchObject([
      { kind: 'commentHidden', hiddenBy: 'operator', reason: 'spam', people: { newest: [] } },
    ])
    expect(await list(carol)).toMatchObject([{ kind: 'reportReviewed', people: { newest: [] } }])
    await decideCase(context, operator, id, { action: 'reopen' })
    expect(await list(bob)).toEqual([])
    site.approveFirst = 'on'
    const waits = await write(carol, 'First words')
    expect((await list(operator))[0]).toMatchObject({ kind: 'approvalNeeded', text: 'First words' })
    const [, second] = (await listCases(context, {})).list
    expect((await list(alice)).map(({ text }) => text)).toEqual(['Cheap ferries'])
    await decideCase(context, operator, second?.$id ?? '', { action: 'approve' })
    expect((await list(alice))[0]).toMatchObject({ count: 2, commentId: waits.$id })
    expect((await list(carol))[0]).toMatchObject({ kind: 'commentApproved' })
  })

  test('the words with which operators or the key hide a post reach its author', async () => {
    await using opened = await open()
    const { context, list } = await start(opened.db)
    await createReport(context, carol, { postId: 'p', reason: 'spam' })
    for (const by of [operator, { role: 'key' } as const]) {
      await hidePost(context, by, 'p', true, ' Our harbour only ')
      const [line] = await list(alice)
      expect(line).toMatchObject({ kind: 'postHidden', reason: 'Our harbour only' })
      await hidePost(context, by, 'p', false)
      expect(await list(alice)).toEqual([])
    }
    await hidePost(context, operator, 'p', true)
    expect(await list(alice)).toMatchObject([{ kind: 'postHidden', reason: 'spam' }])
  })

  test('twenty comment at once, and answer each other: nothing is lost', async () => {
    await using opened = await open()
    const { write, list, count } = await start(opened.db, NAMES)
    const people = NAMES.map((name) => viewerOf(name))
    const written = await Promise.all(people.map((one) => write(one, 'one')))
    expect(await list(alice)).toMatchObject([{ count: 20 }])
    await Promise.all(
      people.map((one, at) => {
        const parentId = written[(at + 1) % 20]?.$id ?? ''
        return write(one, 'two', { parentId })
      }),
    )
    for (const one of people) expect(await count(one)).toEqual({ new: 1, unread: 1 })
    expect(await list(alice)).toMatchObject([{ count: 40 }])
  })
})
