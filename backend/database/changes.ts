// What a transaction has changed, told to whoever listens once it is committed, each change once.
// On PostgreSQL other processes hear of it, too: see change-log.ts. Knows no receiver.
import type { Database, PostRow } from './schema.ts'

/** Who may see a post, as it was when the change was made. */
export type PostAccess = Pick<PostRow, 'userId' | 'status' | 'readers' | 'isHidden'> & {
  isAuthorBlocked: number
}

/**
 * `payload` is what the answer of the call had. Of a created or changed post it is undefined where
 * another process made the change: then the post is read again.
 */
export type Change =
  | {
      kind: 'post'
      action: 'create' | 'update' | 'delete'
      id: string
      payload: object | undefined
      access: PostAccess
      /** Whether guests see it, or saw it before; false for likes. */
      isPublic: boolean
      /** Somebody's like came or went: all else is as it was. */
      isLike?: boolean
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

/** Changes arrive one after the other; the next one waits until this one is done. */
export type Hear = {
  change(change: Change): void | Promise<void>
  /** Changes were missed, and cannot be found again. */
  missed(): void
}

const announced = new WeakMap<Database, Change[]>()

/** Where the changes of a transaction are gathered; inTransaction asks for it. */
export function gatherChanges(tx: Database): Change[] {
  const changes: Change[] = []
  announced.set(tx, changes)
  return changes
}

export function isGathering(tx: Database): boolean {
  return announced.has(tx)
}

/** Says what a transaction changes. Nothing is heard of it if it fails. */
export function announce(tx: Database, ...changes: Change[]): void {
  const gathered = announced.get(tx)
  if (!gathered) throw new Error('A change was announced outside a transaction')
  gathered.push(...changes)
}
