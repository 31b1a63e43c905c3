// Notifications in the bell (api.md §15.23). Times are `wireTime` texts.
import Type, { type Static } from 'typebox'

export const NOTIFICATIONS_PAGE = 50
/** The bell counts no further. */
export const NOTIFICATIONS_COUNTED_MAX = 100
export const NOTIFICATION_DAYS = 90
/** People that a notification names, the newest first. */
export const NOTIFICATION_PEOPLE = 2
/** Characters of the comment's text that a notification shows. */
export const NOTIFICATION_EXCERPT_CHARS = 200
export const MUTED_POSTS_MAX = 100

export const NOTIFICATION_KINDS = [
  /** On one's own post: one notification for each post and day while unread. */
  'comment',
  /** To one's own comment: as above. */
  'reply',
  /** Of one's own post: one notification for each post and day. */
  'like',
  'commentHidden',
  'postHidden',
  /** A scheduled post of one's own could not be published; `reason` is a `PublishProblem`. */
  'publishFailed',
  /** An import or export of one's own has ended; `reason` is an `ArchiveOutcome`. */
  'archive',
  'commentApproved',
  /** A report of one's own was reviewed. */
  'reportReviewed',
  /** A person whom one invited has joined. */
  'invitationAccepted',
  /** For operators: a report, a comment that needs approval. */
  'reported',
  'approvalNeeded',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** `blog…` is of the whole blog, and else of one's own posts. */
export const ARCHIVE_OUTCOMES = [
  'imported',
  'importFailed',
  'exported',
  'exportFailed',
  'blogImported',
  'blogImportFailed',
  'blogExported',
  'blogExportFailed',
] as const
export type ArchiveOutcome = (typeof ARCHIVE_OUTCOMES)[number]

export type Notification = {
  $id: string
  kind: NotificationKind
  /** Opened, or marked as read. */
  isRead: boolean
  /** Time of the newest event in it. */
  time: string
  /** Number of comments, replies, likes or reports in it, at least 1; or of imported posts. */
  count: number
  /** Number of people, and the newest of them; none for kinds that name nobody. */
  people: { total: number; newest: { id: string; name: string; avatar: string }[] }
  /** Undefined when it is about no post, or about a deleted one (`isGone`). */
  post?: { $id: string; title: string }
  isGone: boolean
  /** Id of the newest comment that it is about; else empty. */
  commentId: string
  /** Start of the comment's plain text; empty if the person may not read it. */
  text: string
  /** Who hid the content; else empty. */
  hiddenBy: '' | 'author' | 'operator'
  /** Why it was hidden: a `ReportReason` or the operator's own words; a problem; else empty. */
  reason: string
  /** For operators: `/operator/cases/{caseId}`. Else empty. */
  caseId: string
}

export const NOTIFICATION_FILTERS = ['all', 'new', 'comments', 'likes'] as const
const oneOf = (words: readonly string[]) =>
  Type.String({
    pattern: `^(${words.join('|')})$`,
    description: `Value must be one of (${words.join(', ')})`,
  })
/** `GET /notifications`; `new` lists the unread ones. */
export const NotificationsQuery = Type.Object({
  filter: Type.Optional(oneOf(NOTIFICATION_FILTERS)),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Value must be a valid cursor' }),
  ),
})
export type NotificationsQuery = Static<typeof NotificationsQuery>

/**
 * The counts shown at the bell, both up to `NOTIFICATIONS_COUNTED_MAX`: `GET /notifications/count`.
 * It is also the payload of the event `users.{id}.notifications.{notificationId}.{create|update}`
 * on the channel `notifications`, sent to the person's own connections.
 */
export type NotificationCount = {
  /** Not yet seen in an open list: the number at the bell. */
  new: number
  unread: number
}
export type NotificationPage = NotificationCount & {
  list: Notification[]
  /** The `cursor` of the next, older page; empty on the last one. */
  next: string
}

const BOOLEAN = { description: 'Value must be a valid boolean' }
/** `PATCH /notifications/{id}` answers 204, also when the notification is gone. */
export const MarkNotification = Type.Object({ read: Type.Boolean(BOOLEAN) })
/** `PATCH /notifications` marks all of them; answers `NotificationCount`. */
export const MarkAllNotifications = Type.Object({
  seen: Type.Optional(Type.Boolean(BOOLEAN)),
  read: Type.Optional(Type.Boolean(BOOLEAN)),
})

/** `GET /notifications/muted`; `PUT` and `DELETE /notifications/muted/{postId}` answer 204. */
export type MutedPosts = {
  total: number
  list: { postId: string; title: string; authorName: string; $createdAt: string }[]
}

// --- mails

export const MAIL_KINDS = ['replies', 'comments', 'likes', 'own', 'reports'] as const
/** `own`: outcomes of one's own comments, reports and invitations; `reports`: for operators. */
export type MailKind = (typeof MAIL_KINDS)[number]
export const MAIL_FREQUENCIES = ['atOnce', 'daily', 'never'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]
/** For accounts that have chosen nothing. */
export const MAIL_DEFAULTS: Readonly<Record<MailKind, MailFrequency>> = {
  replies: 'atOnce',
  comments: 'daily',
  likes: 'never',
  own: 'daily',
  reports: 'atOnce',
}
/** The kind of mail of each kind of notification. */
export const MAIL_KIND_OF: Readonly<Record<NotificationKind, MailKind>> = {
  comment: 'comments',
  reply: 'replies',
  like: 'likes',
  commentHidden: 'own',
  postHidden: 'own',
  publishFailed: 'own',
  archive: 'own',
  commentApproved: 'own',
  reportReviewed: 'own',
  invitationAccepted: 'own',
  reported: 'reports',
  approvalNeeded: 'reports',
}
const frequency = Type.Optional(oneOf(MAIL_FREQUENCIES))
/** `PATCH /notifications/mails`: missing fields do not change. Answers `MailChoices`. */
export const MailChoiceChanges = Type.Object({
  replies: frequency,
  comments: frequency,
  likes: frequency,
  own: frequency,
  reports: frequency,
})
/** `GET /notifications/mails` */
export type MailChoices = {
  email: string
  /** `off` without a mail server, `unverified` until the address is verified: nothing is sent. */
  state: 'on' | 'off' | 'unverified'
  choices: Record<MailKind, MailFrequency>
}

/**
 * The page that mails link to, with `?secret=`. Mail programs send a POST to the API call with this
 * path.
 */
export const UNSUBSCRIBE_PATH = '/notifications/unsubscribe'
/** `POST /notifications/unsubscribe?secret=`; refused as `user_invalid_token`. */
export const Unsubscribe = Type.Object({
  secret: Type.String({ maxLength: 128, description: 'Value must be a valid secret' }),
})
export type Unsubscribed = { kind: MailKind }
