// Long bodies of any kind block no other requests: each task takes this thread a few milliseconds,
// where processing the whole body in one go would take thirty times as long.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { openSqlite, type TestDatabase } from '#test/support/databases.ts'
import { measureLongestTask } from '#test/support/event-loop.ts'
import { addPeople, makeTestPosts, type TestPosts, viewerOf } from '#test/support/posts.ts'
import { sampled } from '#test/support/sampled.ts'
import { GUEST } from '../http/viewer.ts'
import { analyseWords } from '../search/fold-words.ts'
import { CONTENT_OBJECTS_MAX, TEXT_SYNC_MAX_CHARS } from './post-texts.ts'
import { CONTENT_SENT_MAX_CHARS, CONTENT_TAGS_MAX } from './sanitise.ts'
import { makeTextWorkerPool, TEXTS_WAITING_PER_AUTHOR_MAX } from './text-worker-pool.ts'

const SENTENCE = '東京タワーへ行く。'
const JAPANESE = `<p>${SENTENCE.repeat(33_333)}</p>`
/** Half the time that splitting such a text in one go takes; a task takes a fourteenth of it. */
let taskMaxMs: number
const alice = viewerOf('alice')
const fill = (piece: string, chars = 300_000) => piece.repeat(Math.floor(chars / piece.length))

let opened: TestDatabase
let posts: TestPosts

beforeAll(async () => {
  opened = await openSqlite()
  await addPeople(opened.db, ['alice', 'bob'])
  posts = makeTestPosts(opened.db)
  const fifth = `<p>${SENTENCE.repeat(33_333 / 5)}</p>`
  const split = () => analyseWords({ text: fifth, base: '' }).foldedWords
  taskMaxMs = (Math.min(...[1, 2].map(() => threadCpuMs(split))) * 5) / 2
})
afterAll(() => opened[Symbol.asyncDispose]())

function change(id: string, content: string, isAutosave = false) {
  const options = { permissions: undefined, unlessNewerThan: undefined, isAutosave }
  return posts.update(alice, id, { data: { content }, ...options })
}

const BODIES: [name: string, body: string][] = [
  ['some Japanese', `<p>${fill(SENTENCE, 21_000)}</p>`],
  ['marks', `<p>a${fill('\u0315\u0300\u0316\u0301')}</p>`],
  ['Japanese', JAPANESE],
  ['lists in lists', `<ul>${fill('<ul><li>x</li></ul>')}</ul>`],
]
for (const [tags, [name, body]] of sampled(BODIES, BODIES.length))
  test(`a body of ${name} is saved, found, read and restored without blocking other requests`, {
    tags,
  }, async () => {
    const id = name.replaceAll(' ', '-')
    const steps = {
      make: () => posts.write(alice, id, { content: body, status: 'inactive' }),
      autosave: () => change(id, `<p>night ferry ${id}</p>${body}`, true),
      change: () => change(id, `<p>night ferry of ${id}</p>${body}`),
      read: () => posts.read(alice, id),
      phrase: () => posts.search(alice, { q: `"night ferry of ${id}"`, page: 1 }),
      async version() {
        const [, version] = (await posts.listVersions(alice, id)).versions
        return posts.readVersion(alice, id, { id: version?.$id ?? '' })
      },
      async restore() {
        const [, version] = (await posts.listVersions(alice, id)).versions
        const request = { versionId: version?.$id ?? '', unlessNewerThan: undefined }
        return posts.restoreVersion(alice, id, request)
      },
      remove: () => posts.remove(alice, id, { unlessNewerThan: undefined }),
    }
    const long: unknown[] = []
    for (const [step, work] of Object.entries(steps)) {
      const { ms, outcome } = await measureLongestTask<unknown>(work)
      if (ms > taskMaxMs || outcome.status === 'rejected') long.push([step, ms, outcome.status])
      if (step === 'phrase') expect(outcome).toMatchObject({ value: { total: 1 } })
    }
    expect(long).toEqual([])
  })

