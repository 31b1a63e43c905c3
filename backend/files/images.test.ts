// Which uploads are accepted as images, and which of their bytes are stored.
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  drawAnimation,
  drawNoise,
  drawPhoto,
  type ImageType,
  pngChunk,
} from '#test/support/images.ts'
import { sampled } from '#test/support/sampled.ts'
import { decodeUpload } from './store-image.ts'

const drawSmall = (type: ImageType) => drawPhoto(type, { width: 96, height: 54 })

async function readImage(bytes: Buffer, extension: string) {
  const image = await decodeUpload(bytes, { extension, mayBeHeavy: true })
  if (!image) throw new Error('The image was too heavy')
  return image
}

async function stored(bytes: Buffer, extension: string): Promise<Buffer> {
  return (await readImage(bytes, extension)).bytes
}

/** A valid png of one colour with these sides. */
function plainPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const GPS = {
  IFD0: { Copyright: 'alice', ImageDescription: 'secret place' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
}

/** An EXIF segment for an image that has to be rotated. */
const ORIENTATION_6 = Buffer.from(
  'ffe100224578696600004d4d002a000000080001011200030000000100060000000000000000',
  'hex',
).subarray(0, 36)

const insert = (bytes: Buffer, at: number, piece: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
const scanOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xda]))
const secondTableOf = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xc4]))
/** Replaces the parameters of the scan; a progressive image stays unchanged. */
const withScan = (bytes: Buffer, parameters: number[]) => {
  if (bytes.includes(Buffer.from([0xff, 0xc2]))) return bytes
  const end = scanOf(bytes) + 2 + bytes.readUInt16BE(scanOf(bytes) + 2)
  return Buffer.concat([bytes.subarray(0, end - 3), Buffer.from(parameters), bytes.subarray(end)])
}
/** Violations of the format by cameras and programs. */
const CARELESS: [name: string, make: (whole: Buffer) => Buffer][] = [
  ['the scan parameters 0, 0, 0', (whole) => withScan(whole, [0, 0, 0])],
  ['other scan parameters', (whole) => withScan(whole, [0, 255, 17])],
  ['no end marker', (whole) => whole.subarray(0, -2)],
  ['half an end marker', (whole) => whole.subarray(0, -1)],
  ['stray bytes before a scan', (whole) => insert(whole, scanOf(whole), Buffer.alloc(18))],
  [
    'stray bytes between its tables',
    (whole) => insert(whole, secondTableOf(whole), Buffer.from('a camera\xff\0\xff\xff', 'latin1')),
  ],
  [
    'a restart marker between segments',
    (whole) => insert(whole, secondTableOf(whole), Buffer.from([0xff, 0xd3])),
  ],
  [
    'a film after its end',
    (whole) => Buffer.concat([whole, Buffer.from('ftypisom'), Buffer.alloc(500, 7)]),
  ],
  ['another image after its end', (whole) => Buffer.concat([whole, whole])],
  [
    'all of it together',
    (whole) => insert(withScan(whole.subarray(0, -2), [0, 0, 0]), scanOf(whole), Buffer.alloc(3)),
  ],
]

