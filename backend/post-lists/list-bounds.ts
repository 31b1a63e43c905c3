// How much one list of posts may go through: a page of an index, or the few posts that a condition
// leaves (decision 0083).
import { Refusal } from '#contract/errors.ts'
import { type ListQuery, plainFilters } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { type AccessPath, accessPathsOf, isOfWords } from './list-access-paths.ts'
import { countCandidates, countWords, type ScopedQuery, sizeCandidates } from './post-list-store.ts'

export const LIST_POSTS_MAX = 2000
/** Of bodies that are read whole, once for each value they are compared with. */
const BODIES_MAX_BYTES = 8 * 1024 * 1024

/** `isScan`: it goes through posts one by one. */
export type BoundedList = ScopedQuery & { path: AccessPath; isScan: boolean }

/**
 * The access path of a list: an index in the requested order, else the first that narrows it down.
 *
 * @param isBounded false for the API key
 * @throws Refusal `general_argument_invalid` when it goes through too many posts
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
  const posts = await countCandidates(db, { ...list, path }, LIST_POSTS_MAX + 1)
  if (isBounded && posts > LIST_POSTS_MAX) throw tooMuch('or ask for fewer values')
  if (isBounded && posts > 0) await refuseLongBodies(db, { ...list, path })
  return { ...list, path, isScan: posts > 0 }
}

async function refuseFrequentWords(db: Database, { filters }: ListQuery): Promise<void> {
  for (const filter of plainFilters(filters))
    if (isOfWords(filter) && (await countWords(db, filter, LIST_POSTS_MAX + 1)) > LIST_POSTS_MAX)
      throw tooMuch('or search for rarer words')
}

async function refuseLongBodies(db: Database, list: ScopedQuery): Promise<void> {
  const { filters, order } = list.query
  const compared = plainFilters(filters)
    .filter((filter) => filter.attribute === 'content' && !isOfWords(filter))
    .map((filter) => ('values' in filter ? filter.values.length : 1))
  const ordered = order.filter(({ attribute }) => attribute === 'content').map(() => 1)
  const readings = [...compared, ...ordered].reduce((sum, one) => sum + one, 0)
  if (readings === 0) return
  const bytes = await sizeCandidates(db, list, LIST_POSTS_MAX)
  if (bytes * readings > BODIES_MAX_BYTES) throw tooMuch('or ask for fewer values')
}

function tooMuch(or: string): Refusal {
  return new Refusal(
    'general_argument_invalid',
    `Invalid query: That goes through more than ${LIST_POSTS_MAX} posts, or too long ones. Narrow it down by $id, userid, tags, likeId or a range of $createdAt, ${or}.`,
  )
}
