// In a blog of a million posts, every list that is not refused reads along an index, and sorts no
// more than a page: both databases explain the plan of every form of a list.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  findCursor,
  selectCount,
  selectCountBefore,
  selectPage,
} from '#backend/database/list-query.ts'
import { readQueries } from '#backend/database/queries.ts'
import { Refusal } from '#contract/errors.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { fullSorts, hasFullScan, planOf, readsRows } from '#test/support/plans.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { sampled } from '#test/support/sampled.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { readableBy } from '../posts/access.ts'
import { POST_LIST_SCHEMA } from '../posts/post-data.ts'
import { accessPathsOf, accessPathToCount } from './list-access-paths.ts'
import { toListCall } from './post-list-store.ts'

const MILLION = 1_000_000

const alice = viewerOf('alice')
const TAGS = ['trains', 'night', 'sea', 'walks', 'tea', 'rain', 'lamps', 'maps']
const VIEWERS: [who: string, viewer: Viewer][] = [
  ['a guest', GUEST],
  ['a member', alice],
]
const CURSORS = [[], ['cursorAfter("p6")'], ['cursorBefore("p6")']]
const BASES = [
  [],
  ['equal("status", ["active"])'],
  ['equal("userid", ["alice"])'],
  ['equal("userid", ["alice"])', 'equal("status", ["active"])'],
  ['equal("userid", ["alice"])', 'notEqual("status", ["active"])'],
  ['equal("tags", ["trains"])'],
  ['equal("tags", ["trains"])', 'equal("status", ["active"])'],
]
const ATTRIBUTES = Object.entries(POST_LIST_SCHEMA).flatMap(([name, { isSelectOnly }]) =>
  isSelectOnly ? [] : [name],
)
const ORDERS = [
  [],
  ['orderAsc("")'],
  ['orderDesc("")'],
  ['orderRandom()'],
  ...ATTRIBUTES.flatMap((name) => [[`orderAsc("${name}")`], [`orderDesc("${name}")`]]),
  ['orderDesc("$createdAt")', 'orderAsc("$id")'],
  ['orderAsc("title")', 'orderDesc("$createdAt")'],
]

const METHODS: Record<string, number> = {
  equal: 1,
  notEqual: 1,
  lessThan: 1,
  lessThanEqual: 1,
  greaterThan: 1,
  greaterThanEqual: 1,
  between: 2,
  isNull: 0,
  isNotNull: 0,
  startsWith: 1,
  endsWith: 1,
  contains: 1,
  search: 1,
  notContains: 1,
  notStartsWith: 1,
}

function sampleOf(attribute: string): string | number {
  const type = POST_LIST_SCHEMA[attribute]?.type
  if (type === 'datetime') return '2023-11-20T13:37:00.000Z'
  return type === 'integer' ? 3 : 'p3'
}

function conditions(): { attribute: string; text: string }[] {
  return ATTRIBUTES.flatMap((attribute) =>
    [...Object.entries(METHODS), ['equal', 3] as const].map(([method, count]) => ({
      attribute,
      text: JSON.stringify({ method, attribute, values: Array(count).fill(sampleOf(attribute)) }),
    })),
  )
}

/** Every order without further conditions; every condition in the orders that it allows. */
function shapes(): string[][] {
  const plain = BASES.flatMap((base) => ORDERS.map((order) => [...base, ...order]))
  const narrowed = BASES.flatMap((base) =>
    conditions().flatMap(({ attribute, text }) => {
      const sameAttribute = [`orderAsc("${attribute}")`, `orderDesc("${attribute}")`]
      return [[], ['orderDesc("$createdAt")'], ...sameAttribute.map((order) => [order])].map(
        (order) => [...base, text, ...order],
      )
    }),
  )
  const paged = plain.flatMap((shape) => CURSORS.map((cursor) => [...shape, ...cursor]))
  return [...paged, ...narrowed]
}

/**
 * The list in a blog where all posts, those of each author and those of each tag are too many to
 * scan; undefined if it is refused there.
 */
