// Scans of many rows end in time, on both databases.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { isShared } from './dialect.ts'
import { isInTime, scan } from './scan.ts'

testEachDatabase('a scan that takes too long is refused, and the next one is not', async (open) => {
  await using database = await open()
  const { db } = database
  const numbers = (count: number) => {
    const isWithinTime = isInTime(db) ?? sql`true`
    return sql<{ total: number }>`with recursive number(n) as
      (select 1 union all select n + 1 from number where n < ${count} and ${isWithinTime})
      select count(*) as total from number`
  }
  const slow = isShared(db)
    ? sql<{ total: number }>`select count(*) as total
        from generate_series(1, 1000000) as a, generate_series(1, 1000000) as b`
    : numbers(1e12)
  await expect(scan(db, slow, { caller: 'somebody' })).rejects.toMatchObject({
    type: 'general_argument_invalid',
    message: expect.stringContaining('takes too long'),
  })
  const broken = sql<{ total: number }>`select nothing as total from ${sql.table('post')}`
  await expect(scan(db, broken, { caller: 'somebody' })).rejects.not.toMatchObject({ status: 400 })
  const [row] = await scan(db, numbers(1000), { caller: 'somebody' })
  expect(Number(row?.total)).toBe(1000)
})
