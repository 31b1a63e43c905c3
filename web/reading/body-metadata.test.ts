// The metadata of a post's body; that of a long body is derived from its beginning.
import { expect, test } from 'vitest'
import { deriveBodyMetadata, deriveStoredMetadata } from './body-metadata.ts'

const prose = '<p>Seven small words stand in this sentence.</p>'

test('the metadata of a long body is that of its beginning, but its reading time is that of its length', () => {
  const html = `${prose.repeat(20_000)}<p>\u0627</p>`
  const { minutes, direction, letters } = deriveStoredMetadata(html)
  expect(direction).toBe('ltr')
  expect(Math.abs(minutes - 20 * deriveBodyMetadata(prose.repeat(1000)).minutes)).toBeLessThan(20)
  expect(letters.flatMap((style) => style.letters)).not.toContain(0x627)
  expect(deriveStoredMetadata(`${prose}<p>\u0627</p>`).letters[0]?.letters).toContain(0x627)
  expect(deriveBodyMetadata('')).toMatchObject({ minutes: 1, direction: undefined })
})
