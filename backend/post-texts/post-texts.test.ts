// What is made of a body is made when it is saved, and made anew when rules change or somebody
// else writes it; nothing uncleaned is shown meanwhile. On both databases.

import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { makeReadTagVersions } from '../database/cache-tags.ts'
import type { Database } from '../database/schema.ts'
import { makeBackground } from '../process/background.ts'
import { QueueFull } from '../process/bounded-queue.ts'
import { makeLog } from '../process/log.ts'
import { makeTexts, readRules, readSources } from './post-texts.ts'
import { findTexts, storeTexts } from './post-texts-store.ts'
import { regenerateTexts } from './regenerate-texts.ts'
import { makeTextWork } from './text-work.ts'

const alice = viewerOf('alice')
const OLD = '<p>a<script></p>'

/** A process on this database; `cleaned` and `described` are the bodies it worked on. */
function startProcess(db: Database, { rules = 'first', version = 'v1' } = {}) {
  const background = makeBackground(makeLog('silent'))
  const cleaned: string[] = []
  const described: string[] = []
  const sanitise = (html: string) => {
    cleaned.push(html)
    if (html.includes('<too-deep>')) throw new Refusal('document_invalid_structure')
    return html.replaceAll('<script>', '')
  }
  const make = (body: string) => {
    described.push(body)
    return { chars: body.length, version }
  }
  const describe = { version, make }
  const work = makeTextWork()
  const bodies = makeTexts({ work, rules: rules + version, sanitise, describe })
  const stop = new AbortController()
  return {
    cleaned,
    described,
    bodies,
    stop,
    show: (id: string, html: string) => bodies.show(db, id, html),
    derive: (id: string, html: string) => bodies.derive(db, id, html, describe),
    renew: (changed = bodies) =>
      regenerateTexts(makeTestContext(db, { background, postTexts: changed }), {
        signal: stop.signal,
      }),
  }
}

