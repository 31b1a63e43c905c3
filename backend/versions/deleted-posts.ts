// Deleting posts, and restoring them within thirty days. Deleted posts are in tables of their own,
// so that no call about posts can find them. Independent of HTTP; SQL is in deleted-posts-store.ts.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import type { DeletedPost, DeletedPostList } from '#contract/versions.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/schema.ts'
import { type AfterCommit, inTransaction, lockUser } from '../database/transaction.ts'
import {
  listVersionFiles,
  releaseFilesOfPost,
  setPostFiles,
  setVersionFiles,
} from '../files/files.ts'
import { isOperator, type UserViewer, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { indexIfPending, storeDerivedTexts } from '../post-texts/post-texts-store.ts'
import { packTags, tagsAttribute, unpackTags } from '../post-texts/tags.ts'
import { replaceTags } from '../post-texts/tags-store.ts'
import {
  can,
  canModerate,
  isPage,
  lockVisible,
  MODERATOR,
  mayWritePages,
  readVisible,
  refuseBlocked,
  subjectOf,
} from '../posts/access.ts'
import type { PostUpdate } from '../posts/change-posts.ts'
import { refuseTooManyPages } from '../posts/pages.ts'
import { parseDetails } from '../posts/post-details.ts'
import { publishPostEvent } from '../posts/post-events.ts'
import { prepareCleanedBody } from '../posts/post-serialiser.ts'
import { recordFirstVersion } from '../posts/record-version.ts'
import { findFeaturedImage, listShownFiles } from '../posts/shown-files.ts'
import * as posts from '../posts/store.ts'
import * as versions from '../posts/versions-store.ts'
import { type Page, readBatches } from '../process/batches.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { makeId } from '../process/ids.ts'
import * as store from './deleted-posts-store.ts'
import { sweepDiscussionsAfterCommit } from './orphaned-discussions.ts'
import { deleteLikeBatchBy } from './orphaned-discussions-store.ts'

export { lockPostsOf } from '../posts/store.ts'

/** How long a deleted post can be restored. */
const RESTORABLE_SECONDS = 30 * 24 * 60 * 60
/** Expired deleted posts that a sweep reads at once. */
const SWEEP_BATCH_SIZE = 20
/** Likes by a user that are deleted in one transaction: each rewrites the row of another post. */
const LIKES_AT_ONCE = 20

/**
 * Moves a post, its likes and its versions to the deleted posts of its author. A post that an
 * operator or the API key removes is hidden when its author restores it. A post without an owner is
 * deleted for good.
 *
 * @throws Refusals of api.md §3.2 "DELETE"
 */
export async function removePost(
  context: PostsContext,
  actor: Viewer,
  id: string,
  { unlessNewerThan }: Pick<PostUpdate, 'unlessNewerThan'>,
): Promise<void> {
  const post = await posts.findPost(context.db, id)
  const isOwn = actor.role === 'user' && post?.userId === actor.userId
  const viewer = post && !isOwn && canModerate(actor, post) ? MODERATOR : actor
  const before = await readVisible(context.db, viewer, id)
  const cleanedBody = await prepareCleanedBody(context, before)
  await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const visible = await readVisible(tx, viewer, id)
    if (viewer === MODERATOR && !canModerate(actor, visible))
      throw new Refusal('document_not_found')
    if (!can(viewer, 'delete', visible)) throw new Refusal('user_unauthorized')
    // Always locks the user before the post.
    const owner = await lockUser(tx, visible.userId)
    if (owner?.isBlocked && viewer.role === 'user') throw new Refusal('user_blocked')
    const row = await lockVisible(tx, viewer, id, unlessNewerThan)
    await publishPostEvent(context, tx, viewer, {
      id,
      action: 'delete',
      post: { row, cleanedBody },
    })
    const isRemoved = viewer.role === 'key'
    if (isRemoved)
      await recordActivity(tx, actor, context.now(), {
        kind: 'posts',
        action: 'removed',
        subject: subjectOf(row),
      })
    if (owner)
      await storeDeleted(context, tx, row, {
        isHidden: (isRemoved && !isPage(row)) || row.isHidden === 1,
        isRemoved,
      })
    else sweepDiscussionsAfterCommit(tx)
    await setPostFiles(context, tx, afterCommit, {
      postId: id,
      ownerId: row.userId,
      fileIds: undefined,
    })
    if (!(await posts.deletePost(tx, id))) throw new Refusal('document_not_found')
  })
}

async function storeDeleted(
  context: PostsContext,
  tx: Database,
  row: posts.PostRow,
  { isHidden, isRemoved }: { isHidden: boolean; isRemoved: boolean },
): Promise<void> {
  const { now } = context
  const id = makeId(now().getTime())
  const deletedAt = now().toISOString()
  await store.copyToDeleted(tx, row, {
    id,
    deletedAt,
    isHidden: Number(isHidden),
    isRemoved: Number(isRemoved),
    tags: packTags(unpackTags(row.tags)),
  })
  // The newest version keeps the references to files that only extra attributes name.
  const newest = await recordFirstVersion(context, tx, row)
  const fileIds = await listShownFiles(context, tx, row)
  await setVersionFiles(context, tx, { versionId: newest.id, ownerId: row.userId, fileIds })
  await versions.moveToDeleted(tx, row.id, id)
  await store.moveDiscussionToDeleted(tx, row.id, id)
  await store.moveDetailsToDeleted(tx, row.id, id)
}

