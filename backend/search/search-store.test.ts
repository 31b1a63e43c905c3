// What looking for posts by the index, and for those that are not in it yet, goes through.
import { type SqlBool, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { isShared } from '../database/dialect.ts'
import {
  chooseWay,
  lookUpWords,
  noSample,
  type Sample,
  walkNewest,
} from '../database/tsvector-search.ts'
import { type Match, withinStatementTime } from '../database/word-index.ts'
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
    for (const [visible, all] of [
      [sql<SqlBool>`"searchPost".status = 'active'`, 12],
      [sql<SqlBool>`1 = 1`, 60],
    ] as const) {
      const known = { terms: new Map(), sample: noSample() }
      const search = { match: inTitle('lamp'), visible, known }
      for (const max of [1, 2, 4, 5, 9, 12, 13, 59, 60, 61, 150]) {
        const { seqs, isWhole } = await listMatching(db, search, max)
        expect(seqs).toHaveLength(Math.min(all, max))
        expect(seqs).toEqual(seqs.toSorted((a, b) => b - a))
        if (max !== all) expect(isWhole).toBe(max > all)
      }
    }
  })

  test('are gone along, or looked up, as the way says', async () => {
    await using opened = await open()
    const { db } = opened
    if (!isShared(db)) return
    const asked = { visible: sql<SqlBool>`1 = 1`, limit: 10 }
    const way = { lookedUp: "'_lamp':*", lookedFor: ["'_the':*"] }
    await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const walk = walkNewest(inTitle('the'), 5000, asked).compile(tx)
      const walked = (await planOf(tx, walk, name)).join('\n')
      expect(walked).toMatch(/Scan Backward using "searchPost_pkey"[\s\S]*Index Cond: .*5000/)
      const lookedUp = (await planOf(tx, lookUpWords(way, asked).compile(tx), name)).join('\n')
      expect(lookedUp).toMatch(/Bitmap Index Scan on "searchWords"[\s\S]*Index Cond: .*_lamp/)
      expect(lookedUp).not.toMatch(/Index Cond: .*_the/)
    })
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

  test('are found however seldom frequent words stand together', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice'])
    const posts = makeTestPosts(db)
    for (let at = 0; at < 80; at++) {
      const title = at % 40 === 3 ? 'Lamp lantern rare' : at % 2 === 0 ? 'Lamp' : 'Lantern'
      await posts.write(viewerOf('alice'), `post-${at}`, { title, content: '' })
    }
    const visible = sql<SqlBool>`1 = 1`
    const known = { terms: new Map(), sample: noSample() }
    const list = async (match: Match, limit: number) =>
      (await listMatching(db, { match, visible, known }, limit)).seqs
    const both = { all: [inTitle('lamp'), inTitle('lantern')] }
    const [newer, older] = await list(both, 9)
    expect([newer, older]).toEqual([44, 4])
    for (const limit of [1, 2, 3]) expect(await list(both, limit)).toHaveLength(Math.min(2, limit))
    expect(await list({ all: [inTitle('rare'), inTitle('lamp')] }, 9)).toEqual([44, 4])
    const without = { all: [inTitle('lantern')], but: inTitle('lamp') }
    expect(await list(without, 99)).toHaveLength(38)
    expect(await list({ all: [inTitle('lantern'), inTitle('none')] }, 9)).toEqual([])
  })
})

function inTitle(word: string) {
  return { word: { word, isSign: false, place: 'title', isBeginning: true } } as const
}

describe('on PostgreSQL', () => {
  const often = "'_the':*"
  const shares = new Map([
    [often, 0.4],
    ["'_which':*", 0.06],
    ["'_lamp':*", 0.001],
    ["'_odd':*", 0.0009],
  ])
  const sample: Sample = { posts: 1_000_000, shares }
  const wayOf = (limit: number, ...words: string[]) =>
    chooseWay({ all: words.map(inTitle) }, limit, sample)

  test('rare words are looked up, frequent ones are looked for in what they give', () => {
    const way = wayOf(1000, 'the', 'lamp')
    expect(way).toEqual({ lookedUp: "'_lamp':*", lookedFor: [often], walk: undefined })
  })

  test('rare words are looked up together', () => {
    const way = wayOf(1000, 'lamp', 'odd')
    expect(way).toEqual({ lookedUp: "'_odd':* & '_lamp':*", lookedFor: [], walk: undefined })
  })

  test('the newest posts are gone along for frequent words, but not past all of them', () => {
    expect(wayOf(100, 'the', 'which')).toMatchObject({ walk: 84_801 })
    expect(wayOf(30_000, 'the', 'which').walk).toBeUndefined()
  })

  test('what must be missing is never looked up', () => {
    const way = chooseWay({ all: [inTitle('lamp')], but: inTitle('the') }, 10, sample)
    expect(way).toMatchObject({ lookedUp: "'_lamp':*", lookedFor: [`!${often}`] })
  })
})
