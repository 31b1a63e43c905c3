// What is made of a stored body is made once for each version of the rules, also for a process that
// has just started, on both databases.
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { makeCleanAgain } from './clean-again.ts'
import { readCleaningRules, readSources } from './cleaning-rules.ts'
import { makeDerivedTexts } from './derived-texts.ts'

const alice = viewerOf('alice')
const OLD = '<p>a<script></p>'

/** A process on this database; `cleaned` and `derived` are the bodies it worked on. */
function startProcess(db: Database, { rules = 'first', kept = 100 } = {}) {
  const failures: unknown[] = []
  const background = makeBackground({
    ...makeLog('silent'),
    error: (entry: unknown) => void failures.push(entry),
  } as Parameters<typeof makeBackground>[0])
  const cleaned: string[] = []
  const derived: string[] = []
  const sanitise = (html: string) => {
    cleaned.push(html)
    if (html.includes('<too-deep>')) throw new Refusal('document_invalid_structure')
    return html.replaceAll('<script>', '')
  }
  const again = makeCleanAgain({ db, background, sanitise, rules }, kept)
  const deriveTexts = makeDerivedTexts({ db, background })
  return {
    cleaned,
    derived,
    failures,
    drained: () => background.drained(),
    noteClean: (id: string, html: string) => again.noteClean(db, id, html),
    async show(id: string, html: string) {
      const shown = await again.show(db, id, html)
      await background.drained()
      return shown
    },
    async showInTransaction(id: string, html: string) {
      const shown = await inTransaction(db, background, (tx) => again.show(tx, id, html))
      await background.drained()
      return shown
    },
    async derive(id: string, html: string, version = 'v1') {
      const make = (body: string) => {
        derived.push(body)
        return { chars: body.length, version }
      }
      const texts = await deriveTexts(id, html, { version, make })
      await background.drained()
      return texts
    },
  }
}

describe.each(DATABASES)('bodies on %s', (_name, open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    const posts = makeTestPosts(opened.db)
    for (const id of ['a', 'b', 'c']) await posts.write(alice, id)
    return { db: opened.db, posts, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
  }

  test('a body stored under older rules is cleaned once, for all processes', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    const second = startProcess(blog.db)
    for (const { show } of [first, first, second, second])
      expect(await show('a', OLD)).toBe('<p>a</p>')
    expect([...first.cleaned, ...second.cleaned]).toEqual([OLD])
  })

  test('a body that was read inside a transaction is kept, too', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    expect(await first.showInTransaction('a', OLD)).toBe('<p>a</p>')
    expect(first.failures).toEqual([])
    const second = startProcess(blog.db)
    expect(await second.show('a', OLD)).toBe('<p>a</p>')
    expect(second.cleaned).toEqual([])
  })

  test('of many readers at once one cleans', async () => {
    await using blog = await start()
    const { show, cleaned } = startProcess(blog.db)
    await Promise.all(Array.from({ length: 20 }, () => show('a', OLD)))
    expect(cleaned).toEqual([OLD])
  })

  test('a clean body is checked once, a result of the cleaner never', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    await first.noteClean('b', '<p>fresh</p>')
    const second = startProcess(blog.db)
    for (const { show } of [first, first, second]) {
      expect(await show('a', '<p>old</p>')).toBe('<p>old</p>')
      expect(await show('b', '<p>fresh</p>')).toBe('<p>fresh</p>')
      expect(await show('c', '')).toBe('')
    }
    expect([...first.cleaned, ...second.cleaned]).toEqual(['<p>old</p>'])
  })

  test('under other rules, and with another body, it is cleaned again', async () => {
    await using blog = await start()
    await startProcess(blog.db).show('a', OLD)
    const other = startProcess(blog.db, { rules: 'second' })
    await other.show('a', OLD)
    await other.show('a', '<p>changed</p>')
    expect(other.cleaned).toEqual([OLD, '<p>changed</p>'])
    // A body noted for one post says nothing of another post's row, and harms nobody.
    expect(await other.show('b', OLD)).toBe('<p>a</p>')
  })

  test('what memory has no room for is found beside the post', async () => {
    await using blog = await start()
    const { show, cleaned } = startProcess(blog.db, { kept: 1 })
    for (const id of ['a', 'b', 'c', 'a', 'b', 'c']) await show(id, `<p>${id}</p>`)
    expect(cleaned).toEqual(['<p>a</p>', '<p>b</p>', '<p>c</p>'])
  })

  test('a body that cannot be cleaned is shown as plain text', async () => {
    await using blog = await start()
    expect(
      await startProcess(blog.db).show('a', '<too-deep>words<img src=x onerror=alert(1)'),
    ).toBe(' words ')
  })

  test('texts of a body are made once for each version, for all processes', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    const second = startProcess(blog.db)
    for (const { derive } of [first, first, second])
      expect(await derive('a', '<p>one</p>')).toEqual({ chars: 10, version: 'v1' })
    expect([...first.derived, ...second.derived]).toEqual(['<p>one</p>'])
    expect(await second.derive('a', '<p>one</p>', 'v2')).toEqual({ chars: 10, version: 'v2' })
    expect(await second.derive('a', '<p>other</p>', 'v2')).toEqual({ chars: 12, version: 'v2' })
    expect(second.derived).toHaveLength(2)
    // Cleaning and texts stand in one row and do not undo each other.
    await second.show('a', '<p>one</p>')
    const third = startProcess(blog.db)
    await third.derive('a', '<p>other</p>', 'v2')
    await third.show('a', '<p>one</p>')
    expect([...third.derived, ...third.cleaned]).toEqual([])
  })

  test('what was made of a body goes with its post, and is not kept after it', async () => {
    await using blog = await start()
    const running = startProcess(blog.db)
    await running.show('a', OLD)
    await blog.posts.remove(alice, 'a', { unlessNewerThan: undefined })
    await blog.posts.background.drained()
    expect(await running.show('a', '<p>late</p>')).toBe('<p>late</p>')
    expect(await blog.db.selectFrom('postText').select('postId').execute()).not.toContainEqual({
      postId: 'a',
    })
    expect(running.failures).toEqual([])
  })
})

test('the rules are named by all of their sources and by the addresses of the site', () => {
  const names = [...readSources('./sanitise.ts').keys()]
  for (const name of ['sanitise', 'sanitise-styles', 'style-lengths', 'sanitise-addresses'])
    expect(names).toContain(`./${name}.ts`)
  const site = { publicUrl: 'https://a.example', allowedOrigins: [], contentBucketId: 'content' }
  expect(readCleaningRules(site)).toBe(readCleaningRules({ ...site }))
  expect(readCleaningRules(site)).not.toBe(
    readCleaningRules({ ...site, publicUrl: 'https://b.example' }),
  )
})
