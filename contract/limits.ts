// Limits that both sides use (threat-model.md §3, api.md §1, §8, product.md §9); other limits are
// next to the only code that uses them. The unit is in the name.

const MIB = 1024 * 1024
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS

// --- ids and text
/** Titles and contents are counted in code points (`hasMoreCharacters`). */
export const TITLE_MAX_CHARS = 255
export const CONTENT_MAX_CHARS = 1_000_000
/** Tags of a post, and the length of a tag as written, in code points. */
export const TAGS_MAX = 5
export const TAG_MAX_CHARS = 30
/** What an author decides about a post beside its text, in code points. */
export const DETAIL_MAX_CHARS = {
  excerpt: 300,
  addressWords: TITLE_MAX_CHARS,
  metaTitle: 120,
  metaDescription: 300,
  canonicalUrl: 2000,
}
export const NAME_MAX_CHARS = 128
/** Length of a bio, in code points. */
export const ABOUT_AUTHOR_MAX_CHARS = 300
export const PASSWORD_MIN_CHARS = 8
export const PASSWORD_MAX_CHARS = 256
/** Why a person is blocked, or content hidden. */
export const REASON_MAX_CHARS = 300
/** The reporter's own words. */
export const REPORT_WORDS_MAX_CHARS = 500
export const UNKNOWN_USER_NAME = 'Unknown User'

// --- lists
/** Values in one query of a list. */
export const QUERY_VALUES_MAX = 100
/** Rows of one page. */
export const LIST_LIMIT_MAX = 100
/** `total` of a list counts no further. */
export const TOTAL_MAX = 5000

// --- search
export const SEARCH_MAX_CHARS = 200
/** Posts on all pages, and on one page; `total` counts no further. */
export const SEARCH_RESULTS_MAX = 1000
export const SEARCH_PAGE_POSTS = 12
export const SEARCH_PAGES_MAX = Math.ceil(SEARCH_RESULTS_MAX / SEARCH_PAGE_POSTS)

// --- files
/** Every chunk but the last has exactly this size (api.md §4.3). */
export const CHUNK_BYTES = 5 * MIB
/** The largest file of each bucket. Larger: 400 `storage_invalid_file_size`. */
export const CONTENT_FILE_MAX_BYTES = 30_000_000
export const AVATAR_FILE_MAX_BYTES = 5 * MIB
/** Lower case; others: 400 `storage_file_type_unsupported`. */
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif'] as const
/** Bounds of an image that is uploaded, so that decoding it stays cheap (threat-model.md §3). */
export const IMAGE_FRAME_MAX_PIXELS = 50_000_000
export const IMAGE_SIDE_MAX_PIXELS = 12_000
/**
 * The card of a post without an image, in pixels: nearly every link preview is cropped to this
 * shape. Only these widths are drawn, so that nobody can make the server draw more.
 */
export const SHARE_CARD = { width: 1200, height: 630, widths: [1200, 600] } as const
/** How long an unused file is stored. */
export const UNUSED_FILE_SECONDS = 24 * HOUR_SECONDS
/** Width and height of the avatars that pages request. */
export const AVATAR_SIDE_PIXELS = 300

// --- rate limits
/** `[calls, window in seconds]`. More: 429 `general_rate_limit_exceeded` (threat-model.md §3). */
export const RATE = {
  signUpPerAddress: [10, HOUR_SECONDS],
  /** Wrong setup codes. The right one is never refused. */
  wrongSetupCodePerAddress: [10, MINUTE_SECONDS],
  signInFailuresPerEmailAndAddress: [10, HOUR_SECONDS],
  signInFailuresPerEmail: [50, HOUR_SECONDS],
  signInFailuresPerAddress: [100, HOUR_SECONDS],
  sessionDeletePerAddress: [100, HOUR_SECONDS],
  sessionRefreshPerAddress: [10, HOUR_SECONDS],
  jwtPerUser: [100, HOUR_SECONDS],
  mailRequestPerEmail: [10, HOUR_SECONDS],
  mailRequestPerAddress: [10, HOUR_SECONDS],
  /** Attempts to use a mailed secret. */
  mailSecretPerTargetUser: [10, HOUR_SECONDS],
  signInTokenPerAddress: [300, HOUR_SECONDS],
  unsubscribePerAddress: [60, HOUR_SECONDS],
  /** Checks whether an invitation is valid. */
  invitationPerAddress: [50, HOUR_SECONDS],
  verificationPerUser: [10, HOUR_SECONDS],
  passwordChangePerUser: [10, HOUR_SECONDS],
  emailChangePerUser: [10, HOUR_SECONDS],
  /** Name, avatar and bio: what readers see of a person. */
  profileChangePerUser: [30, HOUR_SECONDS],
  /** Preferences, and notification choices; each has this limit. */
  settingsChangePerUser: [120, MINUTE_SECONDS],
  identityDeletePerUser: [10, HOUR_SECONDS],
  accountDeletePerUser: [10, HOUR_SECONDS],
  exportPerUser: [10, HOUR_SECONDS],
  importPerUser: [20, HOUR_SECONDS],
  importPiecePerUser: [600, MINUTE_SECONDS],
  /** Checking, starting, pausing, resuming, undoing and discarding imports. */
  importChangePerUser: [60, MINUTE_SECONDS],
  /** Test mails, checks and backups of operators; each has this limit. */
  operatorWorkPerUser: [20, HOUR_SECONDS],
  /** Links that an operator copies from mails in the outbox. */
  mailLinkPerUser: [60, HOUR_SECONDS],
  /** Checks of a typed backup folder. */
  backupFolderPerUser: [120, MINUTE_SECONDS],
  googleStartPerAddress: [50, HOUR_SECONDS],
  googleCallbackPerAddress: [50, HOUR_SECONDS],
  documentWritePerUser: [120, MINUTE_SECONDS],
  documentDeletePerUser: [60, MINUTE_SECONDS],
  /** New comments. */
  commentPerUser: [10, MINUTE_SECONDS],
  commentPerUserAndDay: [300, 24 * HOUR_SECONDS],
  commentPerAddress: [60, MINUTE_SECONDS],
  commentPerPost: [120, MINUTE_SECONDS],
  /** Hiding all comments by a person, or showing them again. */
  commentsHiddenPerUser: [30, HOUR_SECONDS],
  reportPerUser: [20, HOUR_SECONDS],
  highlightPerUser: [60, MINUTE_SECONDS],
  fileCreatePerUser: [60, MINUTE_SECONDS],
  fileWritePerUser: [60, MINUTE_SECONDS],
  /** Milliseconds of work on lists, searches and tags; the last call may exceed the rest. */
  listWorkPerUser: [1000, 10],
  /** Page views in the app; pages that the server renders count as requests. */
  readPerUser: [120, MINUTE_SECONDS],
  readNumbersPerUser: [60, MINUTE_SECONDS],
  anythingPerAddress: [1200, MINUTE_SECONDS],
  /** Files of the sitemap: each may hold 50,000 addresses. */
  sitemapPerAddress: [60, MINUTE_SECONDS],
  realtimeConnectPerAddress: [128, MINUTE_SECONDS],
  realtimeMessagePerConnection: [32, MINUTE_SECONDS],
} as const satisfies Record<string, readonly [max: number, windowSeconds: number]>

// --- pages
/**
 * The page of a signed-in person is sent without data that took longer; the browser fetches it.
 */
export const PAGE_DATA_TIMEOUT_MS = 3000
