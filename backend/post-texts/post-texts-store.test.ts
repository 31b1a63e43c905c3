// The background work that looks for outdated posts uses an index.
import { expect } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { selectPending, selectRulesRange } from './post-texts-store.ts'

testEachDatabase(
  'posts that are missing from the word index are found by an index of their own',
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
  'the first and the last version of the rules are read from the ends of an index',
  async (open, name) => {
    await using opened = await open()
    const plan = await planOf(opened.db, selectRulesRange.compile(opened.db), name)
    expect(plan.filter((line) => line.includes('postTextRules')).length).toBe(2)
  },
)
