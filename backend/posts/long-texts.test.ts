// Long bodies hold nobody else up, whatever they are made of: each costs this thread a few
// milliseconds of processor time at once, and thirty times as much when it is worked on in one go.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, type TestPosts, viewerOf } from '#test/support/posts.ts'
import { longestTurn } from '#test/support/turns.ts'
import { threadMs } from '#test/support/work.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { CONTENT_OBJECTS_MAX, makePostTexts } from './post-texts.ts'
import { CONTENT_SENT_MAX_CHARS, CONTENT_TAGS_MAX } from './sanitise.ts'
import {
  makeTextWork,
  splitText,
  TEXTS_WAITING_PER_AUTHOR_MAX,
  type TextWork,
} from './text-work.ts'

const JAPANESE = `<p>${'東京タワーへ行く。'.repeat(33_333)}</p>`
/** Half of what it costs here to split such a text in one go: turns take a fourteenth of that. */
let turnMaxMs: number
const alice = viewerOf('alice')
const fill = (piece: string, chars = 300_000) => piece.repeat(Math.floor(chars / piece.length))

let opened: TestDatabase
let posts: TestPosts

beforeAll(async () => {
  opened = await openSqlite()
  await addPeople(opened.db, ['alice', 'bob'])
  posts = makeTestPosts(opened.db)
  const split = () => splitText({ text: JAPANESE, isText: false })
  turnMaxMs = Math.min(...[1, 2, 3].map(() => threadMs(split))) / 2
})
afterAll(() => opened[Symbol.asyncDispose]())

function change(id: string, content: string, isAutosave = false) {
  const rest = { permissions: undefined, unlessNewerThan: undefined, isAutosave }
  return posts.update(alice, id, { data: { content }, ...rest })
}

for (const [name, body] of [
  ['marks', `<p>a${fill('\u0315\u0300\u0316\u0301')}</p>`],
  ['Japanese', JAPANESE],
  ['lists in lists', `<ul>${fill('<ul><li>x</li></ul>')}</ul>`],
] as const)
  test(`a body of ${name} is saved, found, read and brought back in turns with others`, {
    tags: name === 'Japanese' ? [] : ['more'],
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
        const asked = { versionId: version?.$id ?? '', unlessNewerThan: undefined }
        return posts.restoreVersion(alice, id, asked)
      },
      remove: () => posts.remove(alice, id, { unlessNewerThan: undefined }),
    }
    const long: unknown[] = []
    for (const [step, work] of Object.entries(steps)) {
      const { ms, outcome } = await longestTurn<unknown>(work)
      if (ms > turnMaxMs || outcome.status === 'rejected') long.push([step, ms, outcome.status])
      if (step === 'phrase') expect(outcome).toMatchObject({ value: { total: 1 } })
    }
    expect(long).toEqual([])
  })

test.each([
  ['tags', '<br>'.repeat(400_000)],
  ['images', '<img>'.repeat(400_000)],
  ['code samples', '<pre>a</pre>'.repeat(CONTENT_OBJECTS_MAX + 1)],
  ['ends of tags', fill('</p>', CONTENT_SENT_MAX_CHARS)],
  ['characters', ' '.repeat(CONTENT_SENT_MAX_CHARS + 1)],
])('more %s than any post has are refused before they are cleaned', async (_name, content) => {
  const { ms, outcome } = await longestTurn(() => posts.write(alice, 'refused', { content }))
  const limits = [CONTENT_TAGS_MAX, CONTENT_OBJECTS_MAX, CONTENT_SENT_MAX_CHARS].join('|')
  expect(outcome).toMatchObject({ reason: { type: 'document_invalid_structure' } })
  expect(String(outcome.status === 'rejected' && outcome.reason)).toMatch(new RegExp(limits))
  expect(ms).toBeLessThan(turnMaxMs)
  await expect(posts.read(GUEST, 'refused')).rejects.toThrow('no such post')
})

test('attributes without number cost others nothing', async () => {
  const names = Array.from({ length: 200_000 }, (_none, at) => `a${at}`).join(' ')
  const content = `<p ${names}>x</p>`
  const { ms, outcome } = await longestTurn(() => posts.write(alice, 'attributes', { content }))
  expect(outcome).toMatchObject({ value: { content: '<p>x</p>' } })
  expect(ms).toBeLessThan(turnMaxMs)
})

test('one person’s long texts never take the places of others', async () => {
  const content = fill('<p>x</p>', 20_000)
  const many = Array.from({ length: 2 * TEXTS_WAITING_PER_AUTHOR_MAX }, (_none, at) =>
    posts.write(alice, `many-${at}`, { content }),
  )
  const [own, other] = await Promise.all([
    Promise.allSettled(many),
    posts.write(viewerOf('bob'), 'of-bob', { content }),
  ])
  expect(other.content).toBe(content)
  const refused = own.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ reason: { type: 'general_service_disabled' } })
})

