// Removes a post that an import has made, when the import is undone: for good, because the export
// still has it. A post that somebody has changed, or commented on, stays.
import type { Database } from '../database/schema.ts'
import { type AfterCommit, lockUser } from '../database/transaction.ts'
import { setPostFiles } from '../files/files.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { lockPost } from '../post-texts/post-texts-store.ts'
import { digestOfPost } from '../posts/new-post.ts'
import { deletePost, findPost } from '../posts/store.ts'
import { sweepDiscussionsAfterCommit } from '../versions/orphaned-discussions.ts'
import { hasCommentOfUser } from './store.ts'

/** @param digest of the post as it was imported. @returns whether it is gone */
export async function removeImportedPost(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { id, digest }: { id: string; digest: string },
): Promise<boolean> {
  const unlocked = await findPost(tx, id, { hasContent: false })
  if (!unlocked) return true
  // Always locks the user before the post.
  await lockUser(tx, unlocked.userId)
  await lockPost(tx, { id })
  const post = await findPost(tx, id)
  if (!post) return true
  if (digestOfPost(post) !== digest || (await hasCommentOfUser(tx, id))) return false
  await setPostFiles(context, tx, afterCommit, {
    postId: id,
    ownerId: post.userId,
    fileIds: undefined,
  })
  await deletePost(tx, id)
  sweepDiscussionsAfterCommit(tx)
  return true
}
