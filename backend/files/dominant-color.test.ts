// The dominant colour of an image.
import { expect, test } from 'vitest'
import { dominantColor, type Samples } from './images.ts'

const samplesOf = (channels: Samples['channels'], width: number, ...pixels: number[][]) => ({
  data: Buffer.from(pixels.flat()),
  width,
  height: pixels.length / width,
  channels,
})
const RED = [200, 16, 20]
const BLUE = [10, 20, 230]

test('the largest group of like colours wins', async () => {
  expect(await dominantColor(samplesOf(3, 2, RED, BLUE, [202, 18, 22], BLUE, RED, RED))).toBe(
    '#c80818',
  )
  expect(await dominantColor(samplesOf(3, 1, BLUE, BLUE, RED))).toBe('#0818e8')
})

test('grey, and grey with alpha, are colours too', async () => {
  expect(await dominantColor(samplesOf(1, 2, [7], [7]))).toBe('#080808')
  expect(await dominantColor(samplesOf(2, 1, [128, 255]))).toBe('#787878')
})

test('an image with a transparent pixel has no colour', async () => {
  expect(await dominantColor(samplesOf(4, 2, [...RED, 255], [...RED, 255]))).toBe('#c80818')
  expect(await dominantColor(samplesOf(4, 2, [...RED, 255], [...RED, 200]))).toBe('')
  expect(await dominantColor(samplesOf(2, 1, [128, 0]))).toBe('')
})

test('all rows count', async () => {
  const rows = Array.from({ length: 12_000 }, (_one, row) => (row < 5000 ? RED : BLUE))
  expect(await dominantColor(samplesOf(3, 1, ...rows))).toBe('#0818e8')
})

test('an image without pixels has no colour', async () => {
  expect(await dominantColor({ data: Buffer.alloc(0), width: 0, height: 0, channels: 3 })).toBe('')
})
