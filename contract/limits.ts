// Every number that both sides, the tests or the docs know. Sources: threat-model.md §3, api.md §1,
// §8, product.md §9. Units sit in the names. Nothing here reads the environment.

const KIB = 1024
const MIB = 1024 * KIB
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS

/** The level of the `/v1` API that this server speaks. Never the product's own version. */
export const API_VERSION = '1.4.13'

// --- requests
export const HEADERS_MAX_BYTES = 16 * KIB
export const HEADERS_TIMEOUT_MS = 10_000
export const JSON_BODY_MAX_BYTES = 4 * MIB
export const JSON_MAX_DEPTH = 32
export const JSON_MAX_KEYS = 1000
export const JSON_REQUEST_TIMEOUT_MS = 30_000
export const UPLOAD_REQUEST_MAX_BYTES = 6 * MIB
export const UPLOAD_REQUEST_TIMEOUT_MS = 5 * MINUTE_SECONDS * 1000
/** An upload's speed is averaged over this time. */
export const UPLOAD_SPEED_WINDOW_MS = 30_000
export const UPLOAD_SPEED_MIN_BYTES_PER_SECOND = 1 * KIB

// --- ids and text
export const ID_MAX_CHARS = 36
export const TITLE_MAX_CHARS = 255
export const CONTENT_MAX_CHARS = 1_000_000
export const CONTENT_MAX_DEPTH = 100
/** Post bodies that the server knows to be clean; about 100 bytes each. */
export const CLEAN_BODIES_KEPT = 20_000
export const NAME_MAX_CHARS = 128
export const EMAIL_MAX_CHARS = 254
export const PREFS_MAX_BYTES = 65_535
export const PASSWORD_MIN_CHARS = 8
export const PASSWORD_MAX_CHARS = 256
export const COMMON_PASSWORDS = 10_000
export const PERMISSIONS_MAX = 100
export const UNKNOWN_USER_NAME = 'Unknown User'

// --- sessions
export const SESSION_ABSOLUTE_SECONDS = 30 * DAY_SECONDS
export const SESSION_IDLE_SECONDS = 14 * DAY_SECONDS
export const SESSIONS_PER_USER = 10
/** How exactly the server notes when a session was last used, and when its person last came by. */
export const SESSION_USE_STEP_SECONDS = MINUTE_SECONDS
export const ACCESSED_AT_STEP_SECONDS = DAY_SECONDS
/**
 * How long a browser counts as one its owner signed in from (browsers keep no cookie for longer
 * than 400 days).
 */
export const KNOWN_BROWSER_SECONDS = 365 * DAY_SECONDS

// --- lists
export const QUERIES_MAX = 100
export const QUERY_MAX_CHARS = 4096
export const QUERY_VALUES_MAX = 100
/**
 * Values of all queries of one call together, for everybody but the API key; a condition without a
 * value counts as one.
 */
export const QUERY_VALUES_IN_ALL_MAX = 200
/** How deep `and` and `or` may hold each other. */
export const QUERY_DEPTH_MAX = 8
export const LIST_LIMIT_DEFAULT = 25
export const LIST_LIMIT_MAX = 100
export const LIST_OFFSET_MAX = 5000
export const LIST_LIMIT_MAX_FOR_KEY = 5000
export const TOTAL_MAX = 5000
export const LIKE_IDS_MAX = 1000
/**
 * How many bytes of post bodies one list call may look through, each condition counted anew; no
 * bound for the API key.
 */
export const CONTENT_SEARCH_MAX_BYTES = 32 * MIB
/** A page of posts ends early rather than hold more bytes of bodies; one post always fits. */
export const LIST_CONTENT_MAX_BYTES = 8 * MIB
export const LIST_CONTENT_MAX_BYTES_FOR_KEY = 64 * MIB
/** Cards on one page of the feed. */
export const FEED_PAGE_POSTS = 12

// --- files
export const CHUNK_BYTES = 5 * MIB
export const CONTENT_FILE_MAX_BYTES = 30_000_000
export const AVATAR_FILE_MAX_BYTES = 5 * MIB
export const FILE_NAME_MAX_CHARS = 255
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif'] as const
export const IMAGE_FRAME_MAX_PIXELS = 50_000_000
export const IMAGE_SIDE_MAX_PIXELS = 12_000
/** Beyond it an image that has to be held whole is decoded alone. */
export const IMAGE_LARGE_PIXELS = 8_000_000
export const IMAGE_MAX_FRAMES = 300
export const IMAGE_MAX_PIXELS = 150_000_000
export const PREVIEW_SIDE_MAX_PIXELS = 4000
export const PREVIEW_MAX_PIXELS = 16_000_000
export const PREVIEW_BORDER_MAX_PIXELS = 100
export const PREVIEW_TIMEOUT_MS = 10_000
export const PREVIEW_CACHE_SECONDS = 30 * DAY_SECONDS
/** As far as the reference goes (api.md §4.4); our own pages always ask for less. */
export const PREVIEW_QUALITY_DEFAULT = 100
/** Frames x pixels of a moving preview; beyond it the first frame stands still. */
export const PREVIEW_ANIMATION_MAX_PIXELS = 12_000_000
export const PREVIEW_STORE_MAX_BYTES = 512 * MIB
/** Previews asked for lately are in memory as well. */
export const PREVIEW_MEMORY_MAX_BYTES = 32 * MIB
export const IMAGE_QUEUE_MAX = 64
export const IMAGE_MAX_SCANS = 100
export const FILE_CACHE_SECONDS = 45 * DAY_SECONDS
export const FILE_SEARCH_MAX_CHARS = 256
export const INITIALS_SIDE_MAX_PIXELS = 2000
export const INITIALS_SIDE_DEFAULT_PIXELS = 500
export const STORED_PER_USER_MAX_BYTES = 1024 * MIB
export const FILES_PER_USER_MAX = 5000
export const UNFINISHED_UPLOADS_PER_USER_MAX = 20
export const UNFINISHED_UPLOAD_SECONDS = DAY_SECONDS
export const AVATAR_SIDE_PIXELS = 300
export const S3_ATTEMPTS = 3
export const S3_CONNECT_TIMEOUT_MS = 5000
/**
 * How long nothing may move on a connection to the S3 server; a slow reader of a file rests there,
 * too.
 */