/** @throws Refusal `user_unauthorized` for a guest */
export async function listDeleted(
  context: PostsContext,
  viewer: Viewer,
  request: { userId: string | undefined; cursor: number | undefined; limit: number },
): Promise<DeletedPostList> {
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
  const { cursor: before, limit } = request
  const userId = viewer.role === 'user' ? viewer.userId : request.userId
  const scope = { userId, since: expiryCutoff(context), hasPages: mayWritePages(viewer) }
  const range = { before, limit: limit + 1, imageBucketId: context.contentBucketId }
  const rows = await store.listDeleted(context.db, scope, range)
  const page = rows.slice(0, limit)
  return {
    total: await store.countDeleted(context.db, scope, TOTAL_MAX),
    deleted: page.map(toDeleted),
    next: rows.length > limit ? String(page.at(-1)?.seq ?? '') : '',
  }
}

/**
 * Restores a deleted post as an inactive one, with its likes and versions; under a new id if its
 * author has reused the old one.
 *
 * @throws Refusal `document_not_found`, also for a post by another user; `user_blocked`
 */
export async function restoreDeleted(context: PostsContext, actor: Viewer, id: string) {
  const viewer = await moderatorOf(context, actor, id)
  const rebuilt = await prepareRestored(context, viewer, id)
  return inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const stored = await lockDeleted(context, tx, viewer, id)
    const inactive = { ...stored, status: 'inactive' }
    // An operator who restores a removed post undoes the removal, which had hidden it.
    const row = isOperator(actor) && viewer === MODERATOR ? { ...inactive, isHidden: 0 } : inactive
    if (viewer.role === 'key' && stored.isRemoved)
      await recordActivity(tx, actor, context.now(), {
        kind: 'posts',
        action: 'restored',
        subject: subjectOf({ id: row.postId, title: row.title }),
      })
    const yieldToEventLoop = makeYieldToEventLoop()
    const { postId, seq } = await insertRestored(context, tx, row)
    await yieldToEventLoop()
    if (rebuilt) {
      await indexIfPending(tx, seq, rebuilt.foldedWords)
      await storeDerivedTexts(tx, { postId, ...rebuilt.texts })
    }
    if (row.attributes !== '') await posts.saveExtras(tx, postId, row.attributes)
    await store.restoreDetails(tx, id, postId)
    await replaceTags(tx, postId, unpackTags(row.tags))
    await yieldToEventLoop()
    await store.restoreDiscussion(tx, id, postId)
    await yieldToEventLoop()
    await store.restoreReads(tx, id, { id: postId, userId: row.userId })
    await versions.moveToPost(tx, id, postId)
    const cover = await findFeaturedImage(context, tx, viewer, {
      fileId: row.featuredImage,
      ownerId: row.userId,
    })
    const shownFiles = { cover: cover ?? '', body: await listShownFiles(context, tx, row) }
    await setPostFiles(context, tx, afterCommit, {
      postId,
      ownerId: row.userId,
      fileIds: shownFiles,
    })
    await store.purgeDeleted(tx, id)
    return publishPostEvent(context, tx, viewer, { id: postId, action: 'create' })
  })
}

/** Operators may restore posts by others that an operator removed. */
async function moderatorOf({ db }: PostsContext, actor: Viewer, id: string): Promise<Viewer> {
  const deleted = isOperator(actor) ? await store.findDeleted(db, id) : undefined
  const isOwn = actor.role === 'user' && deleted?.userId === actor.userId
  return deleted?.isRemoved && !isOwn ? MODERATOR : actor
}

/** Derives the texts before the transaction; a deleted post cannot change meanwhile. */
async function prepareRestored({ db, postTexts }: PostsContext, viewer: Viewer, id: string) {
  const { content, userId = '' } = (await store.findDeleted(db, id)) ?? {}
  const isOwn = viewer.role === 'key' || (viewer.role === 'user' && viewer.userId === userId)
  if (content === undefined || !isOwn) return undefined
  return postTexts.rebuild(content, { authorId: userId })
}

async function insertRestored({ now }: PostsContext, tx: Database, row: store.DeletedRow) {
  if (isPage(row)) await refuseTooManyPages(tx)
  const { title, content, featuredImage, userId, permissions, readers, isHidden } = row
  const { createdAt, publishedAt, status } = row
  const updatedAt = now().toISOString()
  const post = {
    title,
    content,
    featuredImage,
    userId,
    permissions,
    readers,
    isHidden,
    createdAt,
    updatedAt,
    publishedAt,
    status,
  }
  const seq = await posts.insertPostUnlessTaken(tx, { ...post, id: row.postId })
  if (seq !== undefined) return { postId: row.postId, seq }
  const postId = makeId(now().getTime())
  return { postId, seq: await posts.insertPost(tx, { ...post, id: postId }) }
}

