// How both databases use the word index: for a search, and for a list.
import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import {
  compileMatch,
  filterByFullText,
  selectRanked,
  withStatementTimeout,
} from './full-text-search-store.ts'

const SHAPE = {
  termCount: 2,
  readers: ['any' as const],
  hasOwner: false,
  hasPhrase: false,
}

describeEachDatabase('the word index', (open, name) => {
  async function planAmongMany(query: (db: Database) => CompiledQuery<unknown>): Promise<string> {
    await using opened = await open()
    await addManyPosts(opened.db)
    return await withStatementTimeout(opened.db, 10_000, async (db) => {
      // With so few posts, PostgreSQL would prefer a full scan.
      if (isShared(db)) await sql`set local enable_seqscan = off`.execute(db)
      return (await planOf(db, query(db), name)).join('\n')
    })
  }
  const search = (...words: string[]) =>
    planAmongMany((db) => {
      const terms = words.map((word) => ({ words: [word], isPrefix: true }))
      const match = compileMatch(db, terms, { field: 'anywhere', of: 'all' })
      const values = {
        match,
        limit: 12,
        offset: 0,
        ownerId: undefined,
        term0: 'a',
        term1: 'b',
      }
      return selectRanked(db, values, SHAPE).compile(db)
    })

  test('a search for rare words begins with the index, the newest posts first', async () => {
    const plan = await search('rare', 'lamp')
    if (name === 'SQLite') {
      expect(plan).toMatch(/SCAN postWords VIRTUAL TABLE INDEX \d+:[^\n]*M/)
      expect(plan).toMatch(/SEARCH searchPost USING INTEGER PRIMARY KEY/)
      expect(plan).not.toMatch(/SCAN searchPost/)
    } else expect(plan).toMatch(/Bitmap Index Scan on "searchLexemes"/)
  })

  test('a search for words of most posts reads the newest posts in order', async () => {
    const plan = await search('often', 'always')
    if (name === 'SQLite') expect(plan).toMatch(/SCAN postWords VIRTUAL TABLE INDEX \d+:[^\n]*M/)
    else {
      expect(plan).toMatch(/Index Scan Backward using "searchPost_pkey"/)
      expect(plan).not.toContain('searchLexemes')
    }
  })

  test.skipIf(name === 'SQLite')('a search that takes too long is answered with 503', async () => {
    await using opened = await open()
    const slow = withStatementTimeout(opened.db, 50, async (db) => {
      const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(db)
      expect(rows).toEqual([{ limit: '50ms' }])
      await sql`select pg_sleep(3600)`.execute(db)
    })
    await expect(slow).rejects.toMatchObject({ status: 503 })
  })

  test('a search in a list begins with the index, and reads posts that are not indexed', async () => {
    const plan = await planAmongMany((db) => {
      const filter = { method: 'search' as const, attribute: 'title', values: ['rare'] }
      const condition = filterByFullText(db, sql.ref('post.title'), filter)
      return sql`select count(*) from (select 1 as one from post where ${condition} limit 10001) as counted`.compile(
        db,
      )
    })
    expect(plan).toContain('searchPending')
    if (name === 'SQLite') {
      expect(plan).toMatch(/SEARCH post USING (?:COVERING INDEX|INTEGER PRIMARY KEY)/)
      expect(plan).toMatch(/SCAN postWords VIRTUAL TABLE INDEX \d+:M/)
      expect(plan).not.toMatch(/SCAN post\b/)
    } else {
      expect(plan).toContain('searchLexemes')
      expect(plan).not.toMatch(/Seq Scan on post\b/)
    }
  })
})

/** All of them contain `often` and `always`; a few contain `rare` and `lamp`. */
async function addManyPosts(db: Database): Promise<void> {
  // With only a few different words PostgreSQL would gather no statistics.
  const words = `'often:1 always:2 w' || n % 300 || ':3' || case when n % 500 = 0 then ' rare:4 lamp:5' else '' end`
  await (isShared(db)
    ? sql`insert into "searchPost" (seq, status, "isHidden", readers, "userId", title, lexemes)
        select n, 'active', 0, 'any', 'alice', ' x ', (${sql.raw(words)})::tsvector
        from generate_series(1, 20000) as n`
    : sql`with recursive seqs(n) as (select 1 union all select n + 1 from seqs where n < 20000)
        insert into "searchPost" (seq, status, "isHidden", readers, "userId", title)
        select n, 'active', 0, 'any', 'alice', ' x ' from seqs`
  ).execute(db)
  await sql`analyze "searchPost"`.execute(db)
}
