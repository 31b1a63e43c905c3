// Reads one post for a viewer. Independent of HTTP; lists are in post-lists.

import { isSelected, readSelect } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { readerGroups, type UserViewer, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readBatches } from '../process/batches.ts'
import { can, isPage, readVisible } from './access.ts'
import { OPTIONAL_COLUMN_NAMES } from './optional-columns-store.ts'
import { POST_SCHEMA, readContent } from './post-data.ts'
import { parseDetails } from './post-details.ts'
import { type ShownPost, selectAttributes, toDocument, toDocuments } from './post-serialiser.ts'
import * as store from './store.ts'

/** Posts that only their author can read: all of these, or only active ones. */
export type PrivatePosts = 'active' | 'all'

/** Whether the viewer has posts that others cannot read. */
export async function hasPrivatePosts(
  db: Database,
  viewer: Viewer,
  kind: PrivatePosts,
): Promise<boolean> {
  if (viewer.role !== 'user') return false
  const { userId } = viewer
  const isActive = kind === 'active'
  return await store.hasPrivatePosts(db, { userId, readers: readerGroups(viewer), isActive })
}

export function likesPost(
  db: Database,
  like: { postId: string; userId: string },
): Promise<boolean> {
  return store.hasLike(db, like)
}

/**
 * Whether all users get the same answer: a truncated `likeId` ends with the viewer's own like.
 * Without `like` it is unknown whether the list is truncated.
 */
export function isSameForAll(documents: ShownPost[]): boolean {
  return documents.every(
    ({ like, likeId }) => !likeId || (like !== undefined && like <= likeId.length),
  )
}

/** What the address of a post is made of; undefined also when the viewer may not read it. */
export async function findPostAddress({ db }: PostsContext, viewer: Viewer, id: string) {
  const row = await store.findPost(db, id, { hasContent: false })
  if (!row || !can(viewer, 'read', row)) return undefined
  const { addressWords } = parseDetails(row.details)
  return { $id: row.id, title: row.title, addressWords, page: isPage(row) }
}

/** @throws Refusal `document_not_found`, also when the viewer may not read it */
export async function readPost(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  queries: string[] | undefined,
): Promise<{ post: ShownPost; authorId: string }> {
  const select = readSelect(queries, POST_SCHEMA)
  const isHighlighted = select?.includes('highlightedContent') === true
  const hasContent = isHighlighted || isSelected(select, 'content')
  const optional = optionalColumnsFor(context, viewer, select)
  const row = await readVisible(context.db, viewer, id, { optional, hasContent })
  const document = await toDocument(context, context.db, viewer, row, {
    hasLikeIds: isSelected(select, 'likeId'),
  })
  if (isHighlighted)
    document.highlightedContent = await context.postTexts.highlight(
      context.db,
      { postId: id, authorId: row.userId },
      document.content,
    )
  return { post: selectAttributes(document, row, select), authorId: row.userId }
}

/**
 * The highlighted form of an unsaved body.
 *
 * @throws Refusal `document_invalid_structure`
 */
export async function highlightUnsaved(
  { db, postTexts }: PostsContext,
  { userId }: Pick<UserViewer, 'userId'>,
  content: unknown,
): Promise<string> {
  const html = readContent(content, await postTexts.prepareSanitise(content, userId))
  return postTexts.highlight(db, { authorId: userId }, html)
}

/** The optional columns that `select` names. */
export function optionalColumnsFor(
  { contentBucketId, avatarBucketId }: PostsContext,
  viewer: Viewer,
  select: string[] = [],
): store.PostParts['optional'] {
  const names = OPTIONAL_COLUMN_NAMES.filter((name) => select.includes(name))
  if (names.length === 0) return undefined
  return { names, sources: { contentBucketId, avatarBucketId, readers: readerGroups(viewer) } }
}

/** Posts that are in memory at once during an export. */
const EXPORT_BATCH_SIZE = 10

/** All posts by the viewer, oldest first. */
export async function* streamPostsOf(context: PostsContext, viewer: UserViewer) {
  const { db } = context
  for await (const rows of readBatches<store.PostRow>(EXPORT_BATCH_SIZE, (page) =>
    store.listPostsOf(db, viewer.userId, page),
  ))
    yield* await toDocuments(context, db, viewer, rows)
}
