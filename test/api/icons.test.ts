// QR codes, flags and icons of brands, drawn here.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'

const BAD = { code: 400, type: 'general_argument_invalid' }

test('a QR code has the size asked for, is black and white, and carries its text', async () => {
  await using blog = await makeTestBlog()
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

test('flags are those of countries, in any size up to a bound', async () => {
  await using blog = await makeTestBlog()
  const read = (path: string) => blog.call('GET', `/avatars/flags/${path}`)
  const { status, bytes } = await read('jp?width=80&height=60')
  expect(status).toBe(200)
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([80, 60])
  const [red = 0, green = 255] = data.subarray((30 * 80 + 40) * 3)
  expect([red > 150, green < 60]).toEqual([true, true])
  expect((await read('JP?width=80&height=60')).bytes.equals(bytes)).toBe(true)
  const { width, height } = await sharp((await read('de')).bytes).metadata()
  expect([width, height]).toEqual([100, 100])
  for (const code of ['qq', 'j', 'jpn', '..%2f..%2fpackage', '%00', 'gb-eng'])
    expect([code, (await read(code)).body]).toEqual([
      code,
      expect.objectContaining({ code: 404, type: 'avatar_not_found' }),
    ])
  for (const query of ['width=2001', 'height=-1', 'quality=101'])
    expect((await read(`de?${query}`)).body).toMatchObject(BAD)
  expect((await blog.call('GET', '/avatars/favicon?url=https://x.test')).body.message).toBe(
    'Fetching images of other sites: not offered by this server.',
  )
})

test('icons of browsers and cards have the codes of the hosted API, as far as there are any', async () => {
  await using blog = await makeTestBlog()
  const browsers = 'an ch ci cm ff sf mf ps oi om op on'.split(' ')
  const cards = 'amex diners discover elo hipercard jcb mastercard maestro union-china-pay visa'
  const paths = [
    ...browsers.map((code) => `browsers/${code}`),
    ...cards.split(' ').map((code) => `credit-cards/${code}`),
  ]
  for (const path of paths) {
    const { status, headers, bytes } = await blog.call('GET', `/avatars/${path}?width=40&height=30`)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png'])
    const image = sharp(bytes)
    const { width, height } = await image.metadata()
    const { channels, isOpaque } = await image.stats()
    expect([path, width, height]).toEqual([path, 40, 30])
    // Something is drawn, and something is left free: not cut off, not stretched.
    expect([path, (channels.at(-1)?.max ?? 0) > 200, isOpaque]).toEqual([path, true, false])
  }
  for (const path of ['browsers/aa', 'browsers/visa', 'credit-cards/ch', 'credit-cards/mir'])
    expect((await blog.call('GET', `/avatars/${path}`)).body).toMatchObject({
      ...{ code: 404, type: 'avatar_not_found' },
    })
  for (const code of ['constructor', '__proto__', '..%2f..%2fpackage', 'toString'])
    expect((await blog.call('GET', `/avatars/browsers/${code}`)).status).toBe(404)
  expect((await blog.call('GET', '/avatars/browsers/ch?width=2001')).body).toMatchObject(BAD)
})
