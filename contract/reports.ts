// Reports of posts and comments, and the cases that operators decide (api.md §15.22). Times are
// `wireTime` texts.
import Type, { type Static } from 'typebox'
import { REASON_MAX_CHARS, REPORT_WORDS_MAX_CHARS } from './limits.ts'

export const REPORT_REASONS = ['spam', 'insult', 'private', 'illegal', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]
/** Cases of one page, and reports that a case shows, the newest first. */
export const CASES_PAGE = 25
export const CASE_REPORTS = 20
/** Waiting cases are counted no further. */
export const CASES_COUNTED_MAX = 1000
/** Characters of a reported post that a case shows; comments are shown in full. */
export const CASE_EXCERPT_CHARS = 300

const oneOf = (words: readonly string[]) =>
  Type.String({
    pattern: `^(${words.join('|')})$`,
    description: `Value must be one of (${words.join(', ')})`,
  })
/** PostgreSQL stores no U+0000. */
const STORABLE = '^[^\\u0000]*$'
const text = (maxChars: number) =>
  Type.String({
    maxLength: maxChars,
    pattern: STORABLE,
    description: `Value must be a valid string and no longer than ${maxChars} chars`,
  })

/** `POST /reports`. Refused as `report_already_exists`, `report_own`, `document_not_found`. */
export const NewReport = Type.Object({
  postId: text(36),
  /** Missing when the post is reported. */
  commentId: Type.Optional(text(36)),
  reason: oneOf(REPORT_REASONS),
  words: Type.Optional(text(REPORT_WORDS_MAX_CHARS)),
})
export type NewReport = Static<typeof NewReport>

/** A report as its reporter sees it. */
export type OwnReport = {
  $id: string
  postId: string
  /** Empty for a report of the post. */
  commentId: string
  reason: ReportReason
  words: string
  $createdAt: string
  state: 'waiting' | 'reviewed'
}
/** `GET /reports?postId=`: the caller's reports of a post and its comments, the newest 100. */
export const OwnReportsQuery = Type.Object({ postId: text(36) })
export type OwnReports = { total: number; reports: OwnReport[] }

export const CASE_STATES = ['waiting', 'done'] as const
export type CaseState = (typeof CASE_STATES)[number]
export const CasesQuery = Type.Object({
  state: Type.Optional(oneOf(CASE_STATES)),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Value must be a valid cursor' }),
  ),
  /** At most `CASES_PAGE`, which is also the default. */
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|1[0-9]|2[0-5])$', description: 'Value must be from 1 to 25' }),
  ),
})
export type CasesQuery = Static<typeof CasesQuery>

/** A post or comment with all its reports, or a comment that needs approval. */
export type ReportCase = {
  $id: string
  /** `approval` while the comment needs approval; it may have reports, too. */
  kind: 'post' | 'comment' | 'approval'
  state: CaseState
  /** When it began to wait. */
  since: string
  postId: string
  postTitle: string
  /** Empty for a post. */
  commentId: string
  /** The writer, and whether they are blocked now; empty texts when the account is gone. */
  author: { id: string; name: string; avatar: string; isBlocked: boolean }
  /** Plain text: a comment in full, or the beginning of a post. */
  text: string
  $createdAt: string
  /** The current state of the post or comment. */
  status: 'shown' | 'hidden' | 'waiting'
  reporters: number
  /** The newest ones. Name and id are empty when the account is gone. */
  reports: { userId: string; userName: string; reason: ReportReason; words: string; time: string }[]
  /** Set when the case is done. */
  decision?: CaseDecision
}
export type CaseDecision = {
  action: 'hidden' | 'dismissed' | 'approved'
  /** The decision also blocked the writer and hid all their comments. */
  hasBlocked: boolean
  /** Empty for the API key, and for the author of the post when `isByAuthor`. */
  byId: string
  byName: string
  /** The author of the post decided, not an operator. */
  isByAuthor: boolean
  at: string
}

/** `GET /operator/cases`: waiting ones the oldest first, done ones the newest first. */
export type ReportCases = {
  /** Waiting cases, up to `CASES_COUNTED_MAX`, and since when the oldest waits; empty for none. */
  waiting: number
  since: string
  list: ReportCase[]
  /** The `cursor` of the next page; empty on the last one. */
  next: string
}

export const CASE_ACTIONS = ['hide', 'dismiss', 'approve', 'reopen'] as const
/**
 * `PATCH /operator/cases/{id}` answers with the case. `reopen` reverses the decision and its block.
 * Refused as `report_case_decided` when another operator was first: the message names the operator
 * and the decision, `GET /operator/cases/{id}` has the details.
 */
export const DecideCase = Type.Object({
  action: oneOf(CASE_ACTIONS),
  /** With `hide`: blocks the writer and hides all their comments. */
  block: Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' })),
  /** With `hide`: words for the writer; without them the writer sees the most frequent reason. */
  reason: Type.Optional(text(REASON_MAX_CHARS)),
})
export type DecideCase = Static<typeof DecideCase>
