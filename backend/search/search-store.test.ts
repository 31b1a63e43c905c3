// What looking for posts that are not in the index yet goes through.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { selectDue } from './search-store.ts'

describe.each(DATABASES)('posts that are due on %s', (name, open) => {
  test('are found in their own index', async () => {
    await using opened = await open()
    const plan = await planOf(opened.db, selectDue(opened.db, 1).compile(), name)
    expect(plan.join('\n')).toContain('searchDue')
  })
})
