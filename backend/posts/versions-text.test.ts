// Texts of versions as they are stored.
import { expect, test } from 'vitest'
import { packText, unpackText } from './versions-text.ts'

test.each([0, 1, 17, 200, 201, 3999, 5000, 70_000])(
  'a text of %s letters is the same again, and a long one becomes shorter',
  async (chars) => {
    const text = 'Lämpchen, '.repeat(chars / 10 + 1).slice(0, chars)
    const { body, textBytes } = await packText(text)
    expect(textBytes).toBe(Buffer.byteLength(text))
    expect(body.length).toBeLessThanOrEqual(chars > 200 ? textBytes / 5 : textBytes + 4)
    expect(await unpackText(body)).toBe(text)
  },
)
