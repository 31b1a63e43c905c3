// Who is notified of what, on both databases: which events share a notification, which remove
// one, and which notify nobody.
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { viewerOf } from '#test/support/posts.ts'
import { emit, onDomainEvent } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
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
const KEY = { role: 'key' } as const
const NAMES = Array.from({ length: 20 }, (_, index) => `person-${index}`)

async function start(db: Database, names: string[] = []) {
  const comments = await makeTestComments(db, ['bob', 'carol', ...names])
  const { context } = comments
  onDomainEvent(db, (tx, _after, event) => openCaseForApproval(context, tx, event))
  onDomainEvent(db, createNotifications(context))
  const list = async (viewer: UserViewer, filter = 'all') => {
    await context.background.drained()
    return (await listNotifications(context, viewer, { filter })).list
  }
  const count = (viewer: UserViewer) => countNotifications(context, viewer)
  return { ...comments, list, count }
}

describeEachDatabase('notifications', (open) => {
  test('while comments are off, the bell neither quotes them nor links to them', async () => {
    await using opened = await open()
    const { write, list, site } = await start(opened.db)
    const { $id } = await write(bob, 'secret words')
    site.comments = 'off'
    const [notification] = await list(alice)
    expect(notification).toMatchObject({
      kind: 'comment',
      text: '',
      commentId: '',
      post: { $id: 'p' },
    })
    site.comments = 'on'
    expect(await list(alice)).toMatchObject([{ text: 'secret words', commentId: $id }])
  })

  test('unread comments on a post are one notification for its author, which leaves out the author’s own', async () => {
    await using opened = await open()
    const { write, list } = await start(opened.db)
    await write(bob, 'one')
    await write(carol, 'two')
    await write(alice, 'own')
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
    expect(await list(carol)).toEqual([])
  })

  /** Alice has replied to a comment by bob. */
  async function startWithReply(db: Database) {
    const started = await start(db)
    const { $id: commentId } = await started.write(bob, 'one')
    await started.write(alice, 'an answer', { parentId: commentId })
    const [reply] = await started.list(bob)
    return { ...started, commentId, reply, replyId: reply?.$id ?? '' }
  }

  test('a reply notifies the writer of the comment, and nobody else', async () => {
    await using opened = await open()
    const { list, reply } = await startWithReply(opened.db)
    expect(reply).toMatchObject({ kind: 'reply', count: 1, text: 'an answer', isGone: false })
    expect(await list(bob)).toHaveLength(1)
    expect(await list(carol)).toEqual([])
  })

  test('a notification is new until the list is seen, and unread until its recipient reads it', async () => {
    await using opened = await open()
    const { count, context, replyId } = await startWithReply(opened.db)
    expect(await count(bob)).toEqual({ new: 1, unread: 1 })
    await markRead(context, bob, { isRead: false })
    expect(await count(bob)).toEqual({ new: 0, unread: 1 })
    await markRead(context, alice, { id: replyId, isRead: true })
    expect(await count(bob)).toEqual({ new: 0, unread: 1 })
    await markRead(context, bob, { id: replyId, isRead: true })
    expect(await count(bob)).toEqual({ new: 0, unread: 0 })
  })

  test('a reply after the last one was read is a notification of its own', async () => {
    await using opened = await open()
    const { write, list, context, commentId, replyId } = await startWithReply(opened.db)
    await markRead(context, bob, { id: replyId, isRead: true })
    await write(alice, 'one more', { parentId: commentId })
    expect(await list(bob)).toMatchObject([{ count: 1, text: 'one more' }, { isRead: true }])
    expect(await list(bob, 'new')).toHaveLength(1)
    expect(await list(bob, 'likes')).toEqual([])
  })

  /** Five people like the post. */
  async function startWithLikes(db: Database) {
    const started = await start(db, NAMES.slice(0, 5))
    for (const name of NAMES.slice(0, 5)) await started.posts.setLike(viewerOf(name), 'p', true)
    await started.context.background.drained()
    return started
  }

  test('the likes of a day are one notification, which leaves out the author’s own', async () => {
    await using opened = await open()
    const { posts, list } = await startWithLikes(opened.db)
    await posts.setLike(alice, 'p', true)
    expect(await list(alice)).toMatchObject([
      { kind: 'like', count: 5, people: { total: 5, newest: [{ id: 'person-4' }, {}] } },
    ])
    posts.passSeconds(24 * 3600)
    await posts.setLike(carol, 'p', true)
    expect(await list(alice)).toMatchObject([{ count: 1 }, { count: 5 }])
  })

  test('a removed like is not counted; a new one makes the notification unread', async () => {
    await using opened = await open()
    const { posts, list, count, context } = await startWithLikes(opened.db)
    await markRead(context, alice, { isRead: true })
    await posts.setLike(viewerOf('person-4'), 'p', false)
    expect(await list(alice)).toMatchObject([{ count: 4, isRead: true }])
    await posts.setLike(bob, 'p', true)
    expect(await list(alice)).toMatchObject([{ count: 5, isRead: false }])
    expect(await count(alice)).toEqual({ new: 1, unread: 1 })
  })

  test('while a person may not read the post, a notification has no text, names or links', async () => {
    await using opened = await open()
    const { write, list, update } = await start(opened.db)
    const setStatus = (status: string) =>
      opened.db.updateTable('post').set({ status }).where('id', '=', 'p').execute()
    const first = await write(bob, 'secret words')
    await write(carol, 'an answer', { parentId: first.$id })
    await update(alice, first.$id, { status: 'hidden' })
    await setStatus('inactive')
    const withoutPost = { isGone: true, text: '', people: { total: 0, newest: [] }, commentId: '' }
    const notifications = await list(bob)
    expect(notifications).toMatchObject([withoutPost, withoutPost])
    expect(notifications[0]).not.toHaveProperty('post')
    await setStatus('active')
    expect(await list(bob)).toMatchObject([
      { kind: 'commentHidden', hiddenBy: 'author', text: 'secret words' },
      { kind: 'reply' },
    ])
  })

  test('nothing on a muted post notifies, until it is unmuted', async () => {
    await using opened = await open()
    const { posts, write, list, context } = await start(opened.db)
    await mutePost(context, alice, 'p')
    expect(await listMuted(context, alice)).toMatchObject({ total: 1, list: [{ postId: 'p' }] })
    await write(carol, 'while muted')
    await posts.setLike(carol, 'p', true)
    expect(await list(alice)).toEqual([])
    await unmutePost(context, alice, 'p')
    await write(carol, 'afterwards')
    expect(await list(alice)).toMatchObject([{ count: 1, text: 'afterwards' }])
  })

  test('notifications are deleted after ninety days', async () => {
    await using opened = await open()
    const { posts, write, list, context } = await start(opened.db)
    await write(carol, 'one')
    expect(await list(alice)).toHaveLength(1)
    posts.passSeconds(91 * 24 * 3600)
    await sweepNotifications(context)
    expect(await list(alice)).toEqual([])
  })

  /** A comment by bob that carol has reported, and its case. */
  async function startWithCase(db: Database) {
    const started = await start(db)
    const { context } = started
    const { $id: commentId } = await started.write(bob, 'Cheap ferries')
    await createReport(context, carol, { postId: 'p', commentId, reason: 'spam', words: 'again' })
    const [reported] = (await listCases(context, {})).list
    return { ...started, commentId, caseId: reported?.$id ?? '' }
  }

  test('a report notifies operators', async () => {
    await using opened = await open()
    const { list, commentId, caseId } = await startWithCase(opened.db)
    expect(await list(operator)).toMatchObject([{ kind: 'reported', caseId, commentId }])
  })

  test('a hidden comment notifies its writer of the reason until it is shown again', async () => {
    await using opened = await open()
    const { list, context, caseId } = await startWithCase(opened.db)
    await decideCase(context, operator, caseId, { action: 'hide' })
    expect(await list(bob)).toMatchObject([
      { kind: 'commentHidden', hiddenBy: 'operator', reason: 'spam', people: { newest: [] } },
    ])
    await decideCase(context, operator, caseId, { action: 'reopen' })
    expect(await list(bob)).toEqual([])
  })

  test('a decided case notifies those who reported, without a name', async () => {
    await using opened = await open()
    const { list, context, caseId } = await startWithCase(opened.db)
    await decideCase(context, operator, caseId, { action: 'hide' })
    expect(await list(carol)).toMatchObject([{ kind: 'reportReviewed', people: { newest: [] } }])
  })

  test('a comment that waits notifies operators, and the post’s author only once it is approved', async () => {
    await using opened = await open()
    const { write, list, context, site } = await start(opened.db)
    await write(bob, 'Cheap ferries')
    site.approveFirst = 'on'
    const { $id: commentId } = await write(carol, 'First words')
    expect(await list(operator)).toMatchObject([{ kind: 'approvalNeeded', text: 'First words' }])
    expect((await list(alice)).map(({ text }) => text)).toEqual(['Cheap ferries'])
    const [waiting] = (await listCases(context, {})).list
    await decideCase(context, operator, waiting?.$id ?? '', { action: 'approve' })
    expect(await list(alice)).toMatchObject([{ count: 2, commentId }])
  })

  test('an approved comment notifies its writer', async () => {
    await using opened = await open()
    const { write, list, context, site } = await start(opened.db)
    site.approveFirst = 'on'
    await write(carol, 'First words')
    const [waiting] = (await listCases(context, {})).list
    await decideCase(context, operator, waiting?.$id ?? '', { action: 'approve' })
    expect(await list(carol)).toMatchObject([{ kind: 'commentApproved' }])
  })

  test('a hidden post notifies its author of the reason, from an operator or the API key', async () => {
    await using opened = await open()
    const { context, list } = await start(opened.db)
    await createReport(context, carol, { postId: 'p', reason: 'spam' })
    for (const actor of [operator, { role: 'key' } as const]) {
      await hidePost(context, actor, 'p', true, ' Our harbour only ')
      const [notification] = await list(alice)
      expect(notification).toMatchObject({ kind: 'postHidden', reason: 'Our harbour only' })
      await hidePost(context, actor, 'p', false)
      expect(await list(alice)).toEqual([])
    }
    await hidePost(context, operator, 'p', true)
    expect(await list(alice)).toMatchObject([{ kind: 'postHidden', reason: 'spam' }])
  })

  test('a scheduled post that is not published notifies its author of the problem', async () => {
    await using opened = await open()
    const { context, list } = await start(opened.db)
    const problem = 'imageMissing'
    await inTransaction(opened.db, context.background, (tx) =>
      emit(tx, { kind: 'publishFailed', id: 'p', authorId: 'alice', problem, actor: KEY }),
    )
    expect(await list(alice)).toMatchObject([
      { kind: 'publishFailed', reason: problem, post: { $id: 'p' } },
    ])
  })

  test('no notification is lost when twenty people comment and reply at once', async () => {
    await using opened = await open()
    const { write, list, count } = await start(opened.db, NAMES)
    const people = NAMES.map((name) => viewerOf(name))
    const comments = await Promise.all(people.map((person) => write(person, 'one')))
    expect(await list(alice)).toMatchObject([{ count: 20 }])
    await Promise.all(
      people.map((person, index) => {
        const parentId = comments[(index + 1) % 20]?.$id ?? ''
        return write(person, 'two', { parentId })
      }),
    )
    for (const person of people) expect(await count(person)).toEqual({ new: 1, unread: 1 })
    expect(await list(alice)).toMatchObject([{ count: 40 }])
  })
})
