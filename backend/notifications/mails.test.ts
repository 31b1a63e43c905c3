// Notification mails on both databases: when they are sent, to whom, and what stops them.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'

import { viewerOf } from '#test/support/posts.ts'
import { onDomainEvent } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import type { Mail } from '../mail/mailer.ts'
import { createNotifications } from './create-notifications.ts'
import { changeMailChoices, readMailChoices, sendDueMails, unsubscribe } from './mails.ts'
import { markRead, mutePost } from './notifications.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const MINUTE = 60
const NEVER = new AbortController().signal

async function start(db: Database) {
  const comments = await makeTestComments(db)
  await db
    .updateTable('user')
    .set((eb) => ({ isVerified: 1, email: sql<string>`${eb.ref('id')} || '@m.example'` }))
    .execute()
  comments.mail.kind = 'smtp'
  onDomainEvent(db, createNotifications(comments.context))
  const sentMails: Mail[] = []
  const mailing = {
    problem: undefined as { reason: string; isFinal: boolean } | undefined,
    meanwhile: async () => {},
  }
  const mailer = {
    async tryOnce(mail: Mail) {
      if (mailing.problem === undefined) sentMails.push(mail)
      comments.posts.passSeconds(1)
      await mailing.meanwhile()
      return mailing.problem
    },
  }
  const lost: string[] = []
  const log = { info() {}, warn() {}, error: ({ event }: { event: string }) => lost.push(event) }
  const context = { ...comments.context, mailer, log } as unknown as Parameters<
    typeof sendDueMails
  >[0]
  /** The mails that are sent within these seconds. */
  const sentWithin = async (seconds: number) => {
    await context.background.drained()
    comments.posts.passSeconds(seconds)
    await sendDueMails(context, NEVER)
    return sentMails.splice(0)
  }
  const everything = { comments: 'atOnce', likes: 'atOnce', own: 'atOnce' } as const
  await changeMailChoices(context, alice.userId, everything)
  return { ...comments, context, sentWithin, mailing, sent: sentMails, lost }
}

