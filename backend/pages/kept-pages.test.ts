import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseEncoding, encode } from '../http/encodings.ts'
import { type KeptPage, makeKeptPages } from './kept-pages.ts'

/** A page of one call; `made` counts its renderings. */
function makeRenderer(body = 'a page') {
  const renderer = {
    made: 0,
    isCurrent: true,
    needs: {
      isCurrent: async () => renderer.isCurrent,
      async make(): Promise<KeptPage | { other: string }> {
        renderer.made++
        await Promise.resolve()
        return {
          contentType: 'text/html',
          encoding: 'identity',
          body: Buffer.from(body),
          tag: `W/"${renderer.made}"`,
          calls: [],
        }
      },
    },
  }
  return renderer
}

test('a page is rendered once, for many at once and one after the other, until an answer changes', async () => {
  const pages = makeKeptPages()
  const renderer = makeRenderer()
  const read = () => pages.readOrMake('/a', renderer.needs)
  const together = await Promise.all(Array.from({ length: 20 }, read))
  expect(new Set(together).size).toBe(1)
  expect(await read()).toBe(together[0])
  expect(renderer.made).toBe(1)
  renderer.isCurrent = false
  expect(await read()).not.toBe(together[0])
  renderer.isCurrent = true
  await read()
  expect(renderer.made).toBe(2)
})

test('who waited for a page that is not true any more gets one of its own', async () => {
  const pages = makeKeptPages()
  const renderer = makeRenderer()
  renderer.isCurrent = false
  const both = await Promise.all([1, 2].map(() => pages.readOrMake('/a', renderer.needs)))
  expect(both[0]).not.toBe(both[1])
})

test('what is no page to keep, or fails, is asked for again', async () => {
  const pages = makeKeptPages()
  const { needs } = makeRenderer()
  let asked = 0
  const other = { ...needs, make: async () => ({ other: `missing ${++asked}` }) }
  expect(await pages.readOrMake('/a', other)).toEqual({ other: 'missing 1' })
  expect(await pages.readOrMake('/a', other)).toEqual({ other: 'missing 2' })
  const failing = { ...needs, make: async () => Promise.reject(new Error('away')) }
  await expect(pages.readOrMake('/a', failing)).rejects.toThrow('away')
  expect(await pages.readOrMake('/a', needs)).toHaveProperty('body')
})

test('all pages together take no more memory than they may', async () => {
  const pages = makeKeptPages(100_000)
  const renderer = makeRenderer('x'.repeat(20_000))
  for (let at = 0; at < 10; at++) await pages.readOrMake(`/${at}`, renderer.needs)
  expect(renderer.made).toBe(10)
  await pages.readOrMake('/9', renderer.needs)
  expect(renderer.made).toBe(10)
  await pages.readOrMake('/0', renderer.needs)
  expect(renderer.made).toBe(11)
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
