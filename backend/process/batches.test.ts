import { expect, test } from 'vitest'
import { readBatches } from './batches.ts'

const ROWS = [1, 2, 3, 4, 5]

test('all rows are read in batches, and other work runs between two batches', async () => {
  const seen: (number[] | string)[] = []
  const batches = readBatches<number>(2, async ({ after = 0, limit }) => {
    setImmediate(() => seen.push('other work'))
    return ROWS.filter((row) => row > after).slice(0, limit)
  })
  for await (const batch of batches) seen.push(batch)
  expect(seen).toEqual([[1, 2], 'other work', [3, 4], 'other work', [5]])
})

test('without rows there is no batch', async () => {
  for await (const _ of readBatches(2, async () => [])) throw new Error('a batch without rows')
})