/**
 * Deletes a deleted post for good. Its comments and likes are deleted after the answer.
 *
 * @throws Refusal `document_not_found`, also for a post by another user; `user_blocked`
 */
export async function purgeDeleted(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const { userId } = await lockDeleted(context, tx, viewer, id)
    await purgeOne(context, tx, afterCommit, { id, userId })
  })
}

/** Posts by a user that are deleted in one transaction. */
const POSTS_AT_ONCE = 5

/**
 * Deletes one batch of a user's likes and posts, including deleted posts, if there are many.
 *
 * @returns whether the rest fits into one transaction
 */
export async function removePostBatchOf(tx: Database, userId: string): Promise<boolean> {
  if ((await deleteLikeBatchBy(tx, userId, LIKES_AT_ONCE)) === LIKES_AT_ONCE) return false
  const batch = await store.lockBatchOf(tx, userId, POSTS_AT_ONCE)
  const isFull = batch.posts.length === POSTS_AT_ONCE || batch.deleted.length === POSTS_AT_ONCE
  if (!isFull) return true
  await store.deleteBatch(tx, batch)
  sweepDiscussionsAfterCommit(tx)
  return false
}

/** Removes all posts by a user, also deleted ones, in the transaction that deletes the account. */
export async function removePostsOf(tx: Database, userId: string): Promise<void> {
  await posts.deletePostsOf(tx, userId)
  await store.purgeAllOf(tx, userId)
  sweepDiscussionsAfterCommit(tx)
}

/** Deletes expired deleted posts for good. */
export async function sweepDeleted(context: PostsContext): Promise<number> {
  for (let purged = 0; ; ) {
    const expired = await store.listExpired(context.db, expiryCutoff(context), SWEEP_BATCH_SIZE)
    if (expired.length === 0) return purged
    for (const row of expired) {
      const isPurged = await inTransaction(
        context.db,
        context.background,
        async (tx, afterCommit) => {
          await lockUser(tx, row.userId)
          return purgeOne(context, tx, afterCommit, row)
        },
      )
      purged += Number(isPurged)
    }
  }
}

/** The owner must be locked. @returns whether this call deleted the post */
async function purgeOne(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { id, userId }: Pick<store.DeletedRow, 'id' | 'userId'>,
): Promise<boolean> {
  const row = await store.findDeleted(tx, id)
  if (!row) return false
  const versionFiles = await listVersionFiles(tx, await versions.listVersionIdsOfDeleted(tx, id))
  if (!(await store.purgeDeleted(tx, id))) return false
  const fileIds = [...versionFiles, row.featuredImage].filter(Boolean)
  await releaseFilesOfPost(context, tx, afterCommit, { ownerId: userId, fileIds })
  sweepDiscussionsAfterCommit(tx)
  return true
}

/** Locks the owner, so that the second of two calls about the same deleted post finds none. */
async function lockDeleted(context: PostsContext, tx: Database, viewer: Viewer, id: string) {
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
  await refuseBlocked(tx, viewer)
  const unlocked = await store.findDeleted(tx, id)
  if (unlocked && viewer.role === 'key') await lockUser(tx, unlocked.userId)
  const row = unlocked && (await store.findDeleted(tx, id))
  const isOwn = row && (viewer.role === 'key' || row.userId === viewer.userId)
  const mayRestore = isOwn && (!isPage(row) || mayWritePages(viewer))
  if (!mayRestore || row.deletedAt <= expiryCutoff(context)) throw new Refusal('document_not_found')
  return row
}

/** Posts that were deleted at this time or earlier have expired. */
export function expiryCutoff({ now }: PostsContext): string {
  return new Date(now().getTime() - RESTORABLE_SECONDS * 1000).toISOString()
}

/** Deleted posts that are in memory at once during an export. */
const EXPORT_BATCH_SIZE = 10

/** The viewer's deleted posts with their texts, oldest first. */
export async function* streamDeletedOf(
  { db }: PostsContext,
  { userId }: UserViewer,
): AsyncIterable<DeletedPost & { content: string }> {
  const readBatch = (page: Page<store.DeletedRow>) => store.listDeletedOf(db, userId, page)
  for await (const rows of readBatches(EXPORT_BATCH_SIZE, readBatch))
    for (const row of rows)
      yield {
        ...tagsAttribute(row),
        ...parseDetails(row.details),
        ...toDeleted(row),
        content: row.content,
      }
}

/** The time until which a deleted post can be restored. */
export function restorableUntil({ deletedAt }: Pick<store.DeletedSummary, 'deletedAt'>): Date {
  return new Date(Date.parse(deletedAt) + RESTORABLE_SECONDS * 1000)
}

function toDeleted(row: store.DeletedSummary): DeletedPost {
  return {
    $id: row.id,
    postId: row.postId,
    title: row.title,
    featuredImage: row.featuredImage,
    ...(row.ownImage === undefined ? {} : { ownImage: row.ownImage }),
    userid: row.userId,
    status: row.status,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    publishedAt: row.publishedAt === '' ? null : wireTime(row.publishedAt),
    deletedAt: wireTime(row.deletedAt),
    expire: wireTime(restorableUntil(row)),
  }
}
