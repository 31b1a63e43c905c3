// QR codes, and letters in place of flags and logos, drawn here.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const BAD = { code: 400, type: 'general_argument_invalid' }

test('a QR code has the size asked for, is black and white, and carries its text', async () => {
  const blog = await sharedBlog()
  const read = (query: string) => blog.call('GET', `/avatars/qr?project=blog&${query}`)
  const { status, headers, bytes } = await read('text=https://blog.example&size=290&margin=2')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(headers.get('cache-control')).toContain('public')
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([290, 290])
  // 25 squares and twice the margin of two: the corner of the first finder begins at 20 pixels.
  expect([data[15 * 290 + 15], data[25 * 290 + 25]]).toEqual([255, 0])
  const other = await read('text=https://blog.example/2&size=290&margin=2')
  expect(other.bytes.equals(bytes)).toBe(false)
  const again = await blog.call('GET', '/avatars/qr?text=https://blog.example&size=290&margin=2', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect((await read('text=a&download=true')).headers.get('content-disposition')).toMatch(
    /^attachment/,
  )
  expect((await read(`text=${'%F0%9F%92%A1'.repeat(256)}`)).status).toBe(200)
  for (const query of [
    '',
    'text=',
    `text=${'a'.repeat(513)}`,
    'text=a&size=0',
    'text=a&size=1001',
    'text=a&margin=11',
    'text=a&size=x',
  ])
    expect([query, (await read(query)).body]).toEqual([query, expect.objectContaining(BAD)])
})

test('flags and logos are the letters of their code, in any size up to a bound', async () => {
  const blog = await sharedBlog()
  const read = (path: string) => blog.call('GET', `/avatars/${path}`)
  const { status, headers, bytes } = await read('flags/jp?width=80&height=60')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(headers.get('cache-control')).toContain('public')
  const { width, height } = await sharp(bytes).metadata()
  expect([width, height]).toEqual([80, 60])
  expect((await read('browsers/JP?width=80&height=60')).bytes.equals(bytes)).toBe(true)
  expect((await read('flags/de?width=80&height=60')).bytes.equals(bytes)).toBe(false)
  const card = await sharp((await read('credit-cards/union-china-pay')).bytes).stats()
  expect(card.isOpaque).toBe(true)
  expect(card.entropy).toBeGreaterThan(0)
  for (const path of ['flags/j', 'flags/..%2f..%2fpackage', 'browsers/%00', 'browsers/__proto__'])
    expect([path, (await read(path)).body]).toEqual([
      path,
      expect.objectContaining({ code: 404, type: 'avatar_not_found' }),
    ])
  for (const query of ['width=2001', 'height=-1', 'quality=101'])
    expect((await read(`flags/de?${query}`)).body).toMatchObject(BAD)
  expect((await read('favicon?url=https://x.test')).body.message).toBe(
    'Fetching images of other sites: not offered by this server.',
  )
})
