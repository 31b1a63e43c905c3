// Events that are published after a commit to open sockets of all processes. They may be lost: no
// right depends on them (decision 0063).
import type { PostRow } from './schema.ts'

/** The access to a post at the time of the change. */
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
      /** The access to its post. */
      access: PostAccess
      postId: string
      /** Null when the account is gone. */
      writerId: string | null
      /** True: sent to everybody who may read the post. False: to the writer and moderators. */
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
  /**
   * `name` is the last part of the event's name, such as `update.prefs` or `sessions.ID.delete`.
   */
  | { kind: 'account'; userId: string; name: string; payload: object }
  /** The rights of a person have changed, or some of their sessions have ended. */
  | { kind: 'access'; userId: string }
