// Keys of cached responses, their validity, and how often they are made.
import { expect, test } from 'vitest'
import { bodyOf, keyOf, makeResponseCache, type NewResponse } from './response-cache.ts'

/** Versions like those in the database; `raise` changes those of tags. */
function makeVersions() {
  const versions = new Map<string, number>()
  const raise = (...tags: string[]) => {
    for (const tag of ['all', ...tags]) versions.set(tag, (versions.get(tag) ?? 0) + 1)
  }
  const read = async (tags: readonly string[]) =>
    new Map(tags.map((tag) => [tag, versions.get(tag) ?? 0]))
  return { raise, read }
}

/** A cache with one response that has these tags. */
function open(tags: string[], meanwhile: () => void = () => {}) {
  const { raise, read } = makeVersions()
  const cache = makeResponseCache(read)
  let count = 0
  const make = async (): Promise<NewResponse> => {
    const body = Buffer.from(`made ${++count}`)
    await new Promise(setImmediate)
    meanwhile()
    return { body, tags, isCompressible: true, headers: {}, bodyHeaders: {} }
  }
  const ask = async (key = 'key') => {
    const response = await cache.readOrMake(key, make)
    return 'other' in response ? '' : String(await bodyOf(response))
  }
  return { ask, raise }
}

test('a response is valid until the version of one of its tags changes', async () => {
  const { ask, raise } = open(['posts', 'post:a'])
  expect([await ask(), await ask()]).toEqual(['made 1', 'made 1'])
  raise('post:b', 'counts')
  expect(await ask()).toBe('made 1')
  raise('post:a')
  expect([await ask(), await ask()]).toEqual(['made 2', 'made 2'])
  raise('posts')
  expect(await ask()).toBe('made 3')
  raise('site')
  expect(await ask()).toBe('made 4')
})

test('a response is made once for many concurrent callers, and once more after a change', async () => {
  const { ask, raise } = open(['posts'])
  for (const text of ['made 1', 'made 2']) {
    const bodies = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(new Set(bodies)).toEqual(new Set([text]))
    raise('posts')
  }
})

test('a change while a response is made for the first time makes it invalid', async () => {
  let isChanging = true
  const opened = open(['posts'], () => {
    if (isChanging) opened.raise('posts')
  })
  expect(await opened.ask()).toBe('made 1')
  isChanging = false
  expect([await opened.ask(), await opened.ask()]).toEqual(['made 2', 'made 2'])
})

test('while other data changes all the time, a response is cached the second time it is rendered', async () => {
  const opened = open(['posts'], () => opened.raise('post:other'))
  for (const text of ['made 1', 'made 2', 'made 2', 'made 2']) expect(await opened.ask()).toBe(text)
})

test('a response that differs by caller is made for each caller, and never stored', async () => {
  const { read } = makeVersions()
  const cache = makeResponseCache(read)
  let count = 0
  const ask = () => cache.readOrMake('key', async () => ({ other: ++count }))
  const all = await Promise.all([ask(), ask(), ask()])
  expect(all.map((response) => 'other' in response && response.other)).toEqual([1, 2, 3])
})

test('a URL whose first segment is escaped, or that is very long, has no key', async () => {
  const headers = { 'x-appwrite-response-format': '1.5' }
  expect(keyOf('guest', '/v1/databases', headers)).not.toBe(keyOf('guest', '/v1/databases', {}))
  for (const url of ['/%761/databases', `/v1/${'a'.repeat(3000)}`])
    expect(keyOf('guest', url, headers)).toBe('')
  const { ask } = open([])
  expect([await ask(''), await ask('')]).toEqual(['made 1', 'made 2'])
})
