// The deliberate faults of `npm run test:mutants` still fit the sources they are put into.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from '#test/mutants/mutants.ts'

const sources = globSync('{backend,contract,web}/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))

test('the text that a mutant replaces occurs exactly once in the sources', () => {
  const times = MUTANTS.map(({ rule, find }) => ({
    rule,
    times: sources.reduce((sum, text) => sum + text.split(find).length - 1, 0),
  }))
  expect(times.filter((one) => one.times !== 1)).toEqual([])
})