test.each([
  ['tags', '<br>'.repeat(400_000)],
  ['images', '<img>'.repeat(400_000)],
  ['code samples', '<pre>a</pre>'.repeat(CONTENT_OBJECTS_MAX + 1)],
  ['end tags', fill('</p>', CONTENT_SENT_MAX_CHARS)],
  ['characters', ' '.repeat(CONTENT_SENT_MAX_CHARS + 1)],
])('more %s than any post has are refused before they are cleaned', async (_name, content) => {
  const { ms, outcome } = await measureLongestTask(() => posts.write(alice, 'refused', { content }))
  const limits = [CONTENT_TAGS_MAX, CONTENT_OBJECTS_MAX, CONTENT_SENT_MAX_CHARS].join('|')
  expect(outcome).toMatchObject({ reason: { type: 'document_invalid_structure' } })
  expect(String(outcome.status === 'rejected' && outcome.reason)).toMatch(new RegExp(limits))
  expect(ms).toBeLessThan(taskMaxMs)
  await expect(posts.read(GUEST, 'refused')).rejects.toThrow('no such post')
})

test('any number of attributes blocks no other requests', async () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')
  const content = `<p ${names}>x</p>`
  const { ms, outcome } = await measureLongestTask(() =>
    posts.write(alice, 'attributes', { content }),
  )
  expect(outcome).toMatchObject({ value: { content: '<p>x</p>' } })
  expect(ms).toBeLessThan(taskMaxMs)
})

test('the long texts of one author never fill the queue for others', async () => {
  const content = `<p>${'x'.repeat(TEXT_SYNC_MAX_CHARS)}</p>`
  const writes = Array.from({ length: TEXTS_WAITING_PER_AUTHOR_MAX + 5 }, (_, at) =>
    posts.write(alice, `many-${at}`, { content }),
  )
  const [results, otherPost] = await Promise.all([
    Promise.allSettled(writes),
    posts.write(viewerOf('bob'), 'of-bob', { content }),
  ])
  expect(otherPost.content).toBe(content)
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ reason: { type: 'general_service_disabled' } })
})

test('work that waits for the thread does not block other writers', {
  tags: ['more'],
}, async () => {
  const content = JAPANESE
  await posts.write(alice, 'deleted', { content })
  await posts.remove(alice, 'deleted', { unlessNewerThan: undefined })
  const { deleted } = await posts.listDeleted(alice, {
    userId: undefined,
    cursor: undefined,
    limit: 1,
  })
  const waiting = { restore: () => posts.restoreDeleted(alice, deleted[0]?.$id ?? '') }
  for (const [name, work] of Object.entries(waiting)) {
    const finished: string[] = []
    const busy = posts.write(viewerOf('bob'), `busy-${name}`, { content })
    await Promise.all([
      work().then(() => finished.push(name)),
      posts.write(viewerOf('bob'), `small-${name}`).then(() => finished.push('small')),
    ])
    expect(finished).toEqual(['small', name])
    await busy
  }
})

test('a new title of a long post is shown at once and found a little later, and its text is still found', {
  tags: ['more'],
}, async () => {
  await posts.write(alice, 'renamed', { content: `<p>mistral</p>${fill('東京タワーへ行く。')}` })
  const update = { data: { title: 'Tramontana' }, permissions: undefined }
  const renamed = await measureLongestTask(() =>
    posts.update(alice, 'renamed', { ...update, unlessNewerThan: undefined }),
  )
  expect(renamed.outcome).toMatchObject({ value: { title: 'Tramontana' } })
  expect(renamed.ms).toBeLessThan(taskMaxMs)
  expect((await posts.listVersions(alice, 'renamed')).versions).toMatchObject([
    { title: 'Tramontana', wordsAdded: 0, wordsRemoved: 0 },
    { title: 'renamed' },
  ])
  await posts.backfillIndex({ signal: new AbortController().signal })
  for (const q of ['tramontana', 'mistral'])
    expect(await posts.search(alice, { q, page: 1 })).toMatchObject({ total: 1 })
})

test('saving a text never waits for the highlighting of code', {
  tags: ['more'],
}, async () => {
  const workers = makeTextWorkerPool({ highlightMs: 60_000 })
  const finished: string[] = []
  const samples = Array.from({ length: 40 }, () => ({
    language: 'js',
    code: 'const a = foo(1)\n'.repeat(2900),
  }))
  await Promise.all([
    workers.highlight(samples, 'alice').then(() => finished.push('code')),
    workers
      .analyseWords({ text: fill('a ', 20_000), base: '' }, 'bob')
      .then(() => finished.push('text')),
  ])
  expect(finished).toEqual(['text', 'code'])
})