describeEachDatabase('bodies', (open) => {
  async function start() {
    const opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    const posts = makeTestPosts(db)
    for (const id of ['a', 'b', 'c']) await posts.write(alice, id, { content: `<p>${id} one</p>` })
    return {
      db,
      posts,
      /** Past the rules. */
      set: (id: string, content: string) =>
        db.updateTable('post').set({ content }).where('id', '=', id).execute(),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('a saved body is never cleaned again, and is stored with its number of words', async () => {
    await using blog = await start()
    const row = await findTexts(blog.db, 'a')
    expect(row).toMatchObject({ cleaned: null, code: null, words: 2 })
    await blog.posts.update(alice, 'a', {
      data: { content: '<p>one two three<script>x</script></p>' },
      permissions: undefined,
      unlessNewerThan: undefined,
    })
    const after = await findTexts(blog.db, 'a')
    expect(after).toMatchObject({ rules: row?.rules, cleaned: null, words: 3 })
    expect(after?.digest).not.toBe(row?.digest)
  })

  test('a body stored under older rules is cleaned for each answer until it is made anew', async () => {
    await using blog = await start()
    await blog.set('a', OLD)
    const first = startProcess(blog.db)
    for (let time = 0; time < 2; time++) expect(await first.show('a', OLD)).toBe('<p>a</p>')
    expect(first.cleaned).toEqual([OLD, OLD])
    await first.renew()
    expect(await findTexts(blog.db, 'a')).toMatchObject({ cleaned: '<p>a</p>', words: 1 })
    const second = startProcess(blog.db)
    for (const { show } of [first, second]) expect(await show('a', OLD)).toBe('<p>a</p>')
    expect(second.cleaned).toEqual([])
    expect(await second.derive('a', '<p>a</p>')).toEqual({ chars: 8, version: 'v1' })
    expect(second.described).toEqual([])
  })

  test('under other rules, and with another body, it is cleaned again', async () => {
    await using blog = await start()
    await blog.set('a', OLD)
    await startProcess(blog.db).renew()
    const other = startProcess(blog.db, { rules: 'second' })
    expect(await other.show('a', OLD)).toBe('<p>a</p>')
    expect(other.cleaned).toEqual([OLD])
    await other.renew()
    expect(await other.show('a', '<p>past<script></p>')).toBe('<p>past</p>')
    expect(other.cleaned.slice(-1)).toEqual(['<p>past<script></p>'])
  })

  test('making anew goes through the posts of other rules only, and may be stopped', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    await first.renew()
    expect(first.cleaned).toEqual(['<p>c one</p>', '<p>b one</p>', '<p>a one</p>'])
    await first.renew()
    expect(first.cleaned).toHaveLength(3)
    const second = startProcess(blog.db, { version: 'v2' })
    second.stop.abort()
    await second.renew()
    expect(second.cleaned).toEqual([])
  })

  test('a post that is saved meanwhile keeps what its save has made; one that finds no turn waits', async () => {
    await using blog = await start()
    const { bodies, renew } = startProcess(blog.db)
    await renew({
      ...bodies,
      async rebuild(body, of) {
        if (body.includes('b one')) throw new QueueFull('a test')
        const made = await bodies.rebuild(body, of)
        if (body.includes('a one')) await blog.set('a', '<p>later</p>')
        return made
      },
    })
    const rulesOf = async (id: string) => (await findTexts(blog.db, id))?.rules
    expect(await rulesOf('c')).toBe('firstv1')
    for (const id of ['a', 'b']) expect(await rulesOf(id)).not.toBe('firstv1')
  })

  test('making anew ends cached responses only where it highlights code', async () => {
    await using blog = await start()
    const version = async () => {
      const versions = await makeReadTagVersions(blog.db)(['post:a'])
      return versions.get('post:a')
    }
    const before = await version()
    await startProcess(blog.db).renew()
    expect(await version()).toBe(before)
    const row = await findTexts(blog.db, 'a')
    if (row) await storeTexts(blog.db, { ...row, code: '["<i>a</i>"]' })
    expect(await version()).not.toBe(before)
  })

  test('a body that cannot be cleaned is shown as plain text', async () => {
    await using blog = await start()
    const body = '<too-deep>words<img src=x onerror=alert(1)'
    await blog.set('a', body)
    const first = startProcess(blog.db)
    expect(await first.show('a', body)).toBe(' words ')
    await first.renew()
    expect(await first.show('a', body)).toBe(' words ')
  })

  test('what pages say of a body is made with it, and for an answer where it is of another one', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    await first.renew()
    const second = startProcess(blog.db)
    expect(await second.derive('a', '<p>a one</p>')).toEqual({ chars: 12, version: 'v1' })
    expect(second.described).toEqual([])
    expect(await second.derive('a', '<p>other</p>')).toEqual({ chars: 12, version: 'v1' })
    const newer = startProcess(blog.db, { version: 'v2' })
    expect(await newer.derive('a', '<p>a one</p>')).toEqual({ chars: 12, version: 'v2' })
    expect([second.described, newer.described]).toEqual([['<p>other</p>'], ['<p>a one</p>']])
  })

  test('what is written past this program is made anew when the index takes it up', async () => {
    await using blog = await start()
    await blog.posts.backfillIndex({ signal: new AbortController().signal })
    await blog.set('a', '<p onclick="x">one two three</p>')
    await blog.posts.backfillIndex({ signal: new AbortController().signal })
    expect(await findTexts(blog.db, 'a')).toMatchObject({
      cleaned: '<p>one two three</p>',
      words: 3,
    })
  })

  test('what was made of a body goes with its post, and comes back with it', async () => {
    await using blog = await start()
    const { posts } = blog
    await posts.remove(alice, 'a', { unlessNewerThan: undefined })
    expect(await findTexts(blog.db, 'a')).toBe(undefined)
    const page = { userId: undefined, cursor: undefined, limit: 1 }
    const [deleted] = (await posts.listDeleted(alice, page)).deleted
    await posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(await findTexts(blog.db, 'a')).toMatchObject({ words: 2, cleaned: null })
  })
})

test('the rules are named by all of their sources and by the addresses of the site', () => {
  const names = [...readSources('./text-thread.ts').keys()]
  for (const name of ['sanitise', 'sanitise-styles', 'sanitise-urls', 'highlight-code'])
    expect(names).toContain(`./${name}.ts`)
  const site = { publicUrl: 'https://a.example', allowedOrigins: [], contentBucketId: 'content' }
  expect(readRules(site)).toBe(readRules({ ...site }))
  expect(readRules(site)).not.toBe(readRules({ ...site, publicUrl: 'https://b.example' }))
})
