// Texts are derived from a body when it is saved, and regenerated when the rules change or another
// program writes the body; no uncleaned body is ever shown. On both databases.

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
import { makePostTextsFrom, readRules, readSources } from './post-texts.ts'
import { findDerivedTexts, storeDerivedTexts } from './post-texts-store.ts'
import { regenerateTexts } from './regenerate-texts.ts'
import { makeTextWorkerPool } from './text-worker-pool.ts'

const alice = viewerOf('alice')
const OLD = '<p>a<script></p>'

/** A process on this database; `cleaned` and `derived` are the bodies that it processed. */
function startProcess(db: Database, { rules = 'first', version = 'v1' } = {}) {
  const background = makeBackground(makeLog('silent'))
  const cleaned: string[] = []
  const derived: string[] = []
  const sanitise = (html: string) => {
    cleaned.push(html)
    if (html.includes('<too-deep>')) throw new Refusal('document_invalid_structure')
    return html.replaceAll('<script>', '')
  }
  const derive = (body: string) => {
    derived.push(body)
    return { chars: body.length, version }
  }
  const pageTexts = { version, derive }
  const postTexts = makePostTextsFrom({
    workers: makeTextWorkerPool(),
    rulesVersion: rules + version,
    sanitise,
    pageTexts,
  })
  const stop = new AbortController()
  return {
    cleaned,
    derived,
    postTexts,
    stop,
    clean: (id: string, html: string) => postTexts.cleanPost(db, id, html),
    derive: (id: string, html: string) => postTexts.readPageTexts(db, id, html, pageTexts),
    regenerate: (changed = postTexts) =>
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
      /** Bypasses the rules. */
      setContent: (id: string, content: string) =>
        db.updateTable('post').set({ content }).where('id', '=', id).execute(),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('a saved body is never cleaned again, and is stored with its number of words', async () => {
    await using blog = await start()
    const row = await findDerivedTexts(blog.db, 'a')
    expect(row).toMatchObject({ cleaned: null, code: null, words: 2 })
    await blog.posts.update(alice, 'a', {
      data: { content: '<p>one two three<script>x</script></p>' },
      permissions: undefined,
      unlessNewerThan: undefined,
    })
    const after = await findDerivedTexts(blog.db, 'a')
    expect(after).toMatchObject({ rules: row?.rules, cleaned: null, words: 3 })
    expect(after?.digest).not.toBe(row?.digest)
  })

  test('a body stored under older rules is cleaned for each answer until it is regenerated', async () => {
    await using blog = await start()
    await blog.setContent('a', OLD)
    const first = startProcess(blog.db)
    for (let time = 0; time < 2; time++) expect(await first.clean('a', OLD)).toBe('<p>a</p>')
    expect(first.cleaned).toEqual([OLD, OLD])
    await first.regenerate()
    expect(await findDerivedTexts(blog.db, 'a')).toMatchObject({ cleaned: '<p>a</p>', words: 1 })
    const second = startProcess(blog.db)
    for (const { clean } of [first, second]) expect(await clean('a', OLD)).toBe('<p>a</p>')
    expect(second.cleaned).toEqual([])
    expect(await second.derive('a', '<p>a</p>')).toEqual({ chars: 8, version: 'v1' })
    expect(second.derived).toEqual([])
  })

  test('a stored body is cleaned again under other rules, and when the body has changed', async () => {
    await using blog = await start()
    await blog.setContent('a', OLD)
    await startProcess(blog.db).regenerate()
    const other = startProcess(blog.db, { rules: 'second' })
    expect(await other.clean('a', OLD)).toBe('<p>a</p>')
    expect(other.cleaned).toEqual([OLD])
    await other.regenerate()
    expect(await other.clean('a', '<p>past<script></p>')).toBe('<p>past</p>')
    expect(other.cleaned.slice(-1)).toEqual(['<p>past<script></p>'])
  })

  test('only texts derived under other rules are regenerated, and this can be stopped', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    await first.regenerate()
    expect(first.cleaned).toEqual(['<p>c one</p>', '<p>b one</p>', '<p>a one</p>'])
    await first.regenerate()
    expect(first.cleaned).toHaveLength(3)
    const second = startProcess(blog.db, { version: 'v2' })
    second.stop.abort()
    await second.regenerate()
    expect(second.cleaned).toEqual([])
  })

  test('a post that is saved meanwhile keeps the texts of its save; a post that meets a full queue waits', async () => {
    await using blog = await start()
    const { postTexts, regenerate } = startProcess(blog.db)
    await regenerate({
      ...postTexts,
      async rebuild(body, author) {
        if (body.includes('b one')) throw new QueueFull('a test')
        const rebuilt = await postTexts.rebuild(body, author)
        if (body.includes('a one')) await blog.setContent('a', '<p>later</p>')
        return rebuilt
      },
    })
    const rulesOf = async (id: string) => (await findDerivedTexts(blog.db, id))?.rules
    expect(await rulesOf('c')).toBe('firstv1')
    for (const id of ['a', 'b']) expect(await rulesOf(id)).not.toBe('firstv1')
  })

  test('regenerating invalidates cached responses only where it highlights code', async () => {
    await using blog = await start()
    const version = async () => {
      const versions = await makeReadTagVersions(blog.db)(['post:a'])
      return versions.get('post:a')
    }
    const before = await version()
    await startProcess(blog.db).regenerate()
    expect(await version()).toBe(before)
    const row = await findDerivedTexts(blog.db, 'a')
    if (row) await storeDerivedTexts(blog.db, { ...row, code: '["<i>a</i>"]' })
    expect(await version()).not.toBe(before)
  })

  test('a body that cannot be cleaned is shown as plain text', async () => {
    await using blog = await start()
    const body = '<too-deep>words<img src=x onerror=alert(1)'
    await blog.setContent('a', body)
    const first = startProcess(blog.db)
    expect(await first.clean('a', body)).toBe(' words ')
    await first.regenerate()
    expect(await first.clean('a', body)).toBe(' words ')
  })

  test('page texts are derived at the save, and for each answer when the body has changed', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    await first.regenerate()
    const second = startProcess(blog.db)
    expect(await second.derive('a', '<p>a one</p>')).toEqual({ chars: 12, version: 'v1' })
    expect(second.derived).toEqual([])
    expect(await second.derive('a', '<p>other</p>')).toEqual({ chars: 12, version: 'v1' })
    const newer = startProcess(blog.db, { version: 'v2' })
    expect(await newer.derive('a', '<p>a one</p>')).toEqual({ chars: 12, version: 'v2' })
    expect([second.derived, newer.derived]).toEqual([['<p>other</p>'], ['<p>a one</p>']])
  })

  test('the texts of a body that another program wrote are regenerated when the post is indexed', async () => {
    await using blog = await start()
    await blog.posts.backfillIndex({ signal: new AbortController().signal })
    await blog.setContent('a', '<p onclick="x">one two three</p>')
    await blog.posts.backfillIndex({ signal: new AbortController().signal })
    expect(await findDerivedTexts(blog.db, 'a')).toMatchObject({
      cleaned: '<p>one two three</p>',
      words: 3,
    })
  })

  test('derived texts are deleted and restored with their post', async () => {
    await using blog = await start()
    const { posts } = blog
    await posts.remove(alice, 'a', { unlessNewerThan: undefined })
    expect(await findDerivedTexts(blog.db, 'a')).toBe(undefined)
    const page = { userId: undefined, cursor: undefined, limit: 1 }
    const [deleted] = (await posts.listDeleted(alice, page)).deleted
    await posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(await findDerivedTexts(blog.db, 'a')).toMatchObject({ words: 2, cleaned: null })
  })
})

test('the version of the rules depends on all of their sources and on the addresses of the site', () => {
  const names = [...readSources('./text-worker.ts').keys()]
  for (const name of ['sanitise', 'sanitise-styles', 'sanitise-urls', 'highlight-code'])
    expect(names).toContain(`./${name}.ts`)
  const site = { publicUrl: 'https://a.example', allowedOrigins: [], contentBucketId: 'content' }
  expect(readRules(site)).toBe(readRules({ ...site }))
  expect(readRules(site)).not.toBe(readRules({ ...site, publicUrl: 'https://b.example' }))
})