describeEachDatabase('notification mails', (open) => {
  test('while comments are off, no mail quotes one', async () => {
    await using opened = await open()
    const { write, sentWithin, site } = await start(opened.db)
    await write(bob, 'words of bob')
    await write(carol, 'words of carol')
    site.comments = 'off'
    expect(JSON.stringify(await sentWithin(3 * MINUTE))).not.toContain('words of')
  })

  test('notifications of two minutes share one mail; the next is sent ten minutes later', async () => {
    await using opened = await open()
    const { write, sentWithin } = await start(opened.db)
    await write(bob, 'one')
    expect(await sentWithin(MINUTE)).toEqual([])
    await write(carol, 'two')
    const [mail, ...others] = await sentWithin(MINUTE)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'alice@m.example', subject: /Comments on your posts/ })
    expect(mail?.text).toContain('/post/p?comment=')
    for (const part of [mail?.text, mail?.html])
      expect(part).toMatch(/The carol\u2069 and \u2068The bob\u2069 commented on/)
    await write(bob, 'three')
    expect(await sentWithin(3 * MINUTE)).toEqual([])
    expect(await sentWithin(8 * MINUTE)).toHaveLength(1)
    expect(await sentWithin(24 * 60 * MINUTE)).toEqual([])
  })

  test('“daily” is one mail at six o’clock, “never” is none; without a choice the defaults apply', async () => {
    await using opened = await open()
    const { write, posts, context, sentWithin } = await start(opened.db)
    await changeMailChoices(context, alice.userId, { comments: 'daily', likes: 'never' })
    const first = await write(bob, 'one')
    await posts.setLike(bob, 'p', true)
    await write(alice, 'an answer', { parentId: first.$id })
    expect((await sentWithin(2 * MINUTE)).map(({ to }) => to)).toEqual(['bob@m.example'])
    expect(await sentWithin(16 * 60 * MINUTE)).toEqual([])
    expect((await sentWithin(30 * MINUTE)).map(({ to }) => to)).toEqual(['alice@m.example'])
    expect(await readMailChoices(context, bob)).toMatchObject({
      choices: { replies: 'atOnce', comments: 'daily', likes: 'never' },
    })
  })

  test('no mail is sent about what was read, muted or hidden, or may no longer be read', async () => {
    await using opened = await open()
    const { db, write, update, context, sentWithin } = await start(opened.db)
    const stops: (() => Promise<unknown>)[] = [
      () => markRead(context, alice, { isRead: true }),
      () => mutePost(context, alice, 'p'),
      () => changeMailChoices(context, alice.userId, { comments: 'never' }),
      () => db.updateTable('user').set({ isVerified: 0 }).where('id', '=', 'alice').execute(),
      () => db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'alice').execute(),
    ]
    for (const [index, stop] of stops.entries()) {
      await write(bob, `Words ${index}`)
      await stop()
      expect([index, await sentWithin(20 * MINUTE)]).toEqual([index, []])
      await db.deleteFrom('mutedPost').execute()
      await db.updateTable('user').set({ isVerified: 1, isBlocked: 0 }).execute()
      await changeMailChoices(context, alice.userId, { comments: 'atOnce' })
    }
    const first = await write(bob, 'Asked')
    await write(carol, 'Hidden words', { parentId: first.$id })
    await db.updateTable('post').set({ status: 'inactive' }).where('id', '=', 'p').execute()
    expect((await sentWithin(20 * MINUTE)).map(({ to }) => to)).toEqual(['alice@m.example'])
    await db.updateTable('post').set({ status: 'active' }).where('id', '=', 'p').execute()
    const secret = await write(carol, 'Secret', { parentId: first.$id })
    await update(alice, secret.$id, { status: 'hidden' })
    const texts = (await sentWithin(20 * MINUTE)).filter(({ to }) => to === 'bob@m.example')
    for (const { text, html } of texts) expect(text + html).not.toContain('Secret')
  })

  test('a deleted comment is not mailed; a comment written while a mail is sent is not lost', async () => {
    await using opened = await open()
    const { write, remove, sentWithin, mailing } = await start(opened.db)
    await remove(bob, (await write(bob, 'deleted')).$id)
    expect(await sentWithin(20 * MINUTE)).toEqual([])
    await write(bob, 'stays')
    await remove(carol, (await write(carol, 'goes')).$id)
    const [remaining] = await sentWithin(20 * MINUTE)
    expect(remaining?.text).toMatch(/The bob\u2069 commented on/)
    await write(bob, 'one')
    mailing.meanwhile = async () => void (await write(carol, 'two'))
    expect(await sentWithin(10 * MINUTE)).toHaveLength(1)
    mailing.meanwhile = async () => {}
    const [mail] = await sentWithin(20 * MINUTE)
    expect(mail?.text).toContain('two')
    expect(await sentWithin(24 * 60 * MINUTE)).toEqual([])
  })

  test('one process retries a failed mail until its notifications are two days old', async () => {
    await using opened = await open()
    const { write, sentWithin, mailing, lost } = await start(opened.db)
    await write(bob, 'one')
    mailing.problem = { reason: '451 later', isFinal: false }
    expect(await sentWithin(2 * MINUTE)).toEqual([])
    mailing.problem = undefined
    expect(await sentWithin(MINUTE)).toEqual([])
    expect(await sentWithin(10 * MINUTE)).toHaveLength(1)
    mailing.problem = { reason: '451 later', isFinal: false }
    await write(carol, 'two')
    for (let day = 0; day < 3; day++) await sentWithin(24 * 60 * MINUTE)
    expect(lost).toEqual(['mail lost'])
    await write(bob, 'three')
    mailing.problem = { reason: '550 nobody', isFinal: true }
    await sentWithin(20 * MINUTE)
    expect(lost).toEqual(['mail lost', 'mail lost'])
    mailing.problem = undefined
    expect(await sentWithin(24 * 60 * MINUTE)).toEqual([])
  })

  test('twenty simultaneous runs send each mail once', async () => {
    await using opened = await open()
    const { write, context, posts, sent } = await start(opened.db)
    await write(bob, 'one')
    posts.passSeconds(2 * MINUTE)
    await Promise.all(Array.from({ length: 20 }, () => sendDueMails(context, NEVER)))
    expect(sent).toHaveLength(1)
  })

  test('the link of a mail unsubscribes its recipient from its kind; every wrong link gets the same refusal', async () => {
    await using opened = await open()
    const { write, context, sentWithin } = await start(opened.db)
    await write(bob, 'one')
    const [mail] = await sentWithin(2 * MINUTE)
    const url = new URL(mail?.unsubscribeUrl ?? '')
    expect(url.pathname).toBe('/v1/notifications/unsubscribe')
    const secret = url.searchParams.get('secret') ?? ''
    expect(mail?.text).toContain(`/notifications/unsubscribe${url.search}`)
    const [kind = '', hash = '', userId = ''] = secret.split('.')
    const wrong = [
      '',
      '.',
      'comments',
      `likes.${hash}.${userId}`,
      `${kind}.${hash}.bob`,
      `${secret}x`,
      `${kind}.${hash.slice(1)}.${userId}`,
      `${kind}.${'0'.repeat(64)}.${userId}`,
      `__proto__.${hash}.${userId}`,
    ]
    for (const wrongSecret of wrong)
      await expect(unsubscribe(context, wrongSecret)).rejects.toMatchObject({
        type: 'user_invalid_token',
      })
    for (let time = 0; time < 2; time++)
      expect(await unsubscribe(context, secret)).toEqual({ kind: 'comments' })
    expect(await readMailChoices(context, { ...alice, isVerified: true })).toMatchObject({
      state: 'on',
      choices: { comments: 'never', likes: 'atOnce' },
    })
    await write(carol, 'two')
    expect(await sentWithin(20 * MINUTE)).toEqual([])
  })
})
