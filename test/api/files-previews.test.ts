// Previews and initials over real HTTP: every parameter, the cache on the server, and what browsers
// may cache.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import type { Person, TestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawAnimation, drawPhoto } from '#test/support/images.ts'

let blog: TestBlog
let alice: Person
let photoId: string
let animationId: string
let quarteredId: string

async function uploadAs(name: string, bytes: Buffer): Promise<string> {
  const answer = await upload(blog, alice, bytes, { name })
  expect(answer.status).toBe(201)
  return answer.body.$id
}

/** An image with a different colour in each corner. */
async function drawQuarters(): Promise<Buffer> {
  const colors = { '0,0': '#ff0000', '0,1': '#00ff00', '1,0': '#0000ff', '1,1': '#ffff00' }
  const parts = await Promise.all(
    Object.entries(colors).map(async ([place, background]) => {
      const [top = 0, left = 0] = place.split(',').map((factor) => Number(factor) * 50)
      return {
        input: await sharp({ create: { width: 50, height: 50, channels: 3, background } })
          .png()
          .toBuffer(),
        top,
        left,
      }
    }),
  )
  return await sharp({ create: { width: 100, height: 100, channels: 3, background: '#000' } })
    .composite(parts)
    .png()
    .toBuffer()
}

const preview = (id: string, query: string, accept = 'image/webp,*/*') =>
  blog.call('GET', `${CONTENT}/${id}/preview?${query}`, { headers: { accept } })

