// Compressed responses as they are cached.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encode } from './encodings.ts'

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

test.each(['br', 'gzip', 'identity'] as const)(
  'what is cached in %s takes no more memory than its length',
  async (encoding) => {
    const text = 'The word is samar. '.repeat(500)
    const bytes = await encode(text, encoding)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
    expect(String(DECODE[encoding](bytes))).toBe(text)
  },
)
