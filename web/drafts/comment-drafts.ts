// Drafts of comments: stored on this device until they are sent or discarded.
import { findStored, findStoredKeys, store } from '../head/device-storage.ts'

const PREFIX = 'comment/'

/**
 * What a comment is written for. `parentId` is empty for a comment on the post, the id of a comment
 * for a reply to it, and `edit/` with the id of a comment for an edit of it.
 */
export type CommentTarget = { userId: string; postId: string; parentId: string }
/**
 * `id` is set by the first attempt to send the comment, so that a second attempt creates no second
 * comment. With `waitsSinceMs`, the comment waits to be sent as soon as there is a connection.
 */
export type CommentDraft = { text: string; id?: string; waitsSinceMs?: number }

export function findCommentDraft(target: CommentTarget): CommentDraft | undefined {
  try {
    const draft: unknown = JSON.parse(findStored(keyOf(target)) ?? 'null')
    const isValid = typeof Reflect.get(Object(draft), 'text') === 'string'
    return isValid ? (draft as CommentDraft) : undefined
  } catch {
    return undefined
  }
}

/** @param draft if its text is empty, the stored draft is deleted */
export function writeCommentDraft(target: CommentTarget, draft: CommentDraft): void {
  store(keyOf(target), draft.text ? JSON.stringify(draft) : undefined)
}

/** Deletes all comment drafts of a user whose account is deleted. */
export function deleteCommentDrafts(userId: string): void {
  for (const key of findStoredKeys(`${PREFIX}${userId}/`)) store(key, undefined)
}

function keyOf({ userId, postId, parentId }: CommentTarget): string {
  return `${PREFIX}${userId}/${postId}/${parentId}`
}
