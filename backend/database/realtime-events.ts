// What is published when a transaction has committed: for open sockets, in this process and others.
// Nobody's right depends on an event, which may be lost (decision 0063).
import type { PostRow } from './schema.ts'

/** Who may see a post, as it was when the change was made. */
export type PostAccess = Pick<PostRow, 'userId' | 'status' | 'readers' | 'isHidden'> & {
  isAuthorBlocked: number
}

/**
 * `payload` is what the answer of the call had. It is undefined for a post that another process has
 * created or changed: then the post is read again.
 */
export type RealtimeEvent =
  | {
      kind: 'post'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: object | undefined
      access: PostAccess
    }
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