describe('images that are accepted', () => {
  test.each(['png', 'jpeg', 'gif'] as const)(
    'a %s without metadata is stored byte for byte',
    async (type) => {
      const original = await drawSmall(type)
      const image = await readImage(original, type)
      expect(image).toMatchObject({ width: 96, height: 54 })
      expect(image.bytes.equals(original)).toBe(true)
    },
  )

  test('the extension jpg is the same as jpeg', async () => {
    expect(await readImage(await drawSmall('jpeg'), 'jpg')).toMatchObject({ width: 96 })
  })

  test('an animated gif keeps its frames and their timing', async () => {
    const animation = await drawAnimation({ width: 32, height: 18, frames: 5 })
    const image = await readImage(animation, 'gif')
    expect((await sharp(image.bytes).metadata()).pages).toBe(5)
    expect(image.bytes.equals(animation)).toBe(true)
  })

  test('bytes after the end are cut: a zip behind a png is gone', async () => {
    const original = await drawSmall('png')
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(500)])
    expect((await stored(Buffer.concat([original, zip]), 'png')).equals(original)).toBe(true)
  })

  for (const [tags, [name, make]] of sampled(CARELESS, 3))
    test(`a jpeg with ${name} is stored whole, as browsers show it`, { tags }, async () => {
      const original = await sharp(await drawPhoto('png', { width: 60, height: 40 }))
        .jpeg()
        .toBuffer()
      const progressive = await sharp(original).jpeg({ progressive: true }).toBuffer()
      for (const whole of [original, progressive]) {
        const careless = make(whole)
        const image = await readImage(careless, 'jpg')
        expect(image.bytes.equals(whole)).toBe(true)
        const turned = Buffer.concat([whole.subarray(0, 2), ORIENTATION_6, careless.subarray(2)])
        expect(await readImage(turned, 'jpg')).toMatchObject({ width: 40, height: 60 })
      }
    })

  test.each(['jpeg', 'png'] as const)(
    'a %s loses location, author and description, but not its colour profile',
    async (type) => {
      const withMetadata = await sharp(await drawSmall('png'))
        .withIccProfile('p3')
        .withExif(GPS)
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
        .toFormat(type)
        .toBuffer()
      expect((await sharp(withMetadata).metadata()).exif).toBeInstanceOf(Buffer)
      const clean = await stored(withMetadata, type)
      const { exif, xmp, hasProfile, width } = await sharp(clean).metadata()
      expect({ exif, xmp, hasProfile, width }).toEqual({
        exif: undefined,
        xmp: undefined,
        hasProfile: true,
        width: 96,
      })
      for (const word of ['secret place', 'alice', 'xmpmeta'])
        expect(clean.includes(word), word).toBe(false)
      expect(
        (await sharp(withMetadata).raw().toBuffer()).equals(await sharp(clean).raw().toBuffer()),
      ).toBe(true)
    },
  )

  test('text and private chunks of a png are removed', async () => {
    const original = await drawSmall('png')
    const end = original.length - 12
    const withMetadata = Buffer.concat([
      original.subarray(0, end),
      pngChunk('tEXt', Buffer.from('Comment\0hidden')),
      pngChunk('prVt', Buffer.from('hidden')),
      original.subarray(end),
    ])
    expect((await stored(withMetadata, 'png')).equals(original)).toBe(true)
  })

  test('comments of a gif are removed', async () => {
    const original = await drawAnimation({ width: 32, height: 18, frames: 2 })
    const comment = Buffer.from([0x21, 0xfe, 6, ...Buffer.from('hidden'), 0])
    const withMetadata = Buffer.concat([original.subarray(0, -1), comment, original.subarray(-1)])
    expect((await stored(withMetadata, 'gif')).equals(original)).toBe(true)
  })

  test.each(['jpeg', 'png'] as const)(
    'a %s with a rotated orientation is stored upright',
    async (type) => {
      const rotated = await sharp(await drawPhoto('png', { width: 60, height: 40 }))
        .withMetadata({ orientation: 6 })
        .toFormat(type)
        .toBuffer()
      const image = await readImage(rotated, type)
      expect(image).toMatchObject({ width: 40, height: 60 })
      const { orientation, width, height } = await sharp(image.bytes).metadata()
      expect({ orientation, width, height }).toEqual({
        orientation: undefined,
        width: 40,
        height: 60,
      })
    },
  )

  test('an image of 12,000 pixels a side is accepted', async () => {
    expect(await readImage(plainPng(12_000, 4), 'png')).toMatchObject({ width: 12_000 })
  })

  test('an image of 50 megapixels is accepted', { tags: ['more'] }, async () => {
    expect(await readImage(plainPng(5000, 10_000), 'png')).toMatchObject({ height: 10_000 })
  })

  test('an image of 30 MB is accepted', { tags: ['more'] }, async () => {
    const noise = await drawNoise(28_000_000)
    expect((await stored(noise, 'png')).equals(noise)).toBe(true)
  })
})

