// What looking for posts that wait for work beside that of users goes through.
import { expect } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { selectPending, selectRules } from '../post-texts/post-texts-store.ts'

testEachDatabase(
  'posts that wait for the index are found by an index of their own',
  async (open, name) => {
    await using opened = await open()
    const plan = await planOf(
      opened.db,
      selectPending(opened.db, { before: 9, limit: 1 }).compile(),
      name,
    )
    expect(plan.join('\n')).toContain('searchPending')
  },
)

testEachDatabase(
  'by which rules texts were made is read from the ends of an index',
  async (open, name) => {
    await using opened = await open()
    const plan = await planOf(opened.db, selectRules.compile(opened.db), name)
    expect(plan.filter((line) => line.includes('postTextRules')).length).toBe(2)
  },
)