async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
}

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`previews on ${storeName}`, { tags }, () => {
    beforeAll(async () => {
      blog = await makeBlog()
      alice = await blog.makePerson('alice')
      photoId = await uploadAs('photo.jpg', await drawPhoto('jpeg', { width: 600, height: 400 }))
      animationId = await uploadAs(
        'animation.gif',
        await drawAnimation({ width: 120, height: 60, frames: 4 }),
      )
      quarteredId = await uploadAs('quarters.png', await drawQuarters())
      // The server cannot decode WebP; these tests must, to examine its answers.
      sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer'] })
    })
    afterAll(async () => blog[Symbol.asyncDispose]())

    describe('sizes and types', () => {
      test.each([
        { query: '', size: [600, 400], format: 'jpeg' },
        { query: 'width=300', size: [300, 200], format: 'jpeg' },
        { query: 'height=133', size: [199, 133], format: 'jpeg' },
        { query: 'width=100&height=100', size: [100, 100], format: 'jpeg' },
        { query: 'width=1200&height=900', size: [1200, 900], format: 'jpeg' },
        { query: 'width=7&height=300&gravity=top-right', size: [7, 300], format: 'jpeg' },
        { query: 'width=0&height=0&quality=100', size: [600, 400], format: 'jpeg' },
        { query: 'width=60&output=png', size: [60, 40], format: 'png' },
        { query: 'width=60&output=gif', size: [60, 40], format: 'gif' },
        { query: 'width=60&output=webp&quality=0', size: [60, 40], format: 'webp' },
        { query: 'width=60&output=jpg&quality=-1', size: [60, 40], format: 'jpeg' },
        {
          query: 'width=60&height=40&borderWidth=5&borderColor=f00',
          size: [70, 50],
          format: 'jpeg',
        },
        { query: 'width=60&height=40&rotation=90', size: [40, 60], format: 'jpeg' },
        {
          query:
            'width=60&height=40&rotation=-90&output=png&borderRadius=20&opacity=0.5&background=00ff00&borderWidth=1',
          size: [42, 62],
          format: 'png',
        },
        {
          query: 'width=4000&height=4000&output=jpg&quality=1',
          size: [4000, 4000],
          format: 'jpeg',
        },
        { query: 'width=20&borderColor=&background=&unknown=1', size: [20, 13], format: 'jpeg' },
      ])('are as requested with the query "$query"', async ({ query, size, format }) => {
        const { status, headers, bytes } = await preview(photoId, query)
        const metadata = await sharp(bytes).metadata()
        expect({
          status,
          type: headers.get('content-type'),
          size: [metadata.width, metadata.height],
          format: metadata.format,
        }).toEqual({
          status: 200,
          type: `image/${format}`,
          size,
          format,
        })
      })

      test.each([
        ['width=4001', 'Invalid `width` param: Value must be a valid range between 0 and 4,000'],
        ['width=-1', 'Invalid `width` param: Value must be a valid range between 0 and 4,000'],
        ['width=1.5', 'Invalid `width` param: Value must be a valid range between 0 and 4,000'],
        ['width=ten', 'Invalid `width` param: Value must be a valid range between 0 and 4,000'],
        [
          'width=1&width=-1',
          'Invalid `width` param: Value must be a valid range between 0 and 4,000',
        ],
        ['height=99999', 'Invalid `height` param: Value must be a valid range between 0 and 4,000'],
        [
          'gravity=middle',
          'Invalid `gravity` param: Value must be one of (center, top-left, top, top-right, left, right, bottom-left, bottom, bottom-right)',
        ],
        ['quality=101', 'Invalid `quality` param: Value must be a valid range between 0 and 100'],
        [
          'borderWidth=101',
          'Invalid `borderWidth` param: Value must be a valid range between 0 and 100',
        ],
        [
          'borderColor=%23ff0000',
          'Invalid `borderColor` param: Value must be a valid Hex code without the # symbol',
        ],
        [
          'background=red',
          'Invalid `background` param: Value must be a valid Hex code without the # symbol',
        ],
        [
          'borderRadius=4001',
          'Invalid `borderRadius` param: Value must be a valid range between 0 and 4,000',
        ],
        ['opacity=1.1', 'Invalid `opacity` param: Value must be a valid range between 0 and 1'],
        [
          'rotation=361',
          'Invalid `rotation` param: Value must be a valid range between -360 and 360',
        ],
        ['output=svg', 'Invalid `output` param: Value must be one of (jpg, jpeg, png, gif, webp)'],
        ['output=avif', 'Invalid `output` param: Value must be one of (jpg, jpeg, png, gif, webp)'],
      ])('%s is refused', async (query, message) => {
        const before = await readdir(join(blog.dataDir, 'previews'))
        expect((await preview(photoId, query)).body).toEqual({
          message,
          code: 400,
          type: 'general_argument_invalid',
          version: '1.4.13',
        })
        expect(await readdir(join(blog.dataDir, 'previews'))).toEqual(before)
      })

      test('a browser that does not accept WebP gets a JPEG, and Vary says so', async () => {
        const webp = await preview(photoId, 'width=50&output=webp')
        const jpeg = await preview(photoId, 'width=50&output=webp', 'image/png,*/*')
        expect(
          [webp, jpeg].map(({ headers }) => [headers.get('content-type'), headers.get('vary')]),
        ).toEqual([
          ['image/webp', 'Origin, Accept'],
          ['image/jpeg', 'Origin, Accept'],
        ])
        expect(webp.headers.get('etag')).not.toBe(jpeg.headers.get('etag'))
      })

      test('an animated GIF stays animated as GIF or WebP, even with effects; as PNG or JPEG it is its first frame', async () => {
        const countFrames = async (query: string) =>
          (await sharp((await preview(animationId, query)).bytes).metadata()).pages ?? 1
        expect([
          await countFrames('width=60'),
          await countFrames('width=60&borderWidth=2&rotation=90'),
          await countFrames('width=60&output=webp'),
        ]).toEqual([4, 4, 4])
        expect([
          await countFrames('width=60&output=png'),
          await countFrames('width=60&output=jpg'),
        ]).toEqual([1, 1])
        const rotated = await sharp(
          (await preview(animationId, 'width=60&borderWidth=2&rotation=90')).bytes,
        ).metadata()
        expect([
          rotated.width,
          rotated.pageHeight ?? rotated.height,
          rotated.delay?.length,
        ]).toEqual([34, 64, 4])
      })
    })

    describe('effects', () => {
      test.each([
        ['top-left', [255, 0, 0]],
        ['top-right', [0, 255, 0]],
        ['bottom-left', [0, 0, 255]],
        ['bottom-right', [255, 255, 0]],
      ])('gravity %s crops to that corner', async (gravity, color) => {
        const narrow = gravity.endsWith('left') ? 0 : 9
        const vertical = await preview(quarteredId, `width=10&height=100&gravity=${gravity}`)
        expect(
          (await pixelAt(vertical.bytes, narrow, gravity.startsWith('top') ? 10 : 90)).slice(0, 3),
        ).toEqual(color)
      })

      test('background, border, radius, opacity and rotation change the image accordingly', async () => {
        const clear = await preview(quarteredId, 'width=100&height=100&opacity=0')
        expect((await pixelAt(clear.bytes, 10, 10))[3]).toBe(0)
        const half = await preview(quarteredId, 'opacity=0.5')
        expect((await pixelAt(half.bytes, 10, 10))[3]).toBeCloseTo(128, -1)
        const filled = await preview(quarteredId, 'opacity=0&background=abc')
        expect(await pixelAt(filled.bytes, 10, 10)).toEqual([0xaa, 0xbb, 0xcc, 255])
        const bordered = await preview(quarteredId, 'borderWidth=4&borderColor=00ffff')
        expect([
          await pixelAt(bordered.bytes, 2, 50),
          await pixelAt(bordered.bytes, 20, 20),
        ]).toEqual([
          [0, 255, 255, 255],
          [255, 0, 0, 255],
        ])
        const round = await preview(quarteredId, 'borderRadius=50')
        expect([
          (await pixelAt(round.bytes, 1, 1))[3],
          (await pixelAt(round.bytes, 30, 30))[3],
        ]).toEqual([0, 255])
        const roundJpeg = await preview(quarteredId, 'borderRadius=50&output=jpg&quality=100')
        expect((await pixelAt(roundJpeg.bytes, 1, 1)).every((part) => part > 250)).toBe(true)
        const rotated = await preview(quarteredId, 'rotation=90')
        expect((await pixelAt(rotated.bytes, 10, 10)).slice(0, 3)).toEqual([0, 0, 255])
      })
    })

    describe('the cache', () => {
      test('the second answer is a hit with the same bytes, and its headers allow shared caches', async () => {
        const first = await preview(photoId, 'width=111')
        const second = await preview(photoId, 'width=111')
        expect([first, second].map(({ headers }) => headers.get('x-appwrite-cache'))).toEqual([
          'miss',
          'hit',
        ])
        expect(second.bytes.equals(first.bytes)).toBe(true)
        expect(Object.fromEntries(second.headers)).toMatchObject({
          'cache-control': 'public, max-age=2592000, immutable',
          'content-disposition': 'inline; filename="photo.jpg"',
          'content-security-policy': "default-src 'none'; sandbox",
        })
      })

      test('a damaged entry of the cache is rendered again', async () => {
        const before = new Set(await readdir(join(blog.dataDir, 'previews')))
        const first = await preview(photoId, 'width=112')
        const [added = ''] = (await readdir(join(blog.dataDir, 'previews'))).filter(
          (name) => !before.has(name),
        )
        await writeFile(
          join(blog.dataDir, 'previews', added),
          Buffer.concat([Buffer.alloc(36), first.bytes]),
        )
        const repeated = await preview(photoId, 'width=112')
        expect({ status: repeated.status, same: repeated.bytes.equals(first.bytes) }).toEqual({
          status: 200,
          same: true,
        })
      })

      test('fifty requests at once get the same answer, and the preview is stored once', async () => {
        const before = (await readdir(join(blog.dataDir, 'previews'))).length
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => preview(photoId, 'width=113')),
        )
        expect(
          new Set(answers.map(({ status, bytes }) => `${status} ${bytes.toString('base64')}`)).size,
        ).toBe(1)
        expect((await readdir(join(blog.dataDir, 'previews'))).length).toBe(before + 1)
      })
    })

    describe('initials', () => {
      const initials = (query: string, cookie?: string) =>
        blog.call('GET', `/avatars/initials?${query}`, cookie ? { cookie } : {})

      test('are rendered at the requested size, alike for the same initials, and may be cached for long', async () => {
        const { status, headers, bytes } = await initials('name=Ann+Example&width=300&height=200')
        const { format, width, height } = await sharp(bytes).metadata()
        expect({ status, format, width, height }).toEqual({
          status: 200,
          format: 'png',
          width: 300,
          height: 200,
        })
        expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
          'image/png',
          'public, max-age=3888000, immutable',
        ])
        const sameInitials = await initials('name=ann+elsewhere&width=300&height=200')
        expect(sameInitials.bytes.equals(bytes)).toBe(true)
        const otherInitials = await initials('name=Bob+Example&width=300&height=200')
        expect(otherInitials.bytes.equals(bytes)).toBe(false)
        const notModified = await blog.call(
          'GET',
          '/avatars/initials?name=Ann+Example&width=300&height=200',
          {
            headers: { 'if-none-match': headers.get('etag') ?? '' },
          },
        )
        expect(notModified.status).toBe(304)
        const size = await sharp((await initials('name=Ann&width=0')).bytes).metadata()
        expect([size.width, size.height]).toEqual([500, 500])
      })

      test.each([
        'Жанна Öst',
        'Ωmega',
        'Łukasz',
        'Ở',
        '李小龍',
        'محمد علي',
        'Ꮳ',
        '...',
        '<script>',
        '1 2',
      ])('of %s are an image that is not empty', async (name) => {
        const { status, bytes } = await initials(
          `name=${encodeURIComponent(name)}&width=60&height=60&background=000`,
        )
        expect(status).toBe(200)
        expect((await sharp(bytes).stats()).channels[0]?.max).toBeGreaterThan(200)
      })

      test('without a name are those of the signed-in user, and only that browser caches them', async () => {
        const ownInitials = await initials('width=100', alice.cookie)
        const namedInitials = await initials('name=alice&width=100')
        expect(ownInitials.bytes.equals(namedInitials.bytes)).toBe(true)
        expect(ownInitials.headers.get('cache-control')).toBe('private, no-cache')
        expect((await initials('width=100')).bytes.equals(namedInitials.bytes)).toBe(false)
      })

      test.each([`name=${'x'.repeat(129)}`, 'width=2001', 'height=-1', 'background=zzz'])(
        '%s is refused',
        async (query) => {
          expect((await initials(query)).body).toMatchObject({
            code: 400,
            type: 'general_argument_invalid',
          })
        },
      )
    })
  })
