// What is cached under which key, and how often it is made.
import { expect, test } from 'vitest'
import { keyOf, type MadeResponse, makeResponseCache } from './response-cache.ts'

const made = (body: string): MadeResponse => ({
  body: Buffer.from(body),
  route: '/',
  isCompressible: true,
  headers: {},
  bodyHeaders: {},
})

test('of many callers at once one makes a response, and after a change one again', async () => {
  let version = 1
  let count = 0
  const cache = makeResponseCache(async () => ({ version, likes: 1 }))
  const make = async () => {
    await new Promise(setImmediate)
    return made(`made ${++count}`)
  }
  const read = async () => {
    const found = await cache.readOrMake('key', make)
    return 'other' in found ? '' : String(found.bodies.get('identity'))
  }
  for (const text of ['made 1', 'made 2']) {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, read)))).toEqual(new Set([text]))
    version++
  }
})

test('after the numbers of a restored database have gone back nothing older is valid', async () => {
  let version = 5
  const cache = makeResponseCache(async () => ({ version, likes: 1 }))
  cache.store('key', await cache.readVersion(), made('old'))
  version = 3
  await cache.readVersion()
  version = 5
  expect(cache.find('key', await cache.readVersion())).toBeUndefined()
})

test('an address whose first word is escaped, or that is very long, is under no key', () => {
  const headers = { 'x-appwrite-response-format': '1.5' }
  expect(keyOf('guest', '/v1/databases', headers)).not.toBe(keyOf('guest', '/v1/databases', {}))
  for (const url of ['/%761/databases', `/v1/${'a'.repeat(3000)}`])
    expect(keyOf('guest', url, headers)).toBe('')
})