describe('the dominant colour', () => {
  const plain = (
    background: string | { r: number; g: number; b: number; alpha: number },
    { width = 300, height = 200 } = {},
  ) =>
    sharp({
      create: { width, height, channels: typeof background === 'string' ? 3 : 4, background },
    })
  /** Colours are counted in steps of 16; a lossy format changes a little more. */
  const near =
    (wanted: string, { loss = 0 } = {}) =>
    (found: string) =>
      [1, 3, 5].every(
        (at) =>
          Math.abs(
            Number.parseInt(found.slice(at, at + 2), 16) -
              Number.parseInt(wanted.slice(at, at + 2), 16),
          ) <=
          8 + loss,
      )

  test.each(['#c81e5a', '#000000', '#ffffff', '#0a14e6', '#808080'])(
    'of a plain %s image is close to that colour',
    async (color) => {
      expect((await readImage(await plain(color).png().toBuffer(), 'png')).color).toSatisfy(
        near(color),
      )
      expect((await readImage(await plain(color).gif().toBuffer(), 'gif')).color).toSatisfy(
        near(color, { loss: 3 }),
      )
      for (const progressive of [false, true]) {
        expect(
          (await readImage(await plain(color).jpeg({ progressive }).toBuffer(), 'jpg')).color,
        ).toSatisfy(near(color, { loss: 3 }))
      }
    },
  )

  test('is that of most of the image, not the mean, whichever corner the rest is in', async () => {
    const spot = await plain('#ffee00', { width: 140, height: 190 }).png().toBuffer()
    for (const gravity of ['northwest', 'southeast']) {
      const original = await plain('#0a14e6')
        .composite([{ input: spot, gravity }])
        .png()
        .toBuffer()
      expect((await readImage(original, 'png')).color).toSatisfy(near('#0a14e6'))
    }
  })

  test('is empty for a transparent image, but not for an opaque one with an alpha channel', async () => {
    expect(
      (await readImage(await plain({ r: 200, g: 30, b: 90, alpha: 0.5 }).png().toBuffer(), 'png'))
        .color,
    ).toBe('')
    expect(
      (await readImage(await plain({ r: 200, g: 30, b: 90, alpha: 1 }).png().toBuffer(), 'png'))
        .color,
    ).toSatisfy(near('#c81e5a'))
  })

  test('is found in a grey image, the smallest one, the widest and the highest', async () => {
    expect(
      (await readImage(await plain('#777777').toColourspace('b-w').png().toBuffer(), 'png')).color,
    ).toSatisfy(near('#777777'))
    expect(
      (await readImage(await plain('#0a14e6', { width: 1, height: 1 }).png().toBuffer(), 'png'))
        .color,
    ).toSatisfy(near('#0a14e6'))
    expect(
      (
        await readImage(
          await plain('#0a14e6', { width: 12_000, height: 2 }).png().toBuffer(),
          'png',
        )
      ).color,
    ).toSatisfy(near('#0a14e6'))
    expect(
      (
        await readImage(
          await plain('#0a14e6', { width: 2, height: 12_000 }).png().toBuffer(),
          'png',
        )
      ).color,
    ).toSatisfy(near('#0a14e6'))
  })

  test('of an animated image is that of its first frame', async () => {
    const pages = await Promise.all(
      ['#c81e5a', '#0a14e6', '#20c040'].map((color) => plain(color).png().toBuffer()),
    )
    const animated = await sharp(pages, { join: { animated: true } })
      .gif({ delay: 120 })
      .toBuffer()
    const image = await readImage(animated, 'gif')
    expect((await sharp(image.bytes).metadata()).pages).toBe(3)
    expect(image.color).toSatisfy(near('#c81e5a', { loss: 3 }))
  })

  test('of a rotated image is that of the upright one', async () => {
    const rotated = await plain('#c81e5a').withMetadata({ orientation: 6 }).png().toBuffer()
    const image = await readImage(rotated, 'png')
    expect(image).toMatchObject({ width: 200, height: 300 })
    expect(image.color).toSatisfy(near('#c81e5a'))
  })
})

