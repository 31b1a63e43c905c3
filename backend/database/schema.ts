// Types of the tables. Booleans are 0 or 1, times ISO 8601 UTC text, JSON is text: the same on both
// databases. A `…Table` type has generated columns; a `…Row` type is the result of a SELECT.
import type { Generated, Kysely, Selectable } from 'kysely'
import type {
  ArchivePieceRow,
  ArchiveRunTable,
  CommentAuthorRow,
  ImportedItemTable,
  ImportIssueRow,
  OldAddressRow,
  UnclaimedUserRow,
} from './archive-tables.ts'
import type { ActivityTable, BackupRunTable, InvitationTable } from './operator-tables.ts'
import type { ReportTables } from './report-tables.ts'

export type UserTable = {
  id: string
  name: string
  /** As `parseEmail` of mail/addresses.ts returns it. */
  email: string
  passwordHash: string | null
  passwordUpdatedAt: string | null
  /** The id of the operator who copied the recovery link with which it was set; empty for none. */
  passwordSetBy: Generated<string>
  isVerified: number
  isBlocked: number
  /** A JSON object. */
  prefs: string
  /** The bio in the prefs, as readers see it; empty for none. */
  about: Generated<string>
  /** A JSON list of texts, set by operators. */
  labels: Generated<string>
  createdAt: string
  updatedAt: string
  accessedAt: string
}

export type UserRow = Selectable<UserTable>

export type SessionTable = {
  id: string
  userId: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  provider: string
  providerUid: string
  /** Encrypted; empty when there is none. */
  providerAccessToken: string
  /** Empty when unknown. */
  providerAccessTokenExpiresAt: string
  /** Encrypted; empty when the provider gave none. Never part of an answer. */
  providerRefreshToken: string
  ip: string
  userAgent: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
} & OpenedByOther

/**
 * Columns of sessions and sign-in tokens, which somebody other than the account's owner may create.
 * Such a session never has more rights than the account had at that time, and ends when that
 * operator loses the role.
 */
type OpenedByOther = {
  /** The id of the operator; empty for the API key, and for the owner. */
  openedBy: Generated<string>
  /** The account's role at that time; empty for the owner. */
  openedRole: Generated<string>
}

export type SessionRow = Selectable<SessionTable>

/** Links a user to an account at a sign-in provider. */
export type IdentityRow = {
  id: string
  provider: string
  /** The provider's own id of the user. */
  sub: string
  userId: string
  /** The address that the provider sent last; empty when unknown. */
  email: string
  createdAt: string
  /** The last sign-in with it. */
  lastUsedAt: string
}

/** An authorization request that has not been answered yet. */
export type OAuthStateRow = {
  /** SHA-256 of the state, hex. */
  stateHash: string
  /** SHA-256 of the secret in the cookie of the browser that started it, hex. */
  browserHash: string
  nonce: string
  codeVerifier: string
  successUrl: string
  /** Empty for none. */
  failureUrl: string
  expiresAt: string
  /** 1 when the answer is a token for the requesting program, not a session of this browser. */
  isForToken: number
}

/** A single-use token: sent by mail, or created by an operator or after Google's sign-in. */
export type TokenTable = {
  id: string
  userId: string
  /** A `TokenKind` of mail-links/one-time-tokens.ts. */
  kind: string
  /** SHA-256 of the secret, hex; a short secret is hashed together with the id. */
  secretHash: string
  createdAt: string
  expiresAt: string
  /**
   * For a code: the user id in the answer to its request, which may differ from `userId`. Else
   * empty.
   */
  alias: string
  /** After a sign-in at a provider: its own id of the user. Else empty. */
  providerUid: string
  /** Remaining attempts for a short secret; null for long ones. */
  guessesLeft: number | null
} & OpenedByOther

export type TokenRow = Selectable<TokenTable>

/** A sign-in, shown to its user. */
export type SignInLogRow = {
  id: string
  userId: string
  ip: string
  userAgent: string
  createdAt: string
}

export type PostTable = {
  /** Order of creation; lists are sorted by it last, so that their order is total. */
  seq: Generated<number>
  id: string
  title: string
  content: string
  featuredImage: string
  status: string
  userId: string
  /** JSON list of permission strings as shown. */
  permissions: string
  /** Who may read, derived from `permissions`: a `Readers` of contract/permissions.ts. */
  readers: string
  /** 1 while the operator hides it from everybody but its author. */
  isHidden: Generated<number>
  /** When it was written; once it has been published, the same as `publishedAt`. */
  createdAt: string
  updatedAt: string
  /** When it was active for the first time; empty until then. */
  publishedAt: Generated<string>
  /** Number of likes of its discussion, copied by triggers. */
  likes: Generated<number>
}

export type PostRow = Selectable<PostTable>

/** Texts derived from a post's body; null until they are derived. */
export type PostTextRow = {
  postId: string
  /** Version of the rules by which all of it was derived; empty when unfinished. */
  rules: string
  /** A hash of the stored text that it was derived from. */
  digest: string
  /** null until counted. */
  words: number | null
  /** A hash of the text that pages show, and the data that they derive from it, as JSON. */
  shownDigest: string
  texts: string | null
  /** null when sanitising changed nothing. */
  cleaned: string | null
  /** The code samples, highlighted: a JSON list of HTML texts; null without any. */
  code: string | null
}

