import { expect, test } from 'vitest'
import { dominantColor } from './dominant-color.ts'

const samplesOf = (channels: number, width: number, ...pixels: number[][]) => ({
  data: Buffer.from(pixels.flat()),
  width,
  height: pixels.length / width,
  channels,
})
const RED = [200, 16, 20]
const BLUE = [10, 20, 230]

test('the largest group wins, and its mean is shown', () => {
  expect(dominantColor(samplesOf(3, 2, RED, BLUE, [202, 18, 22], BLUE, RED, RED))).toBe('#c91115')
  expect(dominantColor(samplesOf(3, 1, BLUE, BLUE, RED))).toBe('#0a14e6')
})

test('grey, and grey with alpha, are colours too', () => {
  expect(dominantColor(samplesOf(1, 2, [7], [7]))).toBe('#070707')
  expect(dominantColor(samplesOf(2, 1, [128, 255]))).toBe('#808080')
})

test('what is see-through anywhere has none', () => {
  expect(dominantColor(samplesOf(4, 2, [...RED, 255], [...RED, 255]))).toBe('#c81014')
  expect(dominantColor(samplesOf(4, 2, [...RED, 255], [...RED, 200]))).toBe('')
  expect(dominantColor(samplesOf(2, 1, [128, 0]))).toBe('')
})

test('of many rows a few are looked at, from the first part to the last', () => {
  const rows = Array.from({ length: 12_000 }, (_one, row) => (row < 5000 ? RED : BLUE))
  expect(dominantColor(samplesOf(3, 1, ...rows))).toBe('#0a14e6')
})

test('nothing has none', () => {
  expect(dominantColor({ data: Buffer.alloc(0), width: 0, height: 0, channels: 3 })).toBe('')
})
