// How much there is of posts, counted or measured at most once in a while: what the prices of lists
// are made of (list-cost.ts).
import { LRUCache } from 'lru-cache'
import { TOTAL_MAX } from '#contract/limits.ts'
import type { Filter, ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { keptForAWhile } from '../process/single-flight.ts'
import { countFound } from './found-posts-store.ts'
import * as store from './measures-store.ts'
import { countTagged } from './tags-store.ts'

/**
 * What one list of posts may cost, as backend/posts/list-cost.ts estimates it: milliseconds of a
 * machine with two cores. No bound for the API key.
 */
export const LIST_PRICE_MAX_MS = 100
/** How long the sizes that prices are made of are kept. */
const LIST_MEASURES_SECONDS = 60
/** Of so many lists of authors the number of posts is kept, for the prices of lists. */
const LIST_MEASURES_KEPT = 1000

/** What there is; counted at most once in a while. None of it goes through all posts. */
export type Measures = {
  posts(): Promise<number>
  likes(): Promise<number>
  bodyBytes(): Promise<number>
  /** Of one title, on average. */
  titleBytes(): Promise<number>
  /** Of the attributes that are no role. */
  ownBytes(): Promise<number>
  bodyBytesOf(userIds: string[]): Promise<number>
  postsOf(userIds: string[]): Promise<number>
  /** Posts of a person that nobody else can see. */
  unshownOf(userId: string): Promise<number>
  likesOf(userIds: string[]): Promise<number>
  /** How many posts have one of these tags. */
  tagged(keys: string[]): Promise<number>
  /** How many posts are in a range of an index; infinite for more than a list counts. */
  inRange(ranges: Filter[]): Promise<number>
}

/** More posts than these cost too much whatever is in them: one takes a microsecond. */
const MEASURED_MAX = LIST_PRICE_MAX_MS * 1000
/** Of so many posts the bodies are measured for one call. */
export const MEASURED_POSTS_MAX = 1000
/** Of so many posts the size of a title, and of what is no role, is an average. */
const SAMPLED_POSTS = 10_000

export function makeMeasures(db: Database): Measures {
  const posts = keptMeasure(() => store.countAll(db, 'post', MEASURED_MAX))
  return {
    posts,
    likes: keptMeasure(() => store.countAll(db, 'postLike', MEASURED_MAX)),
    bodyBytes: keptMeasure(async () => {
      if ((await posts()) > MEASURED_MAX) return Number.POSITIVE_INFINITY
      return store.measureContent(db, { postsMax: MEASURED_MAX, bytesMax: MEASURED_MAX_BYTES })
    }),
    titleBytes: keptMeasure(() => store.measureTitle(db, { postsMax: SAMPLED_POSTS })),
    ownBytes: keptMeasure(async () =>
      store.measureOwn(db, { postsMax: SAMPLED_POSTS, posts: await posts() }),
    ),
    bodyBytesOf: (userIds) => store.measureContentOf(db, userIds, MEASURED_POSTS_MAX),
    postsOf: keptForEach((userIds) => store.countPostsOf(db, { userIds, postsMax: MEASURED_MAX })),
    unshownOf: keptForOne((userId) => store.countUnshownOf(db, userId, MEASURED_MAX)),
    likesOf: keptForEach((userIds) => store.countLikesOf(db, userIds, MEASURED_MAX)),
    tagged: keptForEach((keys) => countTagged(db, keys, MEASURED_MAX)),
    async inRange(ranges) {
      const counted = await countFound(db, { query: listOf(ranges), scope: 'all' })
      return counted < TOTAL_MAX ? counted : Number.POSITIVE_INFINITY
    },
  }
}

/** Bodies of this size together cost too much however few they are (list-cost.ts). */
const MEASURED_MAX_BYTES = LIST_PRICE_MAX_MS * 1000 * 1000

function listOf(filters: Filter[]): ListQuery {
  return {
    ...{ filters, order: [], isRandom: false, limit: 1, offset: 0 },
    ...{ cursor: undefined, select: undefined },
  }
}

/** Counted at most once in a while. */
export function keptMeasure(read: () => Promise<number>): () => Promise<number> {
  return keptForAWhile(read, { seconds: LIST_MEASURES_SECONDS })
}

/** The same for each of these lists of ids, those asked for last. */
function keptForEach(read: (ids: string[]) => Promise<number>): (ids: string[]) => Promise<number> {
  const lists = new LRUCache<string, () => Promise<number>>({ max: LIST_MEASURES_KEPT })
  return (ids) => {
    const key = JSON.stringify(ids.toSorted())
    const known = lists.get(key) ?? keptMeasure(() => read(ids))
    lists.set(key, known)
    return known()
  }
}

function keptForOne(read: (id: string) => Promise<number>): (id: string) => Promise<number> {
  const find = keptForEach(([id = '']) => read(id))
  return (id) => find([id])
}