const UNSUPPORTED = 'storage_file_type_unsupported'
const BROKEN = 'storage_invalid_file'

describe('images that are refused', () => {
  const cut = (bytes: Buffer, part: number): Buffer =>
    bytes.subarray(0, Math.floor(bytes.length * part))
  test.each<[name: string, make: () => Promise<Buffer> | Buffer, extension: string, type: string]>([
    [
      'an svg named png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'png',
      UNSUPPORTED,
    ],
    [
      'a page named jpg',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      'jpg',
      UNSUPPORTED,
    ],
    ['a pdf named gif', () => Buffer.from('%PDF-1.7\n'), 'gif', UNSUPPORTED],
    [
      'a webp named png',
      async () =>
        sharp(await drawSmall('png'))
          .webp()
          .toBuffer(),
      'png',
      UNSUPPORTED,
    ],
    ['a png named jpg', () => drawSmall('png'), 'jpg', UNSUPPORTED],
    ['a gif named png', () => drawSmall('gif'), 'png', UNSUPPORTED],
    ['a side of 12,001 pixels', () => plainPng(12_001, 4), 'png', UNSUPPORTED],
    ['a pixel bomb', () => plainPng(12_000, 12_000), 'png', UNSUPPORTED],
    ['one row over 50 megapixels', () => plainPng(5000, 10_001), 'png', UNSUPPORTED],
    ['301 frames', () => drawAnimation({ width: 4, height: 4, frames: 301 }), 'gif', UNSUPPORTED],
    ['half a png', async () => cut(await drawSmall('png'), 0.5), 'png', BROKEN],
    [
      'a png without its last byte',
      async () => (await drawSmall('png')).subarray(0, -1),
      'png',
      BROKEN,
    ],
    ['half a jpeg', async () => cut(await drawSmall('jpeg'), 0.5), 'jpeg', BROKEN],
    [
      'half a jpeg with an end put on',
      async () => Buffer.concat([cut(await drawSmall('jpeg'), 0.5), Buffer.from([0xff, 0xd9])]),
      'jpeg',
      BROKEN,
    ],
    [
      'nearly a whole jpeg with an end put on',
      async () => Buffer.concat([cut(await drawSmall('jpeg'), 0.995), Buffer.from([0xff, 0xd9])]),
      'jpeg',
      BROKEN,
    ],
    [
      'a progressive jpeg that ends behind a scan',
      async () => {
        const whole = await sharp(await drawSmall('png'))
          .jpeg({ progressive: true })
          .toBuffer()
        return whole.subarray(0, whole.lastIndexOf(Buffer.from([0xff, 0xda])))
      },
      'jpeg',
      BROKEN,
    ],
    [
      'half a jpeg with the scan parameters 0, 0, 0',
      async () => cut(withScan(await drawSmall('jpeg'), [0, 0, 0]), 0.5),
      'jpeg',
      BROKEN,
    ],
    ['half a gif', async () => cut(await drawSmall('gif'), 0.5), 'gif', BROKEN],
    [
      'the first eight bytes of a png',
      async () => (await drawSmall('png')).subarray(0, 8),
      'png',
      BROKEN,
    ],
    [
      'a png with a wrong checksum',
      async () =>
        Buffer.from((await drawSmall('png')).map((byte, at) => (at === 20 ? byte ^ 1 : byte))),
      'png',
      BROKEN,
    ],
    [
      'a png of noise after its header',
      async () => Buffer.concat([(await drawSmall('png')).subarray(0, 33), randomBytes(4000)]),
      'png',
      BROKEN,
    ],
    [
      'a jpeg of noise after its start',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(4000)]),
      'jpeg',
      BROKEN,
    ],
  ])('%s', async (_name, make, extension, type) => {
    await expect(readImage(await make(), extension)).rejects.toMatchObject({ type })
  })
})
