// Compressed answers as they are kept.
import { expect, test } from 'vitest'
import { decode, encode } from './encodings.ts'

test.each(['br', 'gzip', 'identity'] as const)(
  'what is kept in %s takes no more memory than its length',
  async (encoding) => {
    const text = 'The word is samar. '.repeat(500)
    const bytes = await encode(text, encoding)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
    expect(String(await decode(bytes, encoding))).toBe(text)
  },
)
