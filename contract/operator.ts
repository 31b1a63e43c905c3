// Shapes of the calls that run the blog (api.md §15.21): for operators and the API key. Times are
// `wireTime` texts; paths are `/operator/…` unless said otherwise.
import Type, { type Static } from 'typebox'
import { ACCOUNT_ROLES, type AccountRole } from './permissions.ts'

/** Rows of one page of people, of posts, and of what was done. */
export const OPERATOR_PAGE = 25
export const ACTIVITY_PAGE = 50
/** People and posts that a search finds at most; without one totals are exact. */
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
/** Who did something last, as Activity knows it; empty texts when it does not. */
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

/** A person, or an invitation that still works: invitations come first, then the newest people. */
export type OperatorPerson = {
  /** The user, or the invitation: `DELETE /invitations/{id}` withdraws it. */
  $id: string
  /** Empty for invited people. */
  name: string
  email: string
  /** Id of a file in the avatar bucket that everybody may see; else empty. */
  avatar: string
  role: AccountRole
  state: 'active' | 'blocked' | 'invited'
  emailVerification: boolean
  /** When they joined, or were invited. */
  registration: string
  /** The last visit, to the day; empty for invited people. */
  accessedAt: string
  /** All of theirs, drafts too; counted to 5,000. */
  posts: number
  comments: number
  /** Who blocked or invited them. */
  done?: DoneBy
  /** How long the invitation works. */
  expire?: string
  /** The invitation was sent by mail; else its maker was shown a link. */
  mailed?: boolean
}
/** `GET /operator/people` */
export type OperatorPeople = {
  total: number
  /** All people, whatever was asked for. */
  people: number
  page: number
  pages: number
  list: OperatorPerson[]
}

/** What goes with an account: `GET /operator/people/{id}/content`. */
export type PersonContent = { posts: number; comments: number; files: number }

/**
 * `POST /users/{id}/links`: signs in once, for an hour. `DELETE /users/{id}/links/{$id}` withdraws
 * it. Of an operator only the key may make one: else `user_unauthorized`.
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
  /** As in the search of the blog; of hidden and removed posts a part of the title. */
  search,
  /** Without it active ones. */
  state: Type.Optional(oneOf(POST_STATES)),
  page,
})
export type PostsQuery = Static<typeof PostsQuery>

/** A post as operators see it in the list. Drafts are not in it. */
export type OperatorPost = {
  $id: string
  /** For `removed` ones, to restore it: the id among the deleted posts; else empty. */
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
  /** Reports that wait. */
  reports: number
  /** Who hid or removed it. */
  done?: DoneBy
  /** Until when a removed one can be brought back. */
  expire?: string
}
/** `GET /operator/posts` */
export type OperatorPosts = {
  total: number
  page: number
  pages: number
  /** How many there are of each, whatever was asked for; counted to 20,000. */
  counts: Record<OperatorPostState, number>
  list: OperatorPost[]
}

// --- what was done

export const ACTIVITY_KINDS = ['people', 'posts', 'comments', 'settings', 'sign-ins'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]
/** By their kind. */
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
  settings: ['setUp', 'changed', 'backup', 'backupDownloaded', 'backupDeleted', 'mailTest'],
  'sign-ins': ['signedIn'],
} as const satisfies Record<ActivityKind, readonly string[]>
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[ActivityKind][number]

export const ActivityQuery = Type.Object({
  kind: Type.Optional(oneOf(ACTIVITY_KINDS)),
  /** Part of the name of who did it, of what it was done to, or of a detail. */
  search,
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Value must be a valid cursor' }),
  ),
})
export type ActivityQuery = Static<typeof ActivityQuery>

/** Something that was done. Never changed, kept a year. */
export type Activity = {
  $id: string
  time: string
  actor: 'person' | 'key' | 'system'
  actorId: string
  /** As it was then; empty for the key and the system. */
  actorName: string
  /** As `avatar` of people. */
  actorAvatar: string
  kind: ActivityKind
  action: ActivityAction
  subjectType: 'person' | 'invitation' | 'post' | 'comment' | 'value' | ''
  subjectId: string
  /** Name, title or address as it was then; the name of the value. */
  subjectName: string
  /**
   * `before`, `after`, `reason`, `address`, `device`, `to`; `as`, whose account the actor used;
   * `madeBy`, the operator who made a link: those that there are.
   */
  details: Record<string, string>
}
/** `GET /operator/activity`; `GET /operator/activity.csv` is all of it. */
export type ActivityPage = {
  list: Activity[]
  /** For the next, older page; empty on the last one. */
  next: string
}

