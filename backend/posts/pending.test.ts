// What looking for posts that wait for work beside that of users goes through.
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { selectPending, selectRules } from './store.ts'

test.each(DATABASES)(
  'posts that wait for the index are found by an index of their own on %s',
  async (name, open) => {
    await using opened = await open()
    const plan = await planOf(
      opened.db,
      selectPending(opened.db, { before: 9, limit: 1 }).compile(),
      name,
    )
    expect(plan.join('\n')).toContain('searchPending')
  },
)

test.each(DATABASES)(
  'by which rules texts were made is read from the ends of an index on %s',
  async (name, open) => {
    await using opened = await open()
    const plan = await planOf(opened.db, selectRules.compile(opened.db), name)
    expect(plan.filter((line) => line.includes('postTextRules')).length).toBe(2)
  },
)
