// Comments begun on this device: stored until they are sent or discarded.
import { findStored, findStoredKeys, store } from '../head/device-storage.ts'

const PREFIX = 'comment/'

/**
 * Where a comment is written. `parentId` is empty below the post, the id of a comment below that
 * comment, and `edit/` with the id of a comment that is being changed.
 */
export type CommentPlace = { userId: string; postId: string; parentId: string }
/**
 * `id` is that of the comment after the first attempt to send it, so that a second attempt creates
 * no second comment. `waitsSinceMs`: it is to be sent as soon as there is a connection.
 */
export type CommentDraft = { text: string; id?: string; waitsSinceMs?: number }

export function findCommentDraft(place: CommentPlace): CommentDraft | undefined {
  try {
    const draft: unknown = JSON.parse(findStored(keyOf(place)) ?? 'null')
    const isValid = typeof Reflect.get(Object(draft), 'text') === 'string'
    return isValid ? (draft as CommentDraft) : undefined
  } catch {
    return undefined
  }
}

/** @param draft without a text the stored one is deleted */
export function writeCommentDraft(place: CommentPlace, draft: CommentDraft): void {
  store(keyOf(place), draft.text ? JSON.stringify(draft) : undefined)
}

/** Deletes all of this user, whose account is deleted. */
export function deleteCommentDrafts(userId: string): void {
  for (const key of findStoredKeys(`${PREFIX}${userId}/`)) store(key, undefined)
}

function keyOf({ userId, postId, parentId }: CommentPlace): string {
  return `${PREFIX}${userId}/${postId}/${parentId}`
}