/** The extra attributes of a post. A post without any has no row. */
export type PostExtraRow = {
  postId: string
  /** A JSON object. */
  attributes: string
}

/** The secret link to a post that is not published. */
export type PreviewLinkTable = {
  postId: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  createdAt: string
  expiresAt: string
  opens: Generated<number>
  /** Empty until then. */
  lastOpenedAt: Generated<string>
}

/**
 * What an author has decided about a post or a deleted post, such as its excerpt. A post without
 * any of it has no row.
 */
export type PostDetailsTable = {
  seq: Generated<number>
  postId: string | null
  deletedId: string | null
  /** A JSON object (posts/post-details.ts). */
  details: string
}

/** An inactive post that becomes active by itself. */
export type PostScheduleTable = {
  postId: string
  publishAt: string
  /** The same, or when the server tries again after a problem. */
  tryAt: string
  /** A `PublishProblem` of contract/posts.ts: why it was not published; empty for none. */
  problem: Generated<string>
}

/** A tag of a post; `place` is its position. */
export type PostTagRow = {
  postSeq: number
  place: number
  /** As it was written. */
  name: string
  /** `tagKey` of contract/plain-text.ts. */
  key: string
  /** 1 when the tag is from the last line of the text. */
  isFromText: number
  /** Copies from the post for the index of the tag, maintained by triggers. */
  createdAt: string
  shown: string
  userId: string
}

/** A version of the title and text of a post or a deleted post. */
export type PostVersionTable = {
  seq: Generated<number>
  id: string
  postId: string | null
  deletedId: string | null
  title: string
  /** A `VersionKind` of contract/versions.ts. */
  kind: string
  /** When the restored version had been saved; empty for other kinds. */
  restoredFrom: string
  words: number
  wordsAdded: number
  wordsRemoved: number
  /** Sizes of the text, and of its compressed form. */
  textBytes: number
  sizeBytes: number
  /** Times of its first and last save. */
  createdAt: string
  savedAt: string
  /** The text, compressed (versions-store.ts). The last column: lists do not read it. */
  body: Uint8Array
}

/** A deleted post that its author can still restore. */
export type DeletedPostTable = Omit<PostTable, 'seq' | 'id' | 'isHidden' | 'likes'> & {
  /** As in {@link PostExtraRow}; empty when there are none. */
  attributes: Generated<string>
  /** A JSON list of `[name, isFromText]`; empty when there are none. */
  tags: Generated<string>
  seq: Generated<number>
  /** Not the id of the post, which may be used again. */
  id: string
  postId: string
  isHidden: number
  deletedAt: string
  /** 1 when an operator or the API key removed it. */
  isRemoved: Generated<number>
}

/** `seq` is the order of the likes. */
export type PostLikeTable = {
  seq: Generated<number>
  discussionSeq: number
  userId: string
  createdAt: string
}

export type FileTable = {
  seq: Generated<number>
  id: string
  bucketId: string
  /** The uploader; null when the API key uploaded it. */
  userId: string | null
  name: string
  mimeType: string
  /** While unfinished: the announced size. */
  sizeBytes: number
  /** MD5 of the stored bytes, hex; empty while unfinished. */
  signature: string
  width: number
  height: number
  /** The dominant colour, `#rrggbb`; empty when it has none or is not known. */
  color: string
  chunksTotal: number
  /** Number of chunks without a gap from the first; all once complete. */
  chunksUploaded: number
  isComplete: number
  /**
   * The server-made name of the stored bytes. Never used twice, so that a late removal cannot hit a
   * newer file.
   */
  storedName: string
  permissions: string
  readers: string
  createdAt: string
  updatedAt: string
}

/** An id that a file has or had. It belongs to its owner for ever. */
export type FileIdRow = {
  bucketId: string
  id: string
  /** Null for the API key; empty once the account is deleted: then it has no owner. */
  ownerId: string | null
  /** When the last file with this id was uploaded. */
  uploadedAt: string
  /** When a post or an avatar of the owner last stopped using the file; empty if none did. */
  releasedAt: string
}

/** A file that a post shows; `place` is `cover` or `body`. The file may be gone. */
export type PostFileRow = { postId: string; fileId: string; place: string }

/** A post in the full-text index (decision 0067), maintained by triggers. */
export type SearchPostRow = Pick<
  PostRow,
  'status' | 'isHidden' | 'readers' | 'userId' | 'createdAt' | 'seq'
> & {
  /** Folded, between blanks; null when the index does not have the current text. */
  title: string | null
}

/**
 * The comments and likes of a post or a deleted post, counted by triggers. Without either id the
 * post is gone, and the rows are deleted in batches.
 */
