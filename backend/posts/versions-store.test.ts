// Texts of versions as they are stored.
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressText } from './versions-store.ts'

test.each([0, 1, 17, 200, 5000, 70_000])(
  'a text of %s letters survives compression, and a long one becomes shorter',
  async (chars) => {
    const text = 'Lämpchen, '.repeat(chars / 10 + 1).slice(0, chars)
    const { body, textBytes, sizeBytes } = await compressText(text)
    expect(textBytes).toBe(Buffer.byteLength(text))
    expect(sizeBytes).toBe(body.length)
    expect(sizeBytes).toBeLessThanOrEqual(chars > 200 ? textBytes / 5 : textBytes + 9)
    expect(brotliDecompressSync(body).toString()).toBe(text)
  },
)
