// Bounds the posts that a list may scan: a page of an index, or the few posts that a condition
// leaves (decision 0083).
import { Refusal } from '#contract/errors.ts'
import { type ListQuery, type PlainFilter, plainFilters } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { type AccessPath, accessPathsOf, isFullText } from './list-access-paths.ts'
import {
  countCandidates,
  countPostsWithWords,
  type ScopedQuery,
  sumCandidateBytes,
} from './post-list-store.ts'

export const LIST_POSTS_MAX = 2000
/**
 * Bytes of bodies that a list may read; each body counts once for every value it is compared with.
 */
const BODIES_MAX_BYTES = 8 * 1024 * 1024

/** Up to this many comparisons take a few milliseconds; a list with more is a scan. */
const SCAN_FROM_COMPARISONS = 1000

/** `isScan`: the list reads many posts one by one. */
export type BoundedList = ScopedQuery & { path: AccessPath; isScan: boolean }

/**
 * The access path of a list: an index in the requested order, else the first that narrows it down.
 *
 * @param isBounded false for the API key
 * @throws Refusal `general_argument_invalid` when it would read too many posts
 * @source api.md §15.4
 */
export async function boundList(
  db: Database,
  list: ScopedQuery,
  isBounded: boolean,
): Promise<BoundedList> {
  if (isBounded) await refuseFrequentWords(db, list.query)
  const paths = accessPathsOf(list.query)
  const path = paths.find(({ isInOrder }) => isInOrder) ?? paths[0]
  if (!path) throw new Error('A list has no access path')
  const postCount = await countCandidates(db, { ...list, path }, LIST_POSTS_MAX + 1)
  if (isBounded && postCount > LIST_POSTS_MAX) throw tooExpensive('or ask for fewer values')
  const bodyReads = postCount > 0 ? countBodyReads(list.query) : 0
  if (isBounded && bodyReads > 0) await refuseLongBodies(db, { ...list, path }, bodyReads)
  const comparisons = postCount * (1 + countValues(list.query))
  return { ...list, path, isScan: bodyReads > 0 || comparisons > SCAN_FROM_COMPARISONS }
}

function countValues({ filters }: ListQuery): number {
  return plainFilters(filters).reduce((sum, filter) => sum + countValuesIn(filter), 0)
}

function countValuesIn(filter: PlainFilter): number {
  return 'values' in filter ? filter.values.length : 1
}

/** How many times each whole body is read. */
function countBodyReads({ filters, order }: ListQuery): number {
  const compared = plainFilters(filters)
    .filter((filter) => filter.attribute === 'content' && !isFullText(filter))
    .map(countValuesIn)
  const ordered = order.filter(({ attribute }) => attribute === 'content').map(() => 1)
  return [...compared, ...ordered].reduce((sum, reads) => sum + reads, 0)
}

async function refuseFrequentWords(db: Database, { filters }: ListQuery): Promise<void> {
  for (const filter of plainFilters(filters))
    if (
      isFullText(filter) &&
      (await countPostsWithWords(db, filter, LIST_POSTS_MAX + 1)) > LIST_POSTS_MAX
    )
      throw tooExpensive('or search for rarer words')
}

async function refuseLongBodies(db: Database, list: ScopedQuery, bodyReads: number): Promise<void> {
  const bytes = await sumCandidateBytes(db, list, LIST_POSTS_MAX)
  if (bytes * bodyReads > BODIES_MAX_BYTES) throw tooExpensive('or ask for fewer values')
}

function tooExpensive(alternative: string): Refusal {
  return new Refusal(
    'general_argument_invalid',
    `Invalid query: That goes through more than ${LIST_POSTS_MAX} posts, or too much text. Narrow it down by $id, userid, tags, likeId or a range of $createdAt, ${alternative}.`,
  )
}
