// What looking for posts by the index, and for those that are not in it yet, goes through.
import { type SqlBool, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { isShared } from '../database/dialect.ts'
import { withinStatementTime, writeMatch } from '../database/word-index.ts'
import { listMatching, selectDue } from './search-store.ts'

describe.each(DATABASES)('searched posts on %s', (name, open) => {
  test('that are due are found in their own index', async () => {
    await using opened = await open()
    const plan = await planOf(opened.db, selectDue(opened.db, 1).compile(), name)
    expect(plan.join('\n')).toContain('searchDue')
  })

  test('are all listed, however many drafts stand between them', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    const posts = makeTestPosts(db)
    // A few others behind many drafts, and again.
    for (let at = 0; at < 60; at++) {
      const status = at % 20 < 4 ? 'active' : 'inactive'
      await posts.write(viewerOf('alice'), `post-${at}`, { title: 'Lamp', content: '', status })
    }
    const word = { word: 'lamp', isSign: false, place: 'title', isBeginning: true } as const
    const match = await writeMatch(db, { word })
    for (const [visible, all] of [
      [sql<SqlBool>`"searchPost".status = 'active'`, 12],
      [sql<SqlBool>`1 = 1`, 60],
    ] as const) {
      const search = { match, visible }
      for (const max of [1, 2, 4, 5, 9, 12, 13, 59, 60, 61, 150]) {
        const { seqs, isWhole } = await listMatching(db, search, max)
        expect(seqs).toHaveLength(Math.min(all, max))
        expect(seqs).toEqual(seqs.toSorted((a, b) => b - a))
        if (max !== all) expect(isWhole).toBe(max > all)
      }
    }
  })

  test('are looked for by plans of their own words', async () => {
    await using opened = await open()
    const asked = sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`
    if (!isShared(opened.db)) return
    const modes = await withinStatementTime(opened.db, 1000, async (db) => [
      (await asked.execute(db)).rows[0]?.mode,
    ])
    expect([...modes, (await asked.execute(opened.db)).rows[0]?.mode]).toEqual([
      'force_custom_plan',
      'auto',
    ])
  })
})
