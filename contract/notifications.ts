// What a person is told of in the bell (api.md §15.23). Times are `wireTime` texts.
import Type, { type Static } from 'typebox'

export const NOTIFICATIONS_PAGE = 50
/** The bell counts up to so many. */
export const NOTIFICATIONS_COUNTED_MAX = 100
export const NOTIFICATION_DAYS = 90
/** People that a line names, the newest first. */
export const NOTIFICATION_PEOPLE = 2
/** Characters of the words that a line shows. */
export const NOTIFICATION_EXCERPT_CHARS = 200
export const MUTED_POSTS_MAX = 100

export const NOTIFICATION_KINDS = [
  /** On an own post: one line for each post and day while it is unread. */
  'comment',
  /** To an own comment: as above. */
  'reply',
  /** Of an own post: one line for each post and day. */
  'like',
  'commentHidden',
  'postHidden',
  'commentApproved',
  /** What one has reported was reviewed. */
  'reportReviewed',
  /** The one whom one invited has joined. */
  'invitationAccepted',
  /** For operators: a report, a comment that needs approval. */
  'reported',
  'approvalNeeded',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** One line of the list. */
export type Notification = {
  $id: string
  kind: NotificationKind
  /** Opened, or marked as read. */
  isRead: boolean
  /** Of the newest that is in it. */
  time: string
  /** How many comments, replies, likes, reports are in it; at least 1. */
  count: number
  /** How many people, and the newest of them. None where nobody is named. */
  people: { total: number; newest: { id: string; name: string; avatar: string }[] }
  /** Undefined where it is about no post, or about one that is no longer there: `isGone`. */
  post?: { $id: string; title: string }
  isGone: boolean
  /** The newest comment that it is about; else empty. */
  commentId: string
  /** The beginning of its words, as plain text; empty where the person may not read them. */
  text: string
  /** Of what was hidden: by whom. Else empty. */
  hiddenBy: '' | 'author' | 'operator'
  /** Of what was hidden: a `ReportReason`, or words of the operator; empty for none. */
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
/** `GET /notifications`; `new` are those that are not read. */
export const NotificationsQuery = Type.Object({
  filter: Type.Optional(oneOf(NOTIFICATION_FILTERS)),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Value must be a valid cursor' }),
  ),
})
export type NotificationsQuery = Static<typeof NotificationsQuery>

/**
 * The numbers at the bell, both up to `NOTIFICATIONS_COUNTED_MAX`: `GET /notifications/count`. It
 * is also the payload of the event `users.{id}.notifications.{notificationId}.{create|update}` on
 * the channel `notifications`, told to the person's own connections.
 */
export type NotificationCount = {
  /** Not yet seen in an open list: the number at the bell. */
  new: number
  unread: number
}
export type NotificationPage = NotificationCount & {
  list: Notification[]
  /** For the next, older page; empty on the last one. */
  next: string
}

const BOOLEAN = { description: 'Value must be a valid boolean' }
/** `PATCH /notifications/{id}` answers 204, also for one that is gone. */
export const MarkNotification = Type.Object({ read: Type.Boolean(BOOLEAN) })
/** `PATCH /notifications`: all of them; answers `NotificationCount`. */
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
/** `own`: what became of what one wrote, reported, or invited; `reports`: for operators. */
export type MailKind = (typeof MAIL_KINDS)[number]
export const MAIL_FREQUENCIES = ['atOnce', 'daily', 'never'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]
/** What an account gets that has chosen nothing. */
export const MAIL_DEFAULTS: Readonly<Record<MailKind, MailFrequency>> = {
  replies: 'atOnce',
  comments: 'daily',
  likes: 'never',
  own: 'daily',
  reports: 'atOnce',
}
/** The kind of mail that a line belongs to. */
export const MAIL_KIND_OF: Readonly<Record<NotificationKind, MailKind>> = {
  comment: 'comments',
  reply: 'replies',
  like: 'likes',
  commentHidden: 'own',
  postHidden: 'own',
  commentApproved: 'own',
  reportReviewed: 'own',
  invitationAccepted: 'own',
  reported: 'reports',
  approvalNeeded: 'reports',
}
const frequency = Type.Optional(oneOf(MAIL_FREQUENCIES))
/** `PATCH /notifications/mails`: what is not sent stays as it is. Answers `MailChoices`. */
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

/** The page that mails link to, with `?secret=`. Mail programs post to the call of its name. */
export const UNSUBSCRIBE_PATH = '/notifications/unsubscribe'
/** `POST /notifications/unsubscribe?secret=`; refused as `user_invalid_token`. */
export const Unsubscribe = Type.Object({
  secret: Type.String({ maxLength: 128, description: 'Value must be a valid secret' }),
})
export type Unsubscribed = { kind: MailKind }
