// What the page of a post names besides it: the posts next to it by date, and others of its author.
// Each is found by one step in an index (decision 0048).

import type { PostsAround } from '#contract/posts.ts'
import { readerGroups, type Viewer } from '../http/viewer.ts'
import { readVisible } from './access.ts'
import { findAuthor } from './authors.ts'
import { findNextTo, findSeqs, newestFirst, readListed } from './found-posts-store.ts'
import type { PostNeeds } from './needs.ts'
import { toDocuments } from './post-answers.ts'
import type { PostScope } from './post-scope-store.ts'
import type * as store from './store.ts'

/** Of the author, named after a post. */
const OTHER_POSTS = 3

/**
 * Only what is in the feed: drafts of one's own stay out.
 *
 * @throws Refusal `document_not_found`, also when the viewer may not read the post
 */
export async function readAround(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
): Promise<PostsAround> {
  const { db, contentBucketId } = needs
  const { userId } = await readVisible(db, viewer, id, { hasContent: false })
  const scope: PostScope = { readers: readerGroups(viewer), ownerId: undefined }
  const byAuthor = newestFirst({
    filters: [{ method: 'equal', attribute: 'userid', values: [userId] }],
    limit: OTHER_POSTS + 1,
  })
  const found = await readListed(
    db,
    {
      seqs: await findSeqs(db, { query: byAuthor, scope }),
      ...{ scope, hasContent: false, imageBucketId: contentBucketId },
      color: { bucketId: contentBucketId, readers: 'any' },
    },
    Number.POSITIVE_INFINITY,
  )
  const rows = found.filter((row) => row.id !== id).slice(0, OTHER_POSTS)
  const others = await toDocuments(needs, db, viewer, rows, {
    ...{ hasLikeIds: false, hasTags: false },
  })
  const author = await findAuthor(needs, userId)
  return {
    about: author?.about ?? '',
    previous: toAdjacent(await findNextTo(db, id, { direction: 'after', scope })),
    next: toAdjacent(await findNextTo(db, id, { direction: 'before', scope })),
    others: others.map(({ $id, $createdAt, title, ownImage = '', imageColor = '' }, at) => ({
      $id,
      $createdAt,
      title: rows[at]?.title ?? title,
      featuredImage: ownImage,
      imageColor,
    })),
  }
}

function toAdjacent(row: Pick<store.PostRow, 'id' | 'title'> | undefined): PostsAround['previous'] {
  return row ? { $id: row.id, title: row.title } : null
}
