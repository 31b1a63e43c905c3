// Shapes of the calls that run the blog (api.md §15.21): for operators and the API key. Times are
// `wireTime` texts; paths are `/operator/…` unless said otherwise.
import Type, { type Static } from 'typebox'
import { ACCOUNT_ROLES, type AccountRole } from './permissions.ts'

/** Rows of one page of people, of posts, and of Activity. */
export const OPERATOR_PAGE = 25
export const ACTIVITY_PAGE = 50
/** Results of a search for people or posts, at most; without a search totals are exact. */
export const OPERATOR_RESULTS_MAX = 2000
export const OPERATOR_SEARCH_MAX_CHARS = 200

const oneOf = (words: readonly string[]) =>
  Type.String({
    pattern: `^(${words.join('|')})$`,
    description: `Value must be one of (${words.join(', ')})`,
  })
const search = Type.Optional(
  Type.String({
    maxLength: OPERATOR_SEARCH_MAX_CHARS,
    // PostgreSQL takes no U+0000.
    pattern: '^[^\\u0000]*$',
    description: `Value must be a valid string and no longer than ${OPERATOR_SEARCH_MAX_CHARS} chars`,
  }),
)
const page = Type.Optional(
  Type.String({ pattern: '^[1-9][0-9]{0,6}$', description: 'Value must be a valid number' }),
)
/** The last actor, from Activity; empty texts when none is recorded. */
export type DoneBy = {
  /** Empty for the API key. */
  byId: string
  byName: string
  at: string
  reason: string
}

// --- people

/** `unverified` people are active. */
export const PERSON_STATES = ['active', 'blocked', 'invited', 'unverified'] as const
export const PeopleQuery = Type.Object({
  /** The beginning of names or addresses. */
  search,
  role: Type.Optional(oneOf(ACCOUNT_ROLES)),
  state: Type.Optional(oneOf(PERSON_STATES)),
  page,
})
export type PeopleQuery = Static<typeof PeopleQuery>

/** A person, or a valid invitation: invitations come first, then the newest people. */
export type OperatorPerson = {
  /** The user, or the invitation: `DELETE /invitations/{id}` withdraws it. */
  $id: string
  /** Empty for invited people. */
  name: string
  email: string
  /** Id of a public file in the avatar bucket; else empty. */
  avatar: string
  role: AccountRole
  state: 'active' | 'blocked' | 'invited'
  emailVerification: boolean
  /** When they joined, or were invited. */
  registration: string
  /** The last visit, to the day; empty for invited people. */
  accessedAt: string
  /** All their posts, drafts included; counted to 5,000. */
  posts: number
  comments: number
  /** Who blocked or invited them. */
  done?: DoneBy
  /** When the invitation expires. */
  expire?: string
  /**
   * An imported author who has not claimed the account, which has no way in yet. An invitation to
   * this address, the one in the old blog, hands it over; empty when that had none.
   */
  unclaimedEmail?: string
  /** The invitation was sent by mail; else its creator was shown a link. */
  mailed?: boolean
}
/** `GET /operator/people` */
export type OperatorPeople = {
  total: number
  /** All people, independent of the query. */
  people: number
  page: number
  pages: number
  list: OperatorPerson[]
}

/** The content that is deleted with an account: `GET /operator/people/{id}/content`. */
export type PersonContent = { posts: number; comments: number; files: number }

/**
 * `POST /users/{id}/links`: signs in once, for an hour. `DELETE /users/{id}/links/{$id}` withdraws
 * it. Only the key may create one for an operator: else `user_unauthorized`.
 */
export const SignInLink = Type.Object(
  {
    $id: Type.String(),
    userId: Type.String(),
    url: Type.String(),
    expire: Type.String(),
  },
  { $id: 'SignInLink' },
)
export type SignInLink = Static<typeof SignInLink>

// --- posts

export const POST_STATES = ['active', 'hidden', 'removed', 'reported'] as const
export type OperatorPostState = (typeof POST_STATES)[number]
export const PostsQuery = Type.Object({
  /** As in the search of the blog; for hidden, reported and removed posts, a part of the title. */
  search,
  /** `active` when missing. */
  state: Type.Optional(oneOf(POST_STATES)),
  page,
})
export type PostsQuery = Static<typeof PostsQuery>

/** A post as operators see it in the list. Drafts are not in it. */
export type OperatorPost = {
  $id: string
  /** Id among the deleted posts, to restore a `removed` post; else empty. */
  deletedId: string
  title: string
  userid: string
  userName: string
  featuredImage: string
  state: 'active' | 'hidden' | 'removed'
  $createdAt: string
  $updatedAt: string
  like: number
  comments: number
  areCommentsClosed: boolean
  /** Reports that wait for a decision. */
  reports: number
  /** Who hid or removed it. */
  done?: DoneBy
  /** Until when a removed post can be restored. */
  expire?: string
}
/** `GET /operator/posts` */
export type OperatorPosts = {
  total: number
  page: number
  pages: number
  /** Number of posts in each state, independent of the query; counted to 20,000. */
  counts: Record<OperatorPostState, number>
  list: OperatorPost[]
}

