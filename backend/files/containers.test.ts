// Files that say they are images, cut, changed or made of very many parts.
import { describe, expect, test } from 'vitest'
import { drawPhoto, pngChunk } from '#test/support/images.ts'
import { longestTurn } from '#test/support/turns.ts'
import { BrokenImage, cleanContainer, findImageType } from './containers.ts'
import { inspectUpload } from './keep-image.ts'

/** Of the processor: up to 8 here, and ten times as many for other machines. */
const TURN_MAX_MS = 80

describe('walking hostile containers', () => {
  test.each(['png', 'jpeg', 'gif'] as const)(
    'every cut of a %s is refused, and none takes long or reads beyond its end',
    async (type) => {
      const original = await drawPhoto(type, { width: 24, height: 16 })
      for (let length = 3; length < original.length; length++) {
        const part = original.subarray(0, length)
        if (findImageType(part) === type)
          await expect(cleanContainer(part, type)).rejects.toThrow(BrokenImage)
      }
    },
  )

  test.each(['png', 'jpeg', 'gif'] as const)(
    'any changed byte of a %s gives a clean container or a refusal, never a longer file',
    async (type) => {
      const original = await drawPhoto(type, { width: 24, height: 16 })
      for (let at = 0; at < original.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const changed = Buffer.from(original)
          changed[at] = value
          try {
            const { pieces } = await cleanContainer(changed, type)
            expect(Buffer.concat(pieces).length).toBeLessThanOrEqual(original.length)
          } catch (error) {
            expect(error).toBeInstanceOf(BrokenImage)
          }
        }
      }
    },
  )

  const LONG_BYTES = 29_000_000
  /** After the first bytes of the real file: nothing but the part, over and over. */
  function filled(original: Buffer, at: number, part: Buffer): Buffer {
    const many = Buffer.alloc(Math.floor(LONG_BYTES / part.length) * part.length, part)
    return Buffer.concat([original.subarray(0, at), many, original.subarray(at)])
  }
  test.each<[name: string, type: 'png' | 'jpeg' | 'gif', at: number, part: Buffer]>([
    ['texts', 'png', 33, pngChunk('tEXt', Buffer.alloc(0))],
    ['colours', 'png', 33, pngChunk('bKGD', Buffer.alloc(6))],
    ['comments', 'jpeg', 2, Buffer.from([0xff, 0xfe, 0, 2])],
    ['fill bytes', 'jpeg', 2, Buffer.from([0xff])],
    ['empty scans', 'jpeg', 2, Buffer.from([0xff, 0xda, 0, 2, 0])],
    ['marks in a scan', 'jpeg', 2, Buffer.from([0xff, 0])],
    ['comments', 'gif', 13 + 768, Buffer.from([0x21, 0xfe, 0])],
    ['blocks of one byte', 'gif', 13 + 768, Buffer.from([1, 1])],
  ])('30 MB of %s in a %s hold nobody up', async (name, type, at, part) => {
    const original = await drawPhoto(type, { width: 24, height: 16 })
    // Each stands in the part before it.
    const start = { 'marks in a scan': [0xff, 0xda, 0, 2], 'blocks of one byte': [0x21, 0xfe] }[
      name
    ]
    const bytes = filled(
      Buffer.concat([original.subarray(0, at), Buffer.from(start ?? []), original.subarray(at)]),
      at + (start?.length ?? 0),
      part,
    )
    const { ms } = await longestTurn(() => inspectUpload(bytes, type))
    expect(ms).toBeLessThan(TURN_MAX_MS)
  })

  test('as many texts as may be hold nobody up', async () => {
    const texts = Buffer.concat(
      Array.from({ length: 9000 }, () => pngChunk('tEXt', Buffer.from('a\0b'))),
    )
    const original = await drawPhoto('png', { width: 24, height: 16 })
    const bytes = Buffer.concat([original.subarray(0, 33), texts, original.subarray(33)])
    const { ms, outcome } = await longestTurn(() => inspectUpload(bytes, 'png'))
    expect(outcome.status).toBe('fulfilled')
    expect(ms).toBeLessThan(TURN_MAX_MS)
  })
})
