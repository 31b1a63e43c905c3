// The tables of reports and of what people are told, as TypeScript sees them (schema.ts).
import type { Generated } from 'kysely'

/** One post or comment with its reports, or a comment that needs approval. */
export type CaseTable = {
  seq: Generated<number>
  id: string
  /** One of both; the other is null. */
  postId: string | null
  commentId: string | null
  /** Of the comment: a trigger finds it. 0 for a post. */
  discussionSeq: Generated<number>
  isWaiting: number
  /** Its place among those that wait, or among those that do not: grows with time. */
  place: number
  /** When it began to wait. */
  since: string
  reporters: Generated<number>
  /** What the operator who hides it tells its writer; empty for none. */
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

/** What one person is told, as one line. */
export type NotificationTable = {
  seq: Generated<number>
  id: string
  userId: string
  /** A `NotificationKind` of contract/notifications.ts. */
  kind: string
  /** What joins it; null once it is read, so that the next one begins a new line. */
  groupKey: string | null
  /** Ids, empty for none. What they name may be gone. */
  postId: string
  commentId: string
  caseId: string
  /** A JSON list of the people who did it, the newest first. */
  actors: string
  count: number
  hiddenBy: string
  reason: string
  isSeen: Generated<number>
  isRead: Generated<number>
  /** Grows with time. */
  place: number
  updatedAt: string
  /** When it is to be mailed; null when it is not, or was. */
  mailAt: Generated<string | null>
}

/** What one person wants by mail. */
export type MailChoiceTable = {
  userId: string
  /** A JSON object of `MailFrequency` by `MailKind`, without what was not chosen. */
  choices: string
  /** Makes the links that end a kind. */
  secret: string
  /** When the last mail went out; empty for never. */
  mailedAt: string
}

export type ReportTables = {
  notification: NotificationTable
  mailChoice: MailChoiceTable
  mutedPost: { userId: string; postId: string; createdAt: string }
  reportCase: CaseTable
  report: ReportTable
}
