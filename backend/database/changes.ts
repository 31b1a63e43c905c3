// What a transaction has changed, told to whoever listens in this process once it is committed,
// each change once. Other processes hear of it by change-messages.ts. Knows no receiver.
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

type Listener = (changes: Change[]) => void
const listeners = new WeakMap<Database, Listener[]>()

/** Hears what this process changes, after each commit and before its call is answered. */
export function hearOwnChanges(db: Database, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

export function tellOwnChanges(db: Database, changes: Change[]): void {
  if (changes.length === 0) return
  for (const listener of listeners.get(db) ?? []) listener(changes)
}
