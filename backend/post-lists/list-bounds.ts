// How much one list of posts may go through: a page of an index, or the posts that a condition
// leaves, as long as these are few (decision 0066). SQLite answers no other call meanwhile.
import { Refusal } from '#contract/errors.ts'
import { type ListQuery, type PlainFilter, plainFilters } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { type AccessPath, accessPathsOf, isOfWords } from './list-access-paths.ts'
import { countCandidates, countWords, type ScopedQuery, sizeCandidates } from './post-list-store.ts'

export const LIST_POSTS_MAX = 10_000
export const LIST_COST_MAX_MS = 30

// Microseconds, for one post: looking at it, and comparing it with one value.
const POST_US = 0.6
const VALUE_US = 0.1
/** These are looked up in other tables, or in the row behind the index. */
const SLOW_VALUES_US: Readonly<Record<string, number>> = {
  userName: 0.6,
  likeId: 1,
  tags: 1,
  like: 1.2,
}
/** Looking for a text inside another takes so many times as long. */
const INSIDE: Readonly<Record<string, number>> = { contains: 3, search: 7, endsWith: 5 }
// For one byte of a long text.
const BODY_BYTE_US = 0.002
/** Comparing so much of what is looked for, at each place of a text, doubles the work. */
const NEEDLE_BYTES = 180
/** A text is moved and compared with others, or its characters are counted. */
const READINGS_OF_ORDER = 4
const READINGS_OF_END = 4

export type ListWork = { hasTotal: boolean; hasBefore: boolean }
/** `costMs` is an estimate of the processor time beyond that of a page. */
export type BoundedList = ScopedQuery & { path: AccessPath; costMs: number }

/**
 * The access path of a list that is short enough.
 *
 * @throws Refusal `general_argument_invalid` when every access path scans too much
 * @source api.md §15.4
 */
export async function boundList(db: Database, list: ScopedQuery, work: ListWork) {
  await refuseFrequentWords(db, list.query)
  const paths = accessPathsOf(list.query)
  for (const path of [...paths.filter((one) => one.isInOrder), ...paths]) {
    const posts = await countCandidates(db, { ...list, path }, LIST_POSTS_MAX + 1)
    if (posts > LIST_POSTS_MAX) continue
    const costMs = posts === 0 ? 0 : await estimateCost(db, { ...list, path }, { posts, ...work })
    if (costMs <= LIST_COST_MAX_MS) return { ...list, path, costMs }
  }
  throw tooMuch('or ask for fewer values')
}

async function refuseFrequentWords(db: Database, { filters }: ListQuery): Promise<void> {
  for (const filter of plainFilters(filters))
    if (isOfWords(filter) && (await countWords(db, filter, LIST_POSTS_MAX + 1)) > LIST_POSTS_MAX)
      throw tooMuch('or search for rarer words')
}

function tooMuch(or: string): Refusal {
  return new Refusal(
    'general_argument_invalid',
    `Invalid query: That goes through more posts than one call may. Narrow it down by $id, userid, tags, likeId or a range of $createdAt, ${or}.`,
  )
}

async function estimateCost(
  db: Database,
  list: ScopedQuery & { path: AccessPath },
  { posts, hasTotal, hasBefore }: ListWork & { posts: number },
): Promise<number> {
  const { query, path } = list
  const asked = plainFilters(query.filters.filter((one) => !path.narrowing.includes(one)))
  const ordered = query.order.map(({ attribute = '$sequence' }) => attribute)
  const isLong = [...asked.map(({ attribute }) => attribute), ...ordered].includes('content')
  const bytes = isLong ? await sizeCandidates(db, list, LIST_POSTS_MAX) : 0
  const reading = (name: string) => (name === 'content' ? bytes * BODY_BYTE_US : 0)
  let us = posts * POST_US
  for (const name of ordered) us += posts * valueCost(name) + reading(name) * READINGS_OF_ORDER
  for (const one of asked) us += posts * valuesCost(one) + reading(one.attribute) * readingsOf(one)
  return (us * (1 + Number(hasTotal) + Number(hasBefore))) / 1000
}

function valuesCost(filter: PlainFilter): number {
  const values = 'values' in filter ? filter.values.length : 1
  return valueCost(filter.attribute) * values * (INSIDE[filter.method] ?? 1)
}

function valueCost(attribute: string): number {
  return SLOW_VALUES_US[attribute] ?? VALUE_US
}

/** How many times a long text of each post is read. */
function readingsOf(filter: PlainFilter): number {
  if (!('values' in filter) || isOfWords(filter)) return 0
  const readings = filter.method === 'endsWith' ? READINGS_OF_END : 1
  const needles = filter.values.map((one) => Buffer.byteLength(String(one)) / NEEDLE_BYTES)
  return needles.reduce((all, one) => all + readings + one, 0)
}