function allowed(texts: string[], viewer: Viewer) {
  try {
    const query = readQueries(texts, POST_LIST_SCHEMA, { role: viewer.role })
    const list = { query, scope: readableBy(viewer) }
    const path = accessPathsOf(query).find(({ isInOrder, by }) => isInOrder || by === 'ids')
    return path && { ...list, path }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Makes PostgreSQL plan for a million posts that are like these. */
async function pretendMillion(db: Database): Promise<void> {
  await sql`analyze`.execute(db)
  // With so few pages it would be as cheap to read all of them.
  for (const scanType of ['seqscan', 'bitmapscan'])
    await sql.raw(`set local enable_${scanType} = off`).execute(db)
  await sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
      'relpages', greatest(1, pg_relation_size(oid) / 8192)::integer, 'reltuples', ${MILLION}::real)
    from pg_class where relname in ('post', 'postTag', 'postLike')
      or oid in (select indexrelid from pg_index
        where indrelid in ('post'::regclass, '"postTag"'::regclass, '"postLike"'::regclass))`.execute(
    db,
  )
}

describeEachDatabase('plans of lists', (open, name) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    const posts = makeTestPosts(opened.db)
    for (let at = 0; at < 40; at++) {
      posts.tick()
      const data = { status: at % 8 === 0 ? 'inactive' : 'active', tags: [TAGS[at % TAGS.length]] }
      await posts.write(viewerOf(at % 2 ? 'alice' : 'bob'), `p${at}`, data)
    }
    // Some for each kind of readers, and some that are hidden.
    const kinds = ['any', 'any', 'any', 'users', 'verified', 'unverified', 'owner']
    for (const [at, readers] of kinds.entries())
      await sql`update post set readers = ${readers}, "isHidden" = ${sql.lit(at === 2 ? 1 : 0)}
        where seq % ${sql.lit(kinds.length)} = ${sql.lit(at)}`.execute(opened.db)
    return opened
  }

  for (const [tags, oneOf] of sampled([8, 1], 2))
    test.each(VIEWERS)(
      `one of ${oneOf} lists of %s that are not refused at a million posts reads along an index`,
      { tags, timeout: 60_000 },
      async (_who, viewer) => {
        const sample = shapes().filter((_shape, at) => at % oneOf === 0)
        await using blog = await start()
        const result =
          name === 'SQLite'
            ? await findWrongPlans(blog.db, name, viewer, sample)
            : await blog.db.transaction().execute(async (tx) => {
                await pretendMillion(tx)
                return findWrongPlans(tx, name, viewer, sample)
              })
        expect(result.wrong.slice(0, 3).join('\n\n')).toBe('')
        expect(result.planned).toBeGreaterThan(500 / oneOf)
      },
    )
})

async function findWrongPlans(db: Database, name: string, viewer: Viewer, sample: string[][]) {
  const wrong: string[] = []
  const checkedSql = new Set<string>()
  let planned = 0
  for (const texts of sample) {
    const list = allowed(texts, viewer)
    if (!list) continue
    const { query } = list
    planned++
    const call = toListCall(db, list)
    const page = selectPage(db, call, await findCursor(db, call)).compile(db)
    const countedList = { ...list, path: accessPathToCount(list.path) }
    const count = selectCount(db, toListCall(db, countedList)).compile(db)
    const before = query.cursor
      ? [(await selectCountBefore(db, toListCall(db, list))).compile(db)]
      : []
    for (const statement of [page, count, ...before]) {
      // `1 = 0`: the conditions of the list exclude every post.
      if (checkedSql.has(statement.sql) || statement.sql.includes('1 = 0')) continue
      checkedSql.add(statement.sql)
      const steps = await planOf(db, statement, name)
      const sorted = statement === page && !isOfFew(query) ? fullSorts(steps) : []
      if (
        hasFullScan(steps) ||
        (!isOfFew(query) && readsRows(steps)) ||
        sorted.some((index) => !isOfOwn(index, viewer))
      )
        wrong.push([texts.join(' '), ...sorted, ...steps].join('\n'))
    }
  }
  return { wrong, planned }
}

/** A person's own drafts are few here. */
function isOfOwn(index: string, viewer: Viewer): boolean {
  return viewer.role === 'user' && index.startsWith('postOfUser')
}

/** Whether the list names its posts by their ids. */
function isOfFew({ filters }: { filters: object[] }): boolean {
  return filters.some((filter) => JSON.stringify(filter).includes('"equal","attribute":"$id"'))
}
