import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { KEPT_PAGES_UNASKED_MS } from '#contract/server-limits.ts'
import { setHearing, tellAtOnce } from '../database/change-ears.ts'
import type { Database } from '../database/schema.ts'
import { makeChangedTopics, type Topic } from '../database/topics.ts'
import { chooseEncoding, encode } from '../http/encodings.ts'
import { type MadePage, makeKeptPages } from './kept-pages.ts'

/** Pages of one topic; `made` counts renderings, `asked` how often calls were asked again. */
function start({ body = 'a page', maxBytes = 10_000_000 } = {}) {
  const db = {} as Database
  let nowMs = 0
  const pages = makeKeptPages(makeChangedTopics(db), { maxBytes, nowMs: () => nowMs })
  const state = { made: 0, asked: 0, isCurrent: true, meanwhile: async () => {} }
  const needs = {
    async ask(_calls: unknown, topics: Set<Topic>) {
      state.asked++
      topics.add('person:alice')
      await state.meanwhile()
      return state.isCurrent
    },
    async make(): Promise<MadePage | { other: string }> {
      state.made++
      await state.meanwhile()
      return {
        ...{ contentType: 'text/html', encoding: 'identity', body: Buffer.from(body) },
        ...{ tag: `W/"${state.made}"`, calls: [], topics: new Set<Topic>(['person:alice']) },
      }
    },
  }
  return {
    pages,
    state,
    needs,
    read: (address = '/a') => pages.readOrMake(address, needs),
    change: (userId = 'alice') =>
      tellAtOnce(db, { kind: 'public', userIds: [userId], isAnyoneGone: false }),
    setHearing: (is: boolean) => setHearing(db, is),
    pass: (ms: number) => (nowMs += ms),
  }
}

test('a page is rendered once, for many at once and one after the other, and nothing is asked', async () => {
  const { state, read } = start()
  const together = await Promise.all(Array.from({ length: 20 }, () => read()))
  expect(new Set(together).size).toBe(1)
  expect(await read()).toBe(together[0])
  expect(state).toMatchObject({ made: 1, asked: 0 })
})

test('after a change of what it is made of a page is asked again, and rendered when an answer differs', async () => {
  const { pages, state, read, change } = start()
  const first = await read()
  change('bob')
  expect(pages.find('/a')).toBe(first)
  change()
  expect(pages.find('/a')).toBeUndefined()
  expect(await read()).toBe(first)
  expect(state).toMatchObject({ made: 1, asked: 1 })
  state.isCurrent = false
  change()
  const together = await Promise.all(Array.from({ length: 20 }, () => read()))
  expect(together[0]).not.toBe(first)
  expect(state).toMatchObject({ made: 2, asked: 2 })
})

test('what changes while a page is rendered or asked again is not taken for shown', async () => {
  const { pages, state, read, change } = start()
  state.meanwhile = async () => change()
  await read()
  expect(pages.find('/a')).toBeUndefined()
  await read()
  expect(pages.find('/a')).toBeUndefined()
  expect(state).toMatchObject({ made: 1, asked: 1 })
  state.meanwhile = async () => {}
  await read()
  expect(pages.find('/a')).toMatchObject({ tag: 'W/"1"' })
})

test('who comes after a change does not get what others began to render before it', async () => {
  const { state, read, change } = start()
  const gate = Promise.withResolvers<void>()
  state.meanwhile = () => gate.promise
  const early = read()
  change()
  const late = read()
  state.meanwhile = async () => {}
  state.isCurrent = false
  gate.resolve()
  expect(await late).not.toBe(await early)
  expect(state.made).toBe(2)
})

test('a page is asked again after a few seconds, and each time while changes are not heard', async () => {
  const { pages, state, read, pass, setHearing } = start()
  await read()
  pass(KEPT_PAGES_UNASKED_MS + 1)
  expect(pages.find('/a')).toBeUndefined()
  await read()
  expect(pages.find('/a')).toMatchObject({ tag: 'W/"1"' })
  expect(state.asked).toBe(1)
  setHearing(false)
  await read()
  await read()
  expect(state).toMatchObject({ made: 1, asked: 3 })
  setHearing(true)
  expect(pages.find('/a')).toMatchObject({ tag: 'W/"1"' })
})

test('what is no page to keep, or fails, is asked for again', async () => {
  const { pages, needs } = start()
  let asked = 0
  const other = { ...needs, make: async () => ({ other: `missing ${++asked}` }) }
  expect(await pages.readOrMake('/a', other)).toEqual({ other: 'missing 1' })
  expect(await pages.readOrMake('/a', other)).toEqual({ other: 'missing 2' })
  const failing = { ...needs, make: async () => Promise.reject(new Error('away')) }
  await expect(pages.readOrMake('/a', failing)).rejects.toThrow('away')
  expect(await pages.readOrMake('/a', needs)).toHaveProperty('bodies')
})

test('all pages together take no more memory than they may, in all encodings', async () => {
  const body = Array.from({ length: 20_000 }, (_none, at) => String.fromCharCode(at)).join('')
  const { pages, state, read } = start({ body, maxBytes: 400_000 })
  for (let at = 0; at < 10; at++) await read(`/${at}`)
  expect(state.made).toBe(10)
  expect(pages.find('/9')).toMatchObject({ tag: 'W/"10"' })
  expect(pages.find('/0')).toBeUndefined()
  const page = await read('/9')
  if ('other' in page) throw new Error('It is kept')
  expect(pages.find('/8')).toMatchObject({ tag: 'W/"9"' })
  const [br, gzip] = [await pages.bodyIn(page, 'br'), await pages.bodyIn(page, 'gzip')]
  expect([brotliDecompressSync(br).toString(), gunzipSync(gzip).toString()]).toEqual([body, body])
  expect(await pages.bodyIn(page, 'br')).toBe(br)
  const kept = Array.from({ length: 10 }, (_none, at) => pages.find(`/${at}`)).filter(Boolean)
  const bytes = kept.flatMap((one) => [...(one?.bodies.values() ?? [])])
  expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(400_000)
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, *', 'gzip'],
  ['*', 'br'],
  ['identity, deflate', 'identity'],
])('of %s the encoding %s is chosen', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test('an encoded page reads as it was written', async () => {
  const html = '<p>é…😀</p>'.repeat(100)
  expect(brotliDecompressSync(await encode(html, 'br')).toString()).toBe(html)
  expect(gunzipSync(await encode(html, 'gzip')).toString()).toBe(html)
  expect((await encode(html, 'identity')).toString()).toBe(html)
})