test('what waits for the thread does not keep others from writing', async () => {
  const key: Viewer = { role: 'key' }
  const content = JAPANESE
  await posts.write(alice, 'deleted', { content })
  await posts.remove(alice, 'deleted', { unlessNewerThan: undefined })
  const { deleted } = await posts.listDeleted(alice, {
    userId: undefined,
    cursor: undefined,
    limit: 1,
  })
  const document = { $id: 'bulk', title: 'bulk', userid: 'alice', content: `${content}<p>b</p>` }
  const waiting = {
    restore: () => posts.restoreDeleted(alice, deleted[0]?.$id ?? ''),
    bulk: () => posts.createMany(key, [document]),
  }
  for (const [name, work] of Object.entries(waiting)) {
    const ended: string[] = []
    const busy = posts.write(viewerOf('bob'), `busy-${name}`, { content })
    await Promise.all([
      work().then(() => ended.push(name)),
      posts.write(viewerOf('bob'), `small-${name}`).then(() => ended.push('small')),
    ])
    expect(ended).toEqual(['small', name])
    await busy
  }
})

test('a title for which another long text was made ready holds nobody up, and both are kept', {
  tags: ['more'],
}, async () => {
  const { db } = opened
  const texts = [1, 2].map((at) => `<p>${at}${fill('東京タワーへ行く。')}</p>`)
  await posts.write(alice, 'raced', { content: fill('<p>x</p>', 20_000) })
  const bodies = makePostTexts({
    publicUrl: 'https://blog.example',
    ...{ allowedOrigins: ['https://blog.example'], contentBucketId: 'content' },
  })
  const derive: TextWork['derive'] = async (asked, key) => {
    const derived = await bodies.work.derive(asked, key)
    const next = texts.shift()
    if (next) await change('raced', next)
    return derived
  }
  const late = makeTestPosts(db, { bodies: { ...bodies, work: { ...bodies.work, derive } } })
  const rename = (title: string) => {
    const update = { data: { title }, permissions: undefined, unlessNewerThan: undefined }
    return longestTurn(() => late.update(alice, 'raced', update))
  }
  const kept = texts[1]
  const renamed = await rename('new')
  expect(renamed.outcome).toMatchObject({ value: { title: 'new', content: kept } })
  expect(renamed.ms).toBeLessThan(turnMaxMs)
  // Others save it each time: nothing is written.
  texts.push(...[3, 4, 5].map((at) => `<p>${at}${fill('東京タワーへ行く。')}</p>`))
  const refused = await rename('never')
  expect(refused.outcome).toMatchObject({ reason: { type: 'general_service_disabled' } })
  expect((await posts.read(alice, 'raced')).title).toBe('new')
})

test('a new title of a long text is paid for by the length of the text', async () => {
  await posts.write(alice, 'paid', { content: fill('<p>x</p>', 20_000) })
  const paid: number[] = []
  const rest = { permissions: undefined, unlessNewerThan: undefined }
  const pay = (ms: number) => void paid.push(ms)
  await posts.update(alice, 'paid', { data: { title: 'new' }, ...rest, pay })
  await posts.update(alice, 'paid', { data: { status: 'inactive' }, ...rest, pay })
  const put = { id: 'paid', permissions: undefined, pay }
  await posts.upsert(alice, { ...put, data: { title: 'put' } })
  await posts.update(alice, 'paid', { data: { title: 'newer', content: 'short' }, ...rest, pay })
  expect(paid.map(Math.round)).toEqual([29, 29])
})

test('many new titles of long texts hold nobody up; more text than one call may send is refused', {
  tags: ['more'],
}, async () => {
  const key: Viewer = { role: 'key' }
  const ids = [1, 2, 3].map((at) => `long-${at}`)
  for (const id of ids) {
    const content = `<p>${id}${fill('東京タワーへ行く。')}</p>`
    await posts.write(alice, id, { content, status: 'inactive' })
  }
  const queries = [`equal("$id", ${JSON.stringify(ids)})`]
  const calls = {
    update: () => posts.updateMany(key, { queries, data: { title: 'one for all' } }),
    upsert: () =>
      posts.upsertMany(
        key,
        ids.map(($id) => ({ $id, title: `put ${$id}` })),
      ),
    remove: () => posts.removeMany(key, queries),
  }
  const long: unknown[] = []
  for (const [name, call] of Object.entries(calls)) {
    const { ms, outcome } = await longestTurn(call)
    if (ms > turnMaxMs || outcome.status === 'rejected') long.push([name, ms, outcome.status])
  }
  expect(long).toEqual([])

  const many = Array.from({ length: 5 }, (_none, at) => `longer-${at}`)
  for (const id of many) await posts.write(alice, id, { content: fill('<p>x</p>', 900_000) })
  const documents = many.map(($id) => ({ $id, title: 'never' }))
  await expect(posts.upsertMany(key, documents)).rejects.toMatchObject({
    type: 'general_argument_invalid',
  })
  expect((await posts.read(alice, 'longer-0')).title).toBe('longer-0')
})

test('a text that is saved never waits for code that is highlighted', {
  tags: ['more'],
}, async () => {
  const work = makeTextWork({ highlightMs: 60_000 })
  const ended: string[] = []
  const samples = Array.from({ length: 40 }, () => ({
    ...{ language: 'js', code: 'const a = foo(1)\n'.repeat(2900) },
  }))
  await Promise.all([
    work.highlight(samples, 'alice').then(() => ended.push('code')),
    work.split({ text: fill('a ', 20_000), isText: true }, 'bob').then(() => ended.push('text')),
  ])
  expect(ended).toEqual(['text', 'code'])
})
