// Image files that are truncated, changed, or made of very many parts.
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawPhoto, pngChunk } from '#test/support/images.ts'
import { BrokenImage, cleanContainer, findImageType } from './containers.ts'

describe('hostile containers', () => {
  test.each(['png', 'gif'] as const)(
    'a %s truncated at any byte is refused, without reading beyond its end',
    async (type) => {
      const original = await drawPhoto(type, { width: 24, height: 16 })
      for (let length = 3; length < original.length; length++) {
        const part = original.subarray(0, length)
        if (findImageType(part) === type)
          expect(() => cleanContainer(part, type)).toThrow(BrokenImage)
      }
    },
  )

  test('a jpeg truncated before its last scan is refused; the decoder checks that scan', async () => {
    const pixels = sharp(await drawPhoto('png', { width: 24, height: 16 }))
    for (const progressive of [false, true]) {
      const original = await pixels.clone().jpeg({ progressive }).toBuffer()
      const lastScan = original.lastIndexOf(Buffer.from([0xff, 0xda]))
      for (let length = 3; length < original.length; length++) {
        const part = original.subarray(0, length)
        if (length < lastScan + 5) expect(() => cleanContainer(part, 'jpeg')).toThrow(BrokenImage)
      }
      const end = original.subarray(0, -2)
      expect(Buffer.concat(cleanContainer(end, 'jpeg').pieces).equals(original)).toBe(true)
    }
  })

  test.each(['png', 'jpeg', 'gif'] as const)(
    'a %s with one changed byte is cleaned or refused, and grows by an end marker at most',
    async (type) => {
      const original = await drawPhoto(type, { width: 24, height: 16 })
      for (let at = 0; at < original.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const changed = Buffer.from(original)
          changed[at] = value
          try {
            const { pieces } = cleanContainer(changed, type)
            expect(Buffer.concat(pieces).length).toBeLessThanOrEqual(original.length + 2)
          } catch (error) {
            expect(error).toBeInstanceOf(BrokenImage)
          }
        }
      }
    },
  )

  test('a file with more parts than any real image is refused', async () => {
    const original = await drawPhoto('png', { width: 24, height: 16 })
    const texts = Array.from({ length: 10_000 }, () => pngChunk('tEXt', Buffer.alloc(0)))
    const bytes = Buffer.concat([original.subarray(0, 33), ...texts, original.subarray(33)])
    expect(() => cleanContainer(bytes, 'png')).toThrow(BrokenImage)
  })
})
