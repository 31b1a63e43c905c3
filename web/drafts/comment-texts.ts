// Comments begun on this device: kept until they are sent or thrown away.
import { findStored, findStoredKeys, store } from '../head/device-storage.ts'

const PREFIX = 'comment/'

/** Where it is written: below a post, or a comment on it, or in its place (`edit/` and its id). */
export type CommentPlace = { userId: string; postId: string; parentId: string }
/**
 * `id` is that of the comment once sending it was tried, so that a second try makes no second one;
 * `waitsSinceMs` says that it is to be sent when there is a connection.
 */
export type KeptComment = { text: string; id?: string; waitsSinceMs?: number }

export function findKeptComment(place: CommentPlace): KeptComment | undefined {
  try {
    const found: unknown = JSON.parse(findStored(keyOf(place)) ?? 'null')
    const isKept = typeof Reflect.get(Object(found), 'text') === 'string'
    return isKept ? (found as KeptComment) : undefined
  } catch {
    return undefined
  }
}

/** @param kept without a text it is forgotten */
export function keepComment(place: CommentPlace, kept: KeptComment): void {
  store(keyOf(place), kept.text ? JSON.stringify(kept) : undefined)
}

/** Their writer's account is deleted. */
export function forgetKeptComments(userId: string): void {
  for (const key of findStoredKeys(`${PREFIX}${userId}/`)) store(key, undefined)
}

function keyOf({ userId, postId, parentId }: CommentPlace): string {
  return `${PREFIX}${userId}/${postId}/${parentId}`
}
