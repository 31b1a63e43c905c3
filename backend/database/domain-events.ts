// What happens to posts and comments, told to other rooms within the same transaction: what they
// write of it is there exactly when it happened. Who tells knows nothing of who hears.
import type { Prefs } from '#contract/accounts.ts'
import type { Database } from './schema.ts'
import { type After, afterOf, rootOf } from './transaction.ts'

/** Who did it; `user` with their name at that time. */
export type Doer = { role: 'guest' | 'key' } | { role: 'user'; userId: string; name: string }

type OfComment = {
  id: string
  /** Null when the account is gone. */
  writerId: string | null
  postId: string
  authorId: string
  /** Writer of the comment that this one replies to; null at the top level. */
  repliedToId: string | null
}

export type Happening =
  /** `waiting` needs approval; `isFirst`: nobody could read it before. */
  | (OfComment & { kind: 'comment'; is: 'waiting' | 'shown'; isFirst: boolean; by: Doer })
  | (OfComment & { kind: 'comment'; is: 'hidden'; isByAuthor: boolean; by: Doer })
  /** A person's prefs were replaced. */
  | { kind: 'prefs'; userId: string; prefs: Prefs }
  /** A person was blocked or unblocked. */
  | { kind: 'block'; userId: string; by: Doer }
  /** `reason`: words for the author, with `hidden`. */
  | {
      kind: 'post'
      is: 'hidden' | 'shown'
      id: string
      authorId: string
      reason?: string | undefined
      by: Doer
    }
  | { kind: 'like'; postId: string }
  /** An invitation was accepted, by who did it. */
  | { kind: 'joined'; invitationId: string; by: Doer & { role: 'user' } }
  /** The two of cases: `reason` is what the writer is told. */
  | { kind: 'reported'; caseId: string; postId: string; commentId: string; by: Doer }
  | {
      kind: 'reviewed'
      caseId: string
      postId: string
      commentId: string
      reporterIds: string[]
      by: Doer
    }

type Listener = (tx: Database, after: After, happening: Happening) => Promise<void>
const listeners = new WeakMap<Database, Listener[]>()

/** Hears of everything that happens in transactions of this database. Listeners come in order. */
export function hearHappenings(db: Database, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

/** In the transaction in which it happens; all that hear of it are done when it resolves. */
export async function happen(tx: Database, happening: Happening): Promise<void> {
  for (const listener of listeners.get(rootOf(tx)) ?? []) await listener(tx, afterOf(tx), happening)
}