// --- pages and links (blog-links.ts)

const shownIn = { inHeader: Type.Boolean(), inFooter: Type.Boolean() }
/** `PUT /operator/links`: all pages and links in their new order. */
export const NewBlogLinks = Type.Object({
  /** The version that was changed: another one is refused as `document_update_conflict`. */
  version: Type.String(),
  list: Type.Array(
    Type.Union([
      Type.Object({ page: Type.String(), ...shownIn }),
      Type.Object({ name: Type.String(), to: Type.String(), ...shownIn }),
    ]),
    { maxItems: 100 },
  ),
})
export type NewBlogLinks = Static<typeof NewBlogLinks>

// --- Activity

export const ACTIVITY_KINDS = ['people', 'posts', 'comments', 'settings', 'sign-ins'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]
/** The actions of each kind. */
export const ACTIVITY_ACTIONS = {
  people: [
    'role',
    'blocked',
    'unblocked',
    'deleted',
    'invited',
    'uninvited',
    'joined',
    'linkMade',
    'linkWithdrawn',
    'linkUsed',
    'linkCopied',
  ],
  posts: ['hidden', 'shown', 'removed', 'restored', 'closed', 'opened'],
  comments: ['hidden', 'shown', 'approved', 'reportDismissed', 'reopened'],
  settings: [
    'setUp',
    'changed',
    'backup',
    'backupDownloaded',
    'backupDeleted',
    'mailTest',
    'import',
    'importUndone',
    'export',
    'exportDownloaded',
  ],
  'sign-ins': ['signedIn'],
} as const satisfies Record<ActivityKind, readonly string[]>
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[ActivityKind][number]

export const ActivityQuery = Type.Object({
  kind: Type.Optional(oneOf(ACTIVITY_KINDS)),
  /** Part of the actor's name, the subject's name, or a detail. */
  search,
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Value must be a valid cursor' }),
  ),
})
export type ActivityQuery = Static<typeof ActivityQuery>

/** A recorded action. Never changed, stored for a year. */
export type Activity = {
  $id: string
  time: string
  actor: 'person' | 'key' | 'system'
  actorId: string
  /** The name at that time; empty for the key and the system. */
  actorName: string
  /** Like `avatar` of people. */
  actorAvatar: string
  kind: ActivityKind
  action: ActivityAction
  subjectType: 'person' | 'invitation' | 'post' | 'comment' | 'value' | ''
  subjectId: string
  /** Name, title or address at that time; for a value, its name. */
  subjectName: string
  /**
   * `before`, `after`, `reason`, `address`, `device`, `to`; `as`, whose account the actor used;
   * `madeBy`, the operator who created a link. Each is optional.
   */
  details: Record<string, string>
}
/** `GET /operator/activity`; `GET /operator/activity.csv` returns all of it. */
export type ActivityPage = {
  list: Activity[]
  /** The `cursor` of the next, older page; empty on the last one. */
  next: string
}

// --- the outbox: mails that are not sent because no mail server is set up

/** The newest mails; older ones are deleted. */
export const OUTBOX_MAILS_MAX = 100
export const OUTBOX_MAIL_KINDS = [
  'recovery',
  'invitation',
  'verification',
  'signIn',
  'code',
  'notifications',
  'other',
] as const
export type OutboxMailKind = (typeof OUTBOX_MAIL_KINDS)[number]

export const OutboxMailsQuery = Type.Object({
  /** Part of the address. */
  search,
  kind: Type.Optional(oneOf(OUTBOX_MAIL_KINDS)),
})
export type OutboxMailsQuery = Static<typeof OutboxMailsQuery>

export type OutboxMail = {
  $id: string
  kind: OutboxMailKind
  to: string
  subject: string
  time: string
  /** State of its link or code, `expired` also once a newer one replaced it; empty without one. */
  link: 'valid' | 'used' | 'expired' | ''
  /** When a valid link or code expires. */
  expire: string
  /** Whether the caller may copy it: never a link of another operator (threat-model.md §4). */
  canCopy: boolean
}
/** `GET /operator/mails`, newest first; `total` counts all mails in the outbox. */
export type OutboxMails = { total: number; list: OutboxMail[] }
/** `GET /operator/mails/{id}`: its text without secrets. */
export type OpenedMail = OutboxMail & { from: string; text: string }
/** `POST /operator/mails/{id}/link`: the link, or the code. Activity records who copied it. */
export type CopiedLink = { link: string }

// --- backups

export const BACKUP_KEEP = { min: 3, max: 90 } as const
export const BACKUP_FOLDER_MAX_CHARS = 500
/** Missing fields do not change. */
export const BackupChanges = Type.Object({
  isOn: Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' })),
  /** Local time of the server. */
  time: Type.Optional(
    Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: 'Value must be a time such as 03:00',
    }),
  ),
  keep: Type.Optional(
    Type.Integer({
      minimum: BACKUP_KEEP.min,
      maximum: BACKUP_KEEP.max,
      description: `Value must be a whole number from ${BACKUP_KEEP.min} to ${BACKUP_KEEP.max}`,
    }),
  ),
  folder: Type.Optional(Type.String({ description: 'Value must be the path of a folder' })),
})
export type BackupChanges = Static<typeof BackupChanges>

