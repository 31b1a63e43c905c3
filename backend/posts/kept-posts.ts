// Whole posts as answers show them, kept in memory for all who read them until something changes
// that they are made of. Whether a viewer may read one is decided anew each time. Knows no SQL.
import { LRUCache } from 'lru-cache'
import { LIKE_IDS_MAX } from '#contract/limits.ts'
import {
  KEPT_POST_MAX_BYTES,
  KEPT_POSTS_MAX_BYTES,
  KEPT_POSTS_MS,
} from '#contract/server-limits.ts'
import type { ChangedTopics, Topic } from '../database/topics.ts'
import { shareAnswer } from '../http/shared-answers.ts'
import type { Attributes } from './naming.ts'
import type { ShownPost } from './post-answers.ts'
import type { PostRow } from './store.ts'

/**
 * A post with its answers, which are never changed. No own like of a viewer is in them that is not
 * among the oldest (likers.ts).
 */
export type KeptPost = {
  /** With body and sizes. */
  row: PostRow
  contentBytes: number
  /** As lists show it. */
  listed?: ShownPost
  /** So many of those who like it may be in `listed`: fewer the longer the list was. */
  likeIds?: number
  /** As it is shown alone, its body cleaned again. */
  alone?: ShownPost
}

/** What is kept at the moment at which a read begins. */
export type KeptPosts = {
  find(seq: number): KeptPost | undefined
  findById(id: string): KeptPost | undefined
  /** Keeps what was read since this moment, unless it has changed meanwhile. */
  keep(post: KeptPost): void
}

type Entry = KeptPost & {
  declared: Attributes['declared']
  topics: ReadonlySet<Topic>
  mark: number
  untilMs: number
}

const ENTRY_BYTES = 4000
/** In the answers, and as bytes. */
const LIKE_BYTES = 200
/** In the row, in the answers, and as bytes. */
const COPIES_OF_BODY = 3

/** @returns undefined where nothing may be kept at the moment */
export function makeKeptPosts(
  changed: ChangedTopics,
  nowMs = () => performance.now(),
): (attributes: Attributes) => KeptPosts | undefined {
  const seqs = new Map<string, number>()
  const kept = new LRUCache<number, Entry>({
    maxSize: KEPT_POSTS_MAX_BYTES,
    sizeCalculation: ({ row, contentBytes }) =>
      ENTRY_BYTES + LIKE_BYTES * Math.min(row.likes, LIKE_IDS_MAX) + COPIES_OF_BODY * contentBytes,
    dispose: ({ row }, _seq, reason) => reason !== 'set' && seqs.delete(row.id),
  })
  return ({ declared }) => {
    if (!changed.isHearing()) return undefined
    const [mark, atMs] = [changed.mark(), nowMs()]
    const find = (seq: number): KeptPost | undefined => {
      const entry = kept.get(seq)
      if (!entry || entry.declared !== declared || atMs > entry.untilMs) return undefined
      if (changed.hasChanged(entry.mark, entry.topics)) return undefined
      return entry
    }
    return {
      find,
      findById(id) {
        const seq = seqs.get(id)
        return seq === undefined ? undefined : find(seq)
      },
      keep(post) {
        const { row, contentBytes, listed, alone } = post
        if (contentBytes > KEPT_POST_MAX_BYTES) return
        const topics = new Set<Topic>([`post:${row.id}`, `person:${row.userId}`])
        if (changed.hasChanged(mark, topics)) return
        for (const answer of [listed, alone]) if (answer) shareAnswer(answer)
        const seq = Number(row.seq)
        kept.set(seq, { ...post, declared, topics, mark, untilMs: atMs + KEPT_POSTS_MS })
        seqs.set(row.id, seq)
      },
    }
  }
}
