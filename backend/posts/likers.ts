// Who likes a post, as answers list it: the oldest likes, and the viewer's own. Knows no SQL.
import type { PostDocument } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import { findLikedBy, findOldest } from './likes-store.ts'

/** The oldest likes first, as many as `idsMax` of each post. Posts without a like are absent. */
export async function findLikers(
  db: Database,
  posts: readonly { id: string; likes: number }[],
  idsMax: number,
): Promise<Map<string, string[]>> {
  const ids = posts.flatMap(({ id, likes }) => (likes > 0 ? [id] : []))
  return ids.length === 0 ? new Map() : findOldest(db, ids, idsMax)
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
  const ids = cut.map(({ $id }) => String($id))
  const liked = await findLikedBy(db, userId, ids)
  const added = new Set(cut.filter(({ $id }) => liked.has(String($id))))
  return documents.map((one) => (added.has(one) ? withLiker(one, userId) : one))
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
