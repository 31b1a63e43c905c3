import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawAnimation, drawPhoto } from '#test/support/images.ts'
import { findImageFacts, isAnimatedGif } from './sniff-image-type.ts'

const size = { width: 60, height: 40 }
const photo = await drawPhoto('png', size)
const blobOf = (bytes: string | Uint8Array) => new Blob([Buffer.from(bytes)])

test.each([
  ['png', photo, size],
  ['jpeg', await drawPhoto('jpeg', size), size],
  ['gif', await drawPhoto('gif', size), size],
  ['webp', await sharp(photo).webp().toBuffer(), { isCut: false }],
  ['avif', await sharp(photo).avif().toBuffer(), {}],
  ['tiff', await sharp(photo).tiff().toBuffer(), {}],
  ['heic', heic('heic', 'mif1'), {}],
  ['heic', heic('mif1', 'heic'), {}],
  ['avif', heic('mif1', 'avif'), {}],
  ['svg', '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>', {}],
] as const)('a file is recognised by its content as %s', async (kind, bytes, facts) => {
  expect(await findImageFacts(blobOf(bytes))).toEqual({ kind, ...facts })
})

test("the size of a photo is read after the camera's metadata", async () => {
  const bytes = await sharp(photo)
    .withExif({ IFD0: { ImageDescription: 'words '.repeat(5000) } })
    .jpeg({ progressive: true })
    .toBuffer()
  expect(await findImageFacts(blobOf(bytes))).toEqual({ kind: 'jpeg', ...size })
})

test('a truncated WebP is recognised as incomplete', async () => {
  const whole = await sharp(photo).webp().toBuffer()
  const half = whole.subarray(0, whole.length >> 1)
  expect(await findImageFacts(blobOf(half))).toEqual({ kind: 'webp', isCut: true })
})

test('a file that is not an image has no facts, however short it is', async () => {
  for (const bytes of ['', 'G', 'plain text', '<p>svg</p>', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'])
    expect(await findImageFacts(blobOf(bytes)), bytes).toBe(undefined)
})

test('a file that only looks like an SVG is rejected in linear time', async () => {
  expect(await findImageFacts(blobOf(`${'<!---->'.repeat(140)}x`))).toBe(undefined)
  expect(await findImageFacts(blobOf(`${'<!---->'.repeat(140)}<svg>`))).toEqual({ kind: 'svg' })
})

test('an animated GIF is distinguished from a still one', async () => {
  expect(await isAnimatedGif(blobOf(await drawAnimation(size)))).toBe(true)
  expect(await isAnimatedGif(blobOf(await drawPhoto('gif', size)))).toBe(false)
})

/** The first box of a file of this family. */
function heic(...brands: string[]): Uint8Array {
  const [major = '', ...others] = brands
  const text = `ftyp${major}\0\0\0\0${others.join('')}`
  return Uint8Array.from([0, 0, 0, text.length + 4, ...Buffer.from(text, 'latin1'), 0, 0, 0, 0])
}
