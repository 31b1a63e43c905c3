// Domain events of posts, comments and accounts. Subscribers of other rooms write in the same
// transaction. The room that emits an event does not know its subscribers.
import type { Prefs } from '#contract/accounts.ts'
import type { PublishProblem } from '#contract/posts.ts'
import type { Database } from './schema.ts'
import { type AfterCommit, afterCommitOf, databaseOf } from './transaction.ts'

/** Who caused an event; a user with their name at that time. */
export type Actor = { role: 'guest' | 'key' } | { role: 'user'; userId: string; name: string }

type CommentEvent = {
  id: string
  /** Null when the account is gone. */
  writerId: string | null
  postId: string
  authorId: string
  /** Writer of the comment that this one replies to; null at the top level. */
  repliedToId: string | null
}

export type DomainEvent =
  /** `waiting` needs approval; `isFirst`: nobody could read it before. */
  | (CommentEvent & { kind: 'comment'; state: 'waiting' | 'shown'; isFirst: boolean; actor: Actor })
  | (CommentEvent & { kind: 'comment'; state: 'hidden'; isByAuthor: boolean; actor: Actor })
  /** A person's prefs were replaced. */
  | { kind: 'prefs'; userId: string; prefs: Prefs }
  /** A person was blocked or unblocked. */
  | { kind: 'block'; userId: string; actor: Actor }
  /** `reason` is text for the author, and only given with `hidden`. */
  | {
      kind: 'post'
      state: 'hidden' | 'shown'
      id: string
      authorId: string
      reason?: string | undefined
      actor: Actor
    }
  /** A scheduled post could not be published. */
  | {
      kind: 'publishFailed'
      id: string
      authorId: string
      problem: PublishProblem
      actor: Actor
    }
  | { kind: 'like'; postId: string }
  /** An import or export that a person waits for has ended. */
  | {
      kind: 'archive'
      runId: string
      userId: string
      what: 'import' | 'export'
      /** Whether it is of the whole blog, and not of the person's posts. */
      isBlog: boolean
      hasFailed: boolean
      /** Imported posts. */
      posts: number
      actor: Actor
    }
  /** An account is being deleted, before its row. */
  | { kind: 'accountDeleted'; userId: string }
  /** An invitation was accepted; the actor is the new user. */
  | { kind: 'joined'; invitationId: string; actor: Actor & { role: 'user' } }
  /** A report was made, or its case decided. */
  | { kind: 'reported'; caseId: string; postId: string; commentId: string; actor: Actor }
  | {
      kind: 'reviewed'
      caseId: string
      postId: string
      commentId: string
      reporterIds: string[]
      actor: Actor
    }

type Subscriber = (tx: Database, afterCommit: AfterCommit, event: DomainEvent) => Promise<void>
const subscribers = new WeakMap<Database, Subscriber[]>()

/** Subscribes to the events of this database's transactions. Subscribers are called in order. */
export function onDomainEvent(db: Database, subscriber: Subscriber): void {
  subscribers.set(db, [...(subscribers.get(db) ?? []), subscriber])
}

/** Emits an event in its transaction; resolves when all subscribers are done. */
export async function emit(tx: Database, event: DomainEvent): Promise<void> {
  for (const subscriber of subscribers.get(databaseOf(tx)) ?? [])
    await subscriber(tx, afterCommitOf(tx), event)
}
