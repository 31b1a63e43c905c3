// Compressed responses as they are cached, and which copies of a caller are still current.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { encode, isCopyCurrent } from './responses.ts'

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

test.each(['br', 'gzip', 'identity'] as const)(
  'a response cached as %s takes no more memory than its length',
  async (encoding) => {
    const text = 'The word is samar. '.repeat(500)
    const bytes = await encode(text, encoding)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
    expect(String(DECODE[encoding](bytes))).toBe(text)
  },
)

test.each([
  { named: '"a"', etag: '"a"', isCurrent: true },
  { named: 'W/"a"', etag: '"a"', isCurrent: true },
  { named: '"a"', etag: 'W/"a"', isCurrent: true },
  { named: 'W/"a"', etag: 'W/"a"', isCurrent: true },
  { named: '"x" , W/"a"', etag: '"a"', isCurrent: true },
  { named: '*', etag: '"a"', isCurrent: true },
  { named: '"x"', etag: '"a"', isCurrent: false },
  { named: 'a', etag: '"a"', isCurrent: false },
  { named: '', etag: '"a"', isCurrent: false },
  { named: undefined, etag: '"a"', isCurrent: false },
])(
  'a copy with the ETag $named of a response with the ETag $etag is current: $isCurrent',
  ({ named, etag, isCurrent }) => {
    const headers = { 'cache-control': 'no-cache', 'if-none-match': named }
    expect(isCopyCurrent({ headers } as FastifyRequest, etag)).toBe(isCurrent)
  },
)

test('a request that is conditional only on a time never gets 304', () => {
  const headers = { 'if-modified-since': new Date().toUTCString() }
  expect(isCopyCurrent({ headers } as FastifyRequest, '"a"')).toBe(false)
})
