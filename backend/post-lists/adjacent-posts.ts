// The author of a post, the posts before and after it, and other posts of its author.
import type { Author } from '#contract/authors.ts'
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { AdjacentPosts, PostDocument } from '#contract/posts.ts'
import { findUserRow, isPubliclyVisible } from '../accounts/users.ts'
import { countRows } from '../database/list-query.ts'
import type { Filter } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from '../database/visible-posts.ts'
import { readerGroups, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readableBy, readVisible } from '../posts/access.ts'
import { findPublicAvatar } from '../posts/optional-columns-store.ts'
import { parseDetails } from '../posts/post-details.ts'
import { optionalColumnsFor } from '../posts/read-post.ts'
import type { PostRow } from '../posts/store.ts'
import { findAdjacent, findSeqs, newestFirst, readBySeqs, toListCall } from './post-list-store.ts'

/**
 * An author, and the number of posts that the author's page lists for this viewer.
 *
 * @throws Refusal `user_not_found`
 */
export async function readAuthor(
  context: PostsContext,
  viewer: Viewer,
  userId: string,
): Promise<Author> {
  const author = await findAuthor(context, userId)
  if (!author) throw new Refusal('user_not_found')
  const filters: Filter[] = [
    { method: 'equal', attribute: 'userid', values: [userId] },
    { method: 'equal', attribute: 'status', values: ['active'] },
  ]
  const list = { query: newestFirst({ filters, limit: 1 }), scope: readableBy(viewer) }
  return { ...author, posts: await countRows(context.db, toListCall(context.db, list)) }
}

/** The public data of an author. */
export type VisibleAuthor = Omit<Author, 'posts'>

/** @returns undefined for a missing or blocked user */
export async function findAuthor(
  { db, avatarBucketId }: { db: Database; avatarBucketId: string },
  userId: string,
): Promise<VisibleAuthor | undefined> {
  const user = await findUserRow(db, userId)
  if (!user || !isPubliclyVisible(user)) return undefined
  return {
    $id: user.id,
    $createdAt: wireTime(user.createdAt),
    name: user.name,
    about: user.about,
    avatar: await findPublicAvatar(db, userId, avatarBucketId),
  }
}

/** Other posts by the author that the page of a post lists. */
const OTHER_POSTS = 3

/**
 * The posts around a post: only those of the feed, not the viewer's drafts.
 *
 * @throws Refusal `document_not_found`, also when the viewer may not read the post
 */
export async function readAdjacentPosts(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<{ around: AdjacentPosts; authorId: string }> {
  const { db } = context
  const { seq, userId, createdAt } = await readVisible(db, viewer, id, { hasContent: false })
  const readers = readerGroups(viewer)
  const scope: PostScope = { readers, ownerId: undefined }
  const older = await findAdjacent(db, { createdAt, seq }, { readers, direction: 'after' })
  const newer = await findAdjacent(db, { createdAt, seq }, { readers, direction: 'before' })
  const filters: Filter[] = [{ method: 'equal', attribute: 'userid', values: [userId] }]
  const query = newestFirst({ filters, limit: OTHER_POSTS + 1 })
  const byAuthor = await findSeqs(db, { query, scope })
  const adjacent = [...older.rows, ...newer.rows].map((row) => row.seq)
  const rows = await readBySeqs(db, [...new Set([...byAuthor, ...adjacent])], {
    scope,
    optional: optionalColumnsFor(context, viewer, ['ownImage', 'imageColor']),
  })
  const toLink = ([adjacentRow]: { seq: number }[]): AdjacentPosts['previous'] => {
    const row = rows.find(({ seq }) => seq === adjacentRow?.seq)
    return row ? { $id: row.id, title: row.title, ...addressOf(row) } : null
  }
  const others = rows.filter((row) => row.id !== id && byAuthor.includes(row.seq))
  const user = await findUserRow(db, userId)
  const around = {
    about: user && isPubliclyVisible(user) ? user.about : '',
    previous: toLink(older.rows),
    next: toLink(newer.rows),
    others: others.slice(0, OTHER_POSTS).map((row) => ({
      $id: row.id,
      $createdAt: wireTime(row.createdAt),
      title: row.title,
      ...addressOf(row),
      featuredImage: row.ownImage ?? '',
      imageColor: row.imageColor ?? '',
    })),
  }
  return { around, authorId: userId }
}

/** The words in the post's URL that its author has chosen, if any. */
function addressOf({ details }: PostRow): Pick<PostDocument, 'addressWords'> {
  const { addressWords } = parseDetails(details)
  return addressWords === undefined ? {} : { addressWords }
}
