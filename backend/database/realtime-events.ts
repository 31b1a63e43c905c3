// What is published when a transaction has committed: for open sockets, in this process and others.
// Nobody's right depends on an event, which may be lost (decision 0063).
import type { PostRow } from './schema.ts'

/** Who may see a post, as it was when the change was made. */
export type PostAccess = Pick<PostRow, 'userId' | 'status' | 'readers' | 'isHidden'> & {
  isAuthorBlocked: number
}

/**
 * `payload` is the post of the call's response. It is undefined for a post that another process has
 * created or changed: then the post is read again.
 */
export type PostEvent = {
  kind: 'post'
  /** `publish` follows an `update` after which others can read the post. */
  action: 'create' | 'update' | 'delete' | 'publish'
  id: string
  payload: object | undefined
  access: PostAccess
}

export type RealtimeEvent =
  | PostEvent
  /** Some readers can no longer read the post; `access` says who could before the change. */
  | { kind: 'post'; action: 'unpublish'; id: string; payload: { $id: string }; access: PostAccess }
  | {
      kind: 'comment'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: { content: string }
      /** Of its post. */
      access: PostAccess
      postId: string
      /** Null when the account is gone. */
      writerId: string | null
      /** Sent to all who may read the post; else to its writer and those who moderate. */
      isOpen: boolean
    }
  | {
      kind: 'file'
      action: 'create' | 'update' | 'delete'
      bucketId: string
      id: string
      /** Null for the API key. */
      ownerId: string | null
      payload: object
    }
  /** `name` is the end of the event's name, as `update.prefs` or `sessions.ID.delete`. */
  | { kind: 'account'; userId: string; name: string; payload: object }
  /** What a person may do is different, or some of their sessions have ended. */
  | { kind: 'access'; userId: string }