/** Why a folder cannot be used; empty when it can. */
export type FolderProblem = '' | 'notAbsolute' | 'notOwn' | 'notEmpty' | 'link' | 'noAccess'
export const FolderQuery = Type.Object({
  path: Type.String({ description: 'Value must be the path of a folder' }),
})
/** `GET /operator/backups/folder?path=` */
export type BackupFolder = {
  problem: FolderProblem
  freeBytes: number
  /** The folder is on the disk of the data folder: if that disk fails, both are lost. */
  isSameDisk: boolean
}

export const BACKUP_REASONS = [
  'full',
  'noAccess',
  'tooLong',
  'busy',
  'interrupted',
  'unsound',
  'other',
] as const
export type BackupReason = (typeof BACKUP_REASONS)[number]

export type BackupEntry = {
  /** Name of a complete backup, id of a failed attempt. */
  $id: string
  state: 'complete' | 'failed'
  at: string
  /** 0 when it is not known. */
  sizeBytes: number
  /** Who requested it; empty for nightly backups and the key. */
  byName: string
  /** Empty for complete ones. */
  reason: BackupReason | ''
}

/** `GET /operator/backups` */
export type Backups = {
  isOn: boolean
  /** No operator has decided: backups are on while the blog is under 1 GiB. */
  isAutomatic: boolean
  /** `BLOG_BACKUP_DIR` is set: operators cannot change anything. */
  isFixed: boolean
  /** `BLOG_BACKUP_KEEP` is set. */
  isKeepFixed: boolean
  time: string
  keep: number
  folder: string
  place: BackupFolder
  /** The backup that is running or about to start. */
  running?: { doneBytes: number; totalBytes: number }
  /** The newest 100. */
  list: BackupEntry[]
  /** The command that restores the newest backup on the server; empty without one. */
  restore: string
}

// --- overview

export type HealthLevel = 'ok' | 'warning' | 'fault'

export type Health = {
  level: HealthLevel
  /** The subject, such as `mail` or `backups`. */
  about: string
  /** A sentence. */
  text: string
}
export type HealthSubject = 'mail' | 'backups' | 'disk' | 'settings' | 'secrets' | 'database'
/** Each is a sentence on the page. */
export type HealthCode =
  | 'mailSent'
  | 'mailKept'
  | 'mailOff'
  | 'mailSilent'
  | 'backupsFine'
  | 'backupsNone'
  | 'backupsSameDisk'
  | 'backupFailed'
  | 'backupOld'
  | 'backupDamaged'
  | 'diskFine'
  | 'diskLow'
  | 'settingsFine'
  | 'addressMissing'
  | 'notEncrypted'
  | 'setTwice'
  | 'clockWrong'
  | 'visitorsAlike'
  | 'addressSilent'
  | 'settingsOdd'
  | 'secretsFine'
  | 'secretsReadable'
  | 'secretsOdd'
  | 'databaseFine'
  | 'databaseUnfinished'
  | 'databaseDamaged'
  | 'filesMissing'
  | 'checksLate'
export type HealthItem = {
  level: HealthLevel
  subject: HealthSubject
  code: HealthCode
  /** Numbers, times and names in the sentence; `command` fixes the problem on the server. */
  facts: Readonly<Record<string, string | number>>
}
/** Findings of the doctor: `POST /operator/checks` runs all checks and answers with them. */
export type Checks = {
  /** When the last run ended; empty for never. */
  at: string
  isRunning: boolean
  found: Health[]
}
/** `GET /operator/overview` */
export type OperatorOverview = {
  /** `new` in the last seven days, and in the seven days `before`. */
  posts: { new: number; before: number; total: number }
  people: { new: number; before: number; total: number }
  comments: { new: number; before: number; waiting: number }
  /** Waiting reports, and since when the oldest waits; empty for none. */
  reports: { waiting: number; since: string }
  storage: {
    databaseBytes: number
    files: number
    filesBytes: number
    /** Backups on this server; an unchanged file is shared by several, and takes space once. */
    backupsBytes: number
    /** The disk of the data folder; 0 when unknown. */
    freeBytes: number
    totalBytes: number
  }
  /** Faults first, then warnings, then items that are fine. */
  health: HealthItem[]
  checks: Checks
}

/** `POST /operator/mail-test` sends to the caller's address; the API key names an address. */
export const NewMailTest = Type.Object({
  to: Type.Optional(Type.String({ description: 'Value must be a valid string' })),
})
/** Where the mail went. Refused as `mail_not_sent`, `general_smtp_disabled`. */
export const MailTest = Type.Object({ to: Type.String(), delivery: Type.String() })
export type MailTest = Static<typeof MailTest>