export type DiscussionTable = {
  seq: Generated<number>
  postId: string | null
  deletedId: string | null
  likes: Generated<number>
  /** Comments that are shown, and those of them at the top level. */
  shown: Generated<number>
  threads: Generated<number>
  /** The last position given to a comment at the top level. */
  lastPlace: Generated<number>
  isClosed: Generated<number>
}

export type CommentTable = {
  seq: Generated<number>
  id: string
  discussionSeq: number
  /** Empty at the top level. */
  parentId: string
  /** Its position at the top level or among the replies to its parent; never reused. */
  place: number
  /** The last position given to a reply. */
  lastPlace: Generated<number>
  /** Shown replies, counted by triggers. */
  replies: Generated<number>
  /** Null when the account is gone. */
  userId: string | null
  /** A `CommentStatus` of contract/comments.ts; `rejected` if it was hidden while it waited. */
  status: string
  /**
   * 1 while it is shown and its writer is not blocked. Only set by updates, which triggers count.
   */
  isCounted: Generated<number>
  hasLinks: number
  hiddenBy: Generated<string>
  hiddenAt: Generated<string>
  editedAt: Generated<string>
  /** A hash of its text, to find duplicates; empty when the text is gone. */
  digest: string
  createdAt: string
  updatedAt: string
  content: string
  /** `content` as HTML, links included, and the version of the renderer. */
  html: Generated<string>
  renderer: Generated<string>
}

/** A decision about all comments by a person, applied in batches (moderation/hidings.ts). */
export type CommentHidingTable = {
  seq: Generated<number>
  /** `hide` or `show`; `count` after the person was blocked or unblocked, set by a trigger. */
  action: string
  userId: string
  /** Null for all their comments in the blog. */
  discussionSeq: number | null
  /** When it was decided; for `show`, when the decision was made that it takes back. */
  decidedAt: string
  /** `operator` or `author`; for `show`, whose hiding it takes back, which may be `anyone`. */
  hiddenBy: string
  /** The actor; empty for the API key. */
  actorId: string
  actorName: string
  /** `seq` of the last comment that it was applied to, and of the last one in all. */
  position: Generated<number>
  lastSeq: number
  /** Comments for which events were published. */
  announced: Generated<number>
}

/** Counts of listed comments, maintained by triggers (0100-schema/comment-triggers.ts). */
export type CommentBlockTable = {
  discussionSeq: number
  /** Empty at the top level. */
  parentId: string
  /** The positions of its comments, divided by 1,000. */
  block: number
  /** Comments that count for a page: shown ones, and those with shown replies. */
  listed: number
}

export type Tables = ReportTables & {
  user: UserTable
  session: SessionTable
  identity: IdentityRow
  oauthState: OAuthStateRow
  token: TokenTable
  signInLog: SignInLogRow
  post: PostTable
  postLike: PostLikeTable
  postText: PostTextRow
  postExtra: PostExtraRow
  postDetails: PostDetailsTable
  postSchedule: PostScheduleTable
  /** An address such as `about` of a page; those that are not current lead to it. */
  pageAddress: { address: string; postId: string; isCurrent: number }
  postTag: PostTagRow
  previewLink: PreviewLinkTable
  postVersion: PostVersionTable
  discussion: DiscussionTable
  comment: CommentTable
  commentHiding: CommentHidingTable
  commentBlock: CommentBlockTable
  /** A file that the text of a version shows. The file may be gone. */
  versionFile: { versionId: string; fileId: string }
  deletedPost: DeletedPostTable
  /** How often a post was read on a day (`2025-11-23`, UTC); `userId` is its author. */
  postRead: { postId: string; day: string; userId: string; count: number }
  deletedRead: { deletedId: string; day: string; count: number }
  file: FileTable
  fileChunk: { bucketId: string; fileId: string; chunkIndex: number; storedName: string }
  invitation: InvitationTable
  activity: ActivityTable
  fileId: FileIdRow
  postFile: PostFileRow
  /** The file that a person's prefs name as the avatar. It may be gone. */
  avatarFile: { userId: string; fileId: string }
  /** The version of a tag is the sum of its rows, which triggers change. */
  cacheTag: { name: string; slot: number; version: number }
  /** Calls under the rate limits that protect accounts and mail (decision 0055). */
  rateCount: {
    /** A hash of the rule and its key. */
    id: string
    endMs: number
    calls: number
  }
  backupRun: BackupRunTable
  archiveRun: ArchiveRunTable
  archivePiece: ArchivePieceRow
  importIssue: ImportIssueRow
  importedItem: ImportedItemTable
  oldAddress: OldAddressRow
  unclaimedUser: UnclaimedUserRow
  commentAuthor: CommentAuthorRow
  /** Mailed links and codes that were used, by their id, for 90 days. */
  usedLink: { id: string; usedAt: string }
  /** Values that operators set in the browser (`SiteValues`), and when the blog was set up. */
  siteValue: { name: string; value: string }
  searchPost: SearchPostRow
  /** On PostgreSQL only. */
  secretMark: {
    /** The name of its file in the data folder. */
    name: string
    /** A fingerprint, hex. */
    mark: string
  }
}

/** A database or a transaction on it: store functions take either as their first argument. */
export type Database = Kysely<Tables>
