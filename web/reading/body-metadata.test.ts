// What is said of a body: of a long one by its beginning.
import { expect, test } from 'vitest'
import { describeBody, describeForServer } from './body-metadata.ts'

const prose = '<p>Seven small words stand in this sentence.</p>'

test('a long body is described by its beginning, its minutes by its length', () => {
  const html = `${prose.repeat(20_000)}<p>\u0627</p>`
  const { minutes, direction, letters } = describeForServer(html)
  expect(direction).toBe('ltr')
  expect(Math.abs(minutes - 20 * describeBody(prose.repeat(1000)).minutes)).toBeLessThan(20)
  expect(letters.flatMap((one) => one.letters)).not.toContain(0x627)
  expect(describeForServer(`${prose}<p>\u0627</p>`).letters[0]?.letters).toContain(0x627)
  expect(describeBody('')).toMatchObject({ minutes: 1, direction: undefined })
})
