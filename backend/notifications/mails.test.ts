// Mails of what the bell tells, on both databases: when they go out, to whom, and what ends them.
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
  const sent: Mail[] = []
  const mailing = {
    problem: undefined as { reason: string; isFinal: boolean } | undefined,
    meanwhile: async () => {},
  }
  const mailer = {
    async tryOnce(mail: Mail) {
      if (mailing.problem === undefined) sent.push(mail)
      comments.posts.pass(1)
      await mailing.meanwhile()
      return mailing.problem
    },
  }
  const lost: string[] = []
  const log = { info() {}, warn() {}, error: ({ event }: { event: string }) => lost.push(event) }
  const context = { ...comments.context, mailer, log } as unknown as Parameters<
    typeof sendDueMails
  >[0]
  /** What goes out by then. */
  const after = async (seconds: number) => {
    await context.background.drained()
    comments.posts.pass(seconds)
    await sendDueMails(context, NEVER)
    return sent.splice(0)
  }
  const everything = { comments: 'atOnce', likes: 'atOnce', own: 'atOnce' } as const
  await changeMailChoices(context, alice.userId, everything)
  return { ...comments, context, after, mailing, sent, lost }
}

describeEachDatabase('mails of notices', (open) => {
  test('while comments are off, no mail has their words', async () => {
    await using opened = await open()
    const { write, after, site } = await start(opened.db)
    await write(bob, 'words of bob')
    await write(carol, 'words of carol')
    site.comments = 'off'
    expect(JSON.stringify(await after(3 * MINUTE))).not.toContain('words of')
  })

  test('what comes within two minutes is one mail, and the next one comes ten minutes later', async () => {
    await using opened = await open()
    const { write, after } = await start(opened.db)
    await write(bob, 'one')
    expect(await after(MINUTE)).toEqual([])
    await write(carol, 'two')
    const [mail, ...others] = await after(MINUTE)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'alice@m.example', subject: /Comments on your posts/ })
    expect(mail?.text).toContain('/post/p?comment=')
    for (const part of [mail?.text, mail?.html])
      expect(part).toMatch(/The carol\u2069 and \u2068The bob\u2069 commented on/)
    await write(bob, 'three')
    expect(await after(3 * MINUTE)).toEqual([])
    expect(await after(8 * MINUTE)).toHaveLength(1)
    expect(await after(24 * 60 * MINUTE)).toEqual([])
  })

  test('once a day is one mail at six o’clock; never is none; without a choice the defaults hold', async () => {
    await using opened = await open()
    const { write, posts, context, after } = await start(opened.db)
    await changeMailChoices(context, alice.userId, { comments: 'daily', likes: 'never' })
    const first = await write(bob, 'one')
    await posts.setLike(bob, 'p', true)
    await write(alice, 'an answer', { parentId: first.$id })
    expect((await after(2 * MINUTE)).map(({ to }) => to)).toEqual(['bob@m.example'])
    expect(await after(16 * 60 * MINUTE)).toEqual([])
    expect((await after(30 * MINUTE)).map(({ to }) => to)).toEqual(['alice@m.example'])
    expect(await readMailChoices(context, bob)).toMatchObject({
      choices: { replies: 'atOnce', comments: 'daily', likes: 'never' },
    })
  })

  test('nothing goes out of what was read, muted, hidden, or may not be read any more', async () => {
    await using opened = await open()
    const { db, write, update, context, after } = await start(opened.db)
    const ends: (() => Promise<unknown>)[] = [
      () => markRead(context, alice, { isRead: true }),
      () => mutePost(context, alice, 'p'),
      () => changeMailChoices(context, alice.userId, { comments: 'never' }),
      () => db.updateTable('user').set({ isVerified: 0 }).where('id', '=', 'alice').execute(),
      () => db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'alice').execute(),
    ]
    for (const [at, end] of ends.entries()) {
      await write(bob, `Words ${at}`)
      await end()
      expect([at, await after(20 * MINUTE)]).toEqual([at, []])
      await db.deleteFrom('mutedPost').execute()
      await db.updateTable('user').set({ isVerified: 1, isBlocked: 0 }).execute()
      await changeMailChoices(context, alice.userId, { comments: 'atOnce' })
    }
    const first = await write(bob, 'Asked')
    await write(carol, 'Hidden words', { parentId: first.$id })
    await db.updateTable('post').set({ status: 'inactive' }).where('id', '=', 'p').execute()
    expect((await after(20 * MINUTE)).map(({ to }) => to)).toEqual(['alice@m.example'])
    await db.updateTable('post').set({ status: 'active' }).where('id', '=', 'p').execute()
    const secret = await write(carol, 'Secret', { parentId: first.$id })
    await update(alice, secret.$id, { status: 'hidden' })
    const texts = (await after(20 * MINUTE)).filter(({ to }) => to === 'bob@m.example')
    for (const { text, html } of texts) expect(text + html).not.toContain('Secret')
  })

  test('a deleted comment is not mailed; one that comes while a mail goes out is not lost', async () => {
    await using opened = await open()
    const { write, remove, after, mailing } = await start(opened.db)
    await remove(bob, (await write(bob, 'deleted')).$id)
    expect(await after(20 * MINUTE)).toEqual([])
    await write(bob, 'stays')
    await remove(carol, (await write(carol, 'goes')).$id)
    const [left] = await after(20 * MINUTE)
    expect(left?.text).toMatch(/The bob\u2069 commented on/)
    await write(bob, 'one')
    mailing.meanwhile = async () => void (await write(carol, 'two'))
    expect(await after(10 * MINUTE)).toHaveLength(1)
    mailing.meanwhile = async () => {}
    const [mail] = await after(20 * MINUTE)
    expect(mail?.text).toContain('two')
    expect(await after(24 * 60 * MINUTE)).toEqual([])
  })

  test('what did not go out is tried again, by one process, until it is two days old', async () => {
    await using opened = await open()
    const { write, after, mailing, lost } = await start(opened.db)
    await write(bob, 'one')
    mailing.problem = { reason: '451 later', isFinal: false }
    expect(await after(2 * MINUTE)).toEqual([])
    mailing.problem = undefined
    expect(await after(MINUTE)).toEqual([])
    expect(await after(10 * MINUTE)).toHaveLength(1)
    mailing.problem = { reason: '451 later', isFinal: false }
    await write(carol, 'two')
    for (let day = 0; day < 3; day++) await after(24 * 60 * MINUTE)
    expect(lost).toEqual(['mail lost'])
    await write(bob, 'three')
    mailing.problem = { reason: '550 nobody', isFinal: true }
    await after(20 * MINUTE)
    expect(lost).toEqual(['mail lost', 'mail lost'])
    mailing.problem = undefined
    expect(await after(24 * 60 * MINUTE)).toEqual([])
  })

  test('twenty at once send each mail once', async () => {
    await using opened = await open()
    const { write, context, posts, sent } = await start(opened.db)
    await write(bob, 'one')
    posts.pass(2 * MINUTE)
    await Promise.all(Array.from({ length: 20 }, () => sendDueMails(context, NEVER)))
    expect(sent).toHaveLength(1)
  })

  test('the link of a mail ends its kind, for its reader alone; any other one is refused alike', async () => {
    await using opened = await open()
    const { write, context, after } = await start(opened.db)
    await write(bob, 'one')
    const [mail] = await after(2 * MINUTE)
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
    for (const one of wrong)
      await expect(unsubscribe(context, one)).rejects.toMatchObject({ type: 'user_invalid_token' })
    for (let time = 0; time < 2; time++)
      expect(await unsubscribe(context, secret)).toEqual({ kind: 'comments' })
    expect(await readMailChoices(context, { ...alice, isVerified: true })).toMatchObject({
      state: 'on',
      choices: { comments: 'never', likes: 'atOnce' },
    })
    await write(carol, 'two')
    expect(await after(20 * MINUTE)).toEqual([])
  })
})
