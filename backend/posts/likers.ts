// Who likes a post, as answers list it. Long lists are kept in memory: the oldest likes hardly ever
// change, and the database says by a mark whether they have. Knows no SQL.
import { LRUCache } from 'lru-cache'
import { LIKE_IDS_MAX, LIST_LIKE_IDS_MAX } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { KEPT_LIKERS_MAX } from '#contract/server-limits.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import { findLikedBy, findMarks, findOldest, type Likers } from './likes-store.ts'

type Liked = { id: string; likes: number }

export type KeptLikers = {
  /**
   * Who likes some posts, the oldest likes first, as many as `idsMax` of each. Posts without a like
   * are absent.
   */
  find(db: Database, posts: readonly Liked[], idsMax: number): Promise<Map<string, string[]>>
  /** Reads those of a post before a transaction needs them: what it reads is not kept. */
  prepare(db: Database, post: Liked): Promise<void>
}

/** Shorter lists are read faster than their marks. */
const KEPT_FROM = 200
/** So many more are not read to be kept: they would be more than a list may show. */
const READ_AT_ONCE_MAX = LIST_LIKE_IDS_MAX / LIKE_IDS_MAX

export function makeKeptLikers(): KeptLikers {
  const kept = new LRUCache<string, Likers>({ max: KEPT_LIKERS_MAX })

  async function findKept(db: Database, posts: readonly Liked[]): Promise<Likers[]> {
    const known = posts.filter(({ id, likes }) => likes > KEPT_FROM && kept.has(id))
    if (known.length === 0) return []
    const ids = known.map(({ id }) => id)
    const marks = await findMarks(db, ids, LIKE_IDS_MAX)
    return ids.flatMap((id) => {
      const likers = kept.get(id)
      return likers && likers.mark === marks.get(id) ? [likers] : []
    })
  }

  /** A like that its transaction takes back leaves its number, and so its mark, to another one. */
  function keep(db: Database, all: readonly Likers[]): void {
    if (db.isTransaction) return
    for (const likers of all) if (likers.ids.length > KEPT_FROM) kept.set(likers.id, likers)
  }

  async function find(db: Database, posts: readonly Liked[], idsMax: number) {
    const found = await findKept(db, posts)
    const known = new Set(found.map(({ id }) => id))
    const missing = posts.filter(({ id, likes }) => likes > 0 && !known.has(id))
    const long = missing.filter(({ likes }) => likes > KEPT_FROM)
    const isKept = long.length <= READ_AT_ONCE_MAX && !db.isTransaction
    const whole = isKept ? long : []
    const rest = isKept ? missing.filter(({ likes }) => likes <= KEPT_FROM) : missing
    for (const [some, max] of [
      [whole, LIKE_IDS_MAX],
      [rest, idsMax],
    ] as const)
      if (some.length > 0)
        found.push(
          ...(await findOldest(
            db,
            some.map(({ id }) => id),
            max,
          )),
        )
    if (isKept) keep(db, found)
    return new Map(
      found.map(({ id, ids }) => [id, ids.length > idsMax ? ids.slice(0, idsMax) : ids]),
    )
  }

  return {
    find,
    async prepare(db, post) {
      if (post.likes > KEPT_FROM && !kept.has(post.id)) await find(db, [post], LIKE_IDS_MAX)
    },
  }
}

/**
 * Adds the viewer's own like, at the end, where it is not among the oldest.
 *
 * @returns the documents, those it is added to as copies
 */
export async function withOwnLikes<Document extends Partial<PostDocument>>(
  db: Database,
  viewer: Viewer,
  documents: Document[],
): Promise<Document[]> {
  if (viewer.role !== 'user') return documents
  const { userId } = viewer
  const isCut = ({ like = 0, likeId = [] }: Document) => like > likeId.length
  const cut = documents.filter((one) => isCut(one) && !one.likeId?.includes(userId))
  if (cut.length === 0) return documents
  const liked = await findLikedBy(
    db,
    userId,
    cut.map(({ $id }) => String($id)),
  )
  return documents.map((one) =>
    cut.includes(one) && liked.has(String(one.$id)) ? withLiker(one, userId) : one,
  )
}

/** The list may stand under other names, too. */
function withLiker<Document extends Partial<PostDocument>>(
  document: Document,
  userId: string,
): Document {
  const { likeId = [] } = document
  const longer = [...likeId, userId]
  const values = Object.entries(document).map(([name, value]) => [
    name,
    value === likeId ? longer : value,
  ])
  return Object.fromEntries(values) as Document
}