export const S3_SILENCE_TIMEOUT_MS = 60_000
export const S3_SOCKETS_MAX = 256

// --- passwords and other bounded queues
export const HASH_QUEUE_MAX = 64
/** argon2id (threat-model.md §6). */
export const HASH_MEMORY_KIB = 19 * 1024
export const HASH_PASSES = 2
export const HASH_THREADS = 1

// --- mail and the secrets in it
export const RECOVERY_SECONDS = HOUR_SECONDS
export const VERIFICATION_SECONDS = HOUR_SECONDS
export const MAGIC_URL_SECONDS = 10 * MINUTE_SECONDS
/** As hex that is 256 characters (api.md §2.3). */
export const MAIL_SECRET_BYTES = 128
export const MAIL_SECRET_MAX_CHARS = 256
/** A sign-in link that the operator hands over. */
export const SIGN_IN_LINK_SECONDS = 15 * MINUTE_SECONDS
export const SIGN_IN_LINK_MIN_SECONDS = MINUTE_SECONDS
export const SIGN_IN_LINK_MAX_SECONDS = 7 * DAY_SECONDS
export const USER_SEARCH_MAX_CHARS = 256
/**
 * Answers that must not tell whether an address is known come at a multiple of this time, whatever
 * there was to do.
 */
export const UNIFORM_ANSWER_MS = 250
export const MAIL_ATTEMPT_TIMEOUT_MS = 20_000
/** Pauses after the attempts that failed; then the mail is lost. */
export const MAIL_RETRY_MS = [2_000, 10_000, 30_000, 2 * MINUTE_SECONDS * 1000] as const
/** What a running attempt gets when the server stops. */
export const MAIL_CLOSE_GRACE_MS = 5000
export const MAILS_WAITING_MAX = 1000
export const OUTBOX_FILES_MAX = 1000

// --- sign-in with Google
export const OAUTH_STATE_SECONDS = 10 * MINUTE_SECONDS
export const OAUTH_SCOPES_MAX = 100
export const OAUTH_SCOPE_MAX_CHARS = 4096
/** How long the provider may take to answer one request of ours. */
export const PROVIDER_TIMEOUT_SECONDS = 10
/** For how long what the provider says of itself is believed. */
export const PROVIDER_METADATA_SECONDS = DAY_SECONDS

// --- leaving
/** How fresh the sign-in of somebody without a password must be to delete the account. */
export const FRESH_SIGN_IN_SECONDS = 10 * MINUTE_SECONDS
export const EXPORT_NAME_MAX_CHARS = 100

// --- rate limits: [most calls, window in seconds] (threat-model.md §3) --------------------------------------------------
export const RATE = {
  signUpPerAddress: [10, HOUR_SECONDS],
  signInFailuresPerEmailAndAddress: [10, HOUR_SECONDS],
  signInFailuresPerEmail: [50, HOUR_SECONDS],
  signInFailuresPerAddress: [100, HOUR_SECONDS],
  sessionDeletePerAddress: [100, HOUR_SECONDS],
  sessionRefreshPerAddress: [10, HOUR_SECONDS],
  mailRequestPerEmail: [10, HOUR_SECONDS],
  mailRequestPerAddress: [10, HOUR_SECONDS],
  /** Guesses of a mailed secret. */
  mailSecretPerTargetUser: [10, HOUR_SECONDS],
  verificationPerUser: [10, HOUR_SECONDS],
  passwordChangePerUser: [10, HOUR_SECONDS],
  emailChangePerUser: [10, HOUR_SECONDS],
  accountDeletePerUser: [10, HOUR_SECONDS],
  exportPerUser: [10, HOUR_SECONDS],
  googleStartPerAddress: [50, HOUR_SECONDS],
  googleCallbackPerAddress: [50, HOUR_SECONDS],
  documentWritePerUser: [120, MINUTE_SECONDS],
  documentDeletePerUser: [60, MINUTE_SECONDS],
  fileCreatePerUser: [60, MINUTE_SECONDS],
  fileWritePerUser: [60, MINUTE_SECONDS],
  anythingPerAddress: [1200, MINUTE_SECONDS],
} as const satisfies Record<string, readonly [max: number, windowSeconds: number]>

// --- stopping and background work
export const STOP_GRACE_MS = 800
export const STOP_TIMEOUT_MS = 10_000
export const SWEEP_EVERY_MS = DAY_SECONDS * 1000
export const ORPHAN_SECONDS = DAY_SECONDS
