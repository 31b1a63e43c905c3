// Types of the tables of reports and notifications (see schema.ts).
import type { Generated } from 'kysely'

/** One post or comment with its reports, or a comment that needs approval. */
export type CaseTable = {
  seq: Generated<number>
  id: string
  /** Exactly one of these two is set. */
  postId: string | null
  commentId: string | null
  /** The discussion of the comment, set by a trigger; 0 for a post. */
  discussionSeq: Generated<number>
  isWaiting: number
  /** Its position among waiting or decided cases; grows with time. */
  place: number
  /** When it began to wait. */
  since: string
  reporters: Generated<number>
  /** The operator's message to the writer; empty for none. */
  note: Generated<string>
  /** A `CaseDecision['action']`; empty while it waits. */
  decision: Generated<string>
  hasBlocked: Generated<number>
  isByAuthor: Generated<number>
  /** Empty for the API key. */
  decidedById: Generated<string>
  decidedByName: Generated<string>
  decidedAt: Generated<string>
}

export type ReportTable = {
  seq: Generated<number>
  id: string
  caseSeq: number
  /** Null when the account is gone. */
  userId: string | null
  reason: string
  words: string
  createdAt: string
}

/** One notification of one person. */
export type NotificationTable = {
  seq: Generated<number>
  id: string
  userId: string
  /** A `NotificationKind` of contract/notifications.ts. */
  kind: string
  /**
   * Later events with this key join the notification; null once it is read, so they get a new row.
   */
  groupKey: string | null
  /** Ids, empty for none. Their rows may be gone. */
  postId: string
  commentId: string
  caseId: string
  /** A JSON list of the actors, the newest first. */
  actors: string
  count: number
  hiddenBy: string
  reason: string
  isSeen: Generated<number>
  isRead: Generated<number>
  /** Its position in the list; grows with time. */
  place: number
  updatedAt: string
  /** When it will be mailed; null if it will not be, or has been. */
  mailAt: Generated<string | null>
}

/** The mail choices of one person. */
export type MailChoiceTable = {
  userId: string
  /** A JSON object of `MailFrequency` by `MailKind`, without defaults. */
  choices: string
  /** The secret in unsubscribe links. */
  secret: string
  /** When the last mail was sent; empty for never. */
  mailedAt: string
}

export type ReportTables = {
  notification: NotificationTable
  mailChoice: MailChoiceTable
  mutedPost: { userId: string; postId: string; createdAt: string }
  reportCase: CaseTable
  report: ReportTable
}