// --- mails that are kept because no mail server is set up

/** The newest ones; older ones are deleted. */
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
  /** Of its link or code; empty for mails without one. One that a newer one replaced is expired. */
  link: 'valid' | 'used' | 'expired' | ''
  /** Until when a valid one works. */
  expire: string
  /** Whether the caller may copy it: not that of another operator (threat-model.md §4). */
  canCopy: boolean
}
/** `GET /operator/mails`, newest first; `total` is how many are kept, whatever was asked for. */
export type OutboxMails = { total: number; list: OutboxMail[] }
/** `GET /operator/mails/{id}`: its text without secrets. */
export type OpenedMail = OutboxMail & { from: string; text: string }
/** `POST /operator/mails/{id}/link`: the link, or the code. Activity records who copied it. */
export type CopiedLink = { link: string }

// --- backups

export const BACKUP_KEEP = { min: 3, max: 90 } as const
export const BACKUP_FOLDER_MAX_CHARS = 500
/** What is not sent stays as it is. */
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

/** Why a folder cannot be chosen; empty when it can. */
export type FolderProblem = '' | 'notAbsolute' | 'notOwn' | 'notEmpty' | 'link' | 'noAccess'
export const FolderQuery = Type.Object({
  path: Type.String({ description: 'Value must be the path of a folder' }),
})
/** `GET /operator/backups/folder?path=` */
export type BackupFolder = {
  problem: FolderProblem
  freeBytes: number
  /** On the disk of the data folder: if it fails, both are lost. */
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
  /** Of a complete one its name, of a failed one the id of its attempt. */
  $id: string
  state: 'complete' | 'failed'
  at: string
  /** 0 when it is not known. */
  sizeBytes: number
  /** Who asked for it; empty for those of the night, and for the key. */
  byName: string
  /** Empty for complete ones. */
  reason: BackupReason | ''
}

/** `GET /operator/backups` */
export type Backups = {
  isOn: boolean
  /** Nobody has chosen: they are on while the blog is under 1 GiB. */
  isAutomatic: boolean
  /** `BLOG_BACKUP_DIR` is set: nothing can be changed here. */
  isFixed: boolean
  /** `BLOG_BACKUP_KEEP` is set. */
  isKeepFixed: boolean
  time: string
  keep: number
  folder: string
  place: BackupFolder
  /** One that is being made, or is about to be. */
  running?: { doneBytes: number; totalBytes: number }
  /** The newest 100. */
  list: BackupEntry[]
  /** What restores the newest one, on the server; empty while there is none. */
  restore: string
}

// --- overview

export type HealthLevel = 'ok' | 'warning' | 'fault'

export type Health = {
  level: HealthLevel
  /** What was looked at: a word such as `mail` or `backups`. */
  about: string
  /** A sentence. */
  text: string
}
export type HealthSubject = 'mail' | 'backups' | 'disk' | 'settings' | 'secrets' | 'database'
/** What a page says in a sentence, by its subject. */
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
  /** Numbers, times and names of the sentence; `command` is what puts it right on the server. */
  facts: Readonly<Record<string, string | number>>
}
/** What doctor finds: `POST /operator/checks` looks at everything, and answers with it. */
export type Checks = {
  /** When they ended; empty while they never have. */
  at: string
  isRunning: boolean
  found: Health[]
}
/** `GET /operator/overview` */
export type OperatorOverview = {
  /** `new` ones of the last seven days, and those of the seven days `before`. */
  posts: { new: number; before: number; total: number }
  people: { new: number; before: number; total: number }
  comments: { new: number; before: number; waiting: number }
  /** Those that wait, and since when; empty for none. */
  reports: { waiting: number; since: string }
  storage: {
    databaseBytes: number
    files: number
    filesBytes: number
    /** Of the backups on this server; unchanged files are in several, and take their room once. */
    backupsBytes: number
    /** Of the disk of the data folder; 0 when it is not known. */
    freeBytes: number
    totalBytes: number
  }
  /** What needs an operator first, then what is worth a look, then what is fine. */
  health: HealthItem[]
  checks: Checks
}

/** `POST /operator/mail-test`: to one's own address; the key says which. */
export const NewMailTest = Type.Object({
  to: Type.Optional(Type.String({ description: 'Value must be a valid string' })),
})
/** Where it went. Refused as `mail_not_sent`, `general_smtp_disabled`. */
export const MailTest = Type.Object({ to: Type.String(), delivery: Type.String() })
export type MailTest = Static<typeof MailTest>
