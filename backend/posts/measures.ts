// How much there is of posts, counted or measured at most once in a while: what the prices of lists
// are made of (list-cost.ts).
import { LRUCache } from 'lru-cache'
import { LIST_MEASURES_SECONDS, LIST_PRICE_MAX_MS } from '#contract/limits.ts'
import { LIST_MEASURES_KEPT } from '#contract/server-limits.ts'
import type { Database } from '../database/schema.ts'
import { keptForAWhile } from '../process/kept-for-a-while.ts'
import { countAllLikes } from './likes-store.ts'
import {
  countAllPosts,
  countPostsOf,
  measureContent,
  measureOwn,
  measureTitle,
} from './measures-store.ts'
import { countTagged } from './tags-store.ts'

/** What there is; counted at most once in a while. */
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
  likesOf(userIds: string[]): Promise<number>
  /** How many posts have one of these tags, counted up to `most`. */
  tagged(keys: string[], most: number): Promise<number>
}

/** More posts than these cost too much whatever is in them: one takes a microsecond. */
export const MEASURED_MAX = LIST_PRICE_MAX_MS * 1000
/** Of so many posts the bodies are measured for one call. */
export const MEASURED_POSTS_MAX = 1000

export function makeMeasures(db: Database): Measures {
  return {
    posts: keptMeasure(() => countAllPosts(db)),
    likes: keptMeasure(() => countAllLikes(db)),
    bodyBytes: keptMeasure(() => measureContent(db, { postsMax: MEASURED_MAX })),
    titleBytes: keptMeasure(() => measureTitle(db, { postsMax: MEASURED_MAX })),
    ownBytes: keptMeasure(() => measureOwn(db, { postsMax: MEASURED_MAX })),
    bodyBytesOf: (userIds) => measureContent(db, { postsMax: MEASURED_POSTS_MAX, userIds }),
    postsOf: keptForEach((userIds) => countPostsOf(db, { userIds, postsMax: MEASURED_MAX })),
    likesOf: (userIds) => countAllLikes(db, userIds),
    tagged: (keys, most) => countTagged(db, keys, most),
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
