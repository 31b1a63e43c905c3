// Files that are not images, are damaged or claim to be huge: the form shows why it refuses each,
// runs nothing in them and stays usable.
import sharp from 'sharp'
import { expect, test } from '#test/support/browser-blog.ts'
import type { ImageFile } from '#test/support/clients.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp, toUpload } from '#test/support/people.ts'

const EMPTY = 'This file is empty.'
const WRONG_TYPE = 'This file is not a PNG, JPG, JPEG or GIF.'
const UNREADABLE = 'This image cannot be read. Choose another one.'
const cannotOpen = (type: string) =>
  `This browser cannot open ${type} pictures. Choose a PNG, JPG, JPEG or GIF.`
const DRAWING = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="top.pwned=1"><script>top.pwned=1</script></svg>',
)

/** A copy of the PNG whose header claims other dimensions. */
function claimSide(png: Buffer, side: number): Buffer {
  const claimed = Buffer.from(png)
  claimed.writeUInt32BE(side, 16)
  claimed.writeUInt32BE(side, 20)
  return claimed
}

test('each unusable file shows why it is refused, and the next valid image is accepted', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Ivo Image'))
  await page.goto('/add-post')
  const png = await drawPhoto('png', { width: 96, height: 54 })
  const webp = await sharp(png).webp().toBuffer()
  const jpeg = await drawPhoto('jpeg', { width: 640, height: 360 })
  const gif = Buffer.concat([
    Buffer.from('GIF89a\xff\xff\xff\xff\x80\x00\x00', 'latin1'),
    Buffer.alloc(6),
    Buffer.alloc(2000, 0x21),
  ])
  const ico = Buffer.concat([Buffer.from([0, 0, 1, 0, 255, 255]), Buffer.alloc(100, 255)])
  const files: [name: string, bytes: Buffer, message: string][] = [
    ['empty.png', Buffer.alloc(0), EMPTY],
    ['words.png', Buffer.from('no image at all'), UNREADABLE],
    ['drawing.svg', DRAWING, WRONG_TYPE],
    ['page.jpg', Buffer.from('<!doctype html><script>top.pwned=1</script>'), UNREADABLE],
    ['drawing.webp', DRAWING, WRONG_TYPE],
    ['signature.png', png.subarray(0, 8), UNREADABLE],
    ['icon.ico', ico, cannotOpen('ICO')],
    ['huge.png', claimSide(png, 20_000), UNREADABLE],
    ['cut.webp', webp.subarray(0, webp.length >> 1), UNREADABLE],
    ['drawing-2.svg', DRAWING, WRONG_TYPE],
    ['beginning.jpg', jpeg.subarray(0, 20), UNREADABLE],
    ['none.png', Buffer.alloc(0), EMPTY],
    ['blocks.gif', gif, UNREADABLE],
  ]
  const field = page.getByLabel('Featured image')
  for (const [name, bytes, message] of files) {
    await field.setInputFiles(file(name, bytes))
    await expect(page.getByRole('alert').filter({ hasText: message }), name).toBeVisible()
  }
  await field.setInputFiles(file('good.png', png))
  await expect(page.getByText('good.png')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: UNREADABLE })).toHaveCount(0)
  expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
})

function file(name: string, bytes: Buffer): ReturnType<typeof toUpload> {
  const type: ImageFile['type'] = `image/${name.split('.').at(-1)?.replace('jpg', 'jpeg')}`
  return toUpload({ name, type, bytes })
}
