// What people and clients may send or ask for, and how long things last (threat-model.md §3, api.md
// §1, §8, product.md §9). The numbers of the server's inside stand in server-limits.ts. The unit is
// in the name. Nothing here reads the environment.

const KIB = 1024
const MIB = 1024 * KIB
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS

/** The version of the `/v1` API that every answer names. Never the product's own version. */
export const API_VERSION = '1.4.13'

// --- ids and text
/** Of a-z, A-Z, 0-9, period, hyphen and underscore (api.md §1.6). */
export const ID_MAX_CHARS = 36
/** Of title and content code points are counted (`hasMoreCharacters`). */
export const TITLE_MAX_CHARS = 255
/** Of the words of a title in the address of its page; code points. */
export const ADDRESS_WORDS_MAX_CHARS = 80
export const CONTENT_MAX_CHARS = 1_000_000
/** Of a content before it is cleaned, in units of UTF-16, and its signs `<`. */
export const CONTENT_SENT_MAX_CHARS = 2 * CONTENT_MAX_CHARS
export const CONTENT_TAGS_MAX = 300_000
/** Of what a page puts more around: images, players, code samples and tables. */
export const CONTENT_OBJECTS_MAX = 5000
/** Of the name of an attribute, and of an address as featured image. */
export const ATTRIBUTE_NAME_MAX_CHARS = 36
export const IMAGE_ADDRESS_MAX_CHARS = 255
/** Attributes of one post beside those of the roles, and all of them as JSON. */
export const OWN_ATTRIBUTES_MAX = 32
export const OWN_ATTRIBUTES_MAX_BYTES = 16 * KIB
/** Other names of its attributes that a post is remembered to be written with. */
export const SPELLINGS_MAX = 16
/** Attributes and indexes that the API key may declare. */
export const DECLARED_ATTRIBUTES_MAX = 64
export const DECLARED_INDEXES_MAX = 64
/** Posts that the API key may send in one call, and change by queries in one call. */
export const BULK_DOCUMENTS_MAX = 100
export const BULK_POSTS_MAX = 1000
/** How deep elements of a post body may be nested. */
export const CONTENT_MAX_DEPTH = 100
/** Tags of a post, and how long one is as it was written, in code points. */
export const TAGS_MAX = 5
export const TAG_MAX_CHARS = 30
/** Of a tag as it is found by: some letters are written out then. */
export const TAG_KEY_MAX_CHARS = 4 * TAG_MAX_CHARS
/** Characters of a last line that may hold tags. A longer one holds none. */
export const TAG_LINE_MAX_CHARS = 1000
/** Versions of a post's text that are kept; the oldest go first. */
export const VERSIONS_MAX = 50
/** Of the compressed texts of one post's versions; room for 50 of a million letters of prose. */
export const VERSIONS_MAX_BYTES = 20 * MIB
/** Saves of a draft by itself within this time are one version. */
export const AUTOSAVES_ARE_ONE_SECONDS = 10 * MINUTE_SECONDS
/** Reading the text of one version costs what cleaning it costs, for each KiB. */
export const VERSION_PRICE_MS_PER_KIB = 0.2
/** How long a deleted post can be brought back. */
export const DELETED_POST_SECONDS = 30 * DAY_SECONDS
/** Deleted posts whose time is over, ended in one transaction. */
export const DELETED_POSTS_ENDED_AT_ONCE = 20
export const NAME_MAX_CHARS = 128
export const EMAIL_MAX_CHARS = 254
/** Of the line of a person about themselves, in code points. */
export const ABOUT_AUTHOR_MAX_CHARS = 300
/** Of the preferences as JSON. */
export const PREFS_MAX_BYTES = 65_535
export const PASSWORD_MIN_CHARS = 8
export const PASSWORD_MAX_CHARS = 256
/** How many of the most common passwords are refused. */
export const COMMON_PASSWORDS = 10_000
/** Permission strings of one post or file. */
export const PERMISSIONS_MAX = 100
export const UNKNOWN_USER_NAME = 'Unknown User'

// --- sessions
/** A session ends this long after the sign-in, or after its last use, whichever comes first. */
export const SESSION_ABSOLUTE_SECONDS = 30 * DAY_SECONDS
export const SESSION_IDLE_SECONDS = 14 * DAY_SECONDS
/** One more ends the oldest. */
export const SESSIONS_PER_USER = 10
/** Sign-ins that are remembered of each user, and for how long. */
export const SIGN_IN_LOGS_PER_USER = 100
export const SIGN_IN_LOG_SECONDS = 90 * DAY_SECONDS
/** Lifetime of a token that stands for a session, unless the call says otherwise. */
export const JWT_SECONDS = 15 * MINUTE_SECONDS
export const JWT_MAX_SECONDS = HOUR_SECONDS
/** For clocks that differ. */
export const JWT_LEEWAY_SECONDS = 10
export const JWT_MAX_CHARS = 1024
/**
 * How exactly the last use of a session and the last visit of a person are recorded; a sign-in is
 * always recorded.
 */
export const SESSION_USE_STEP_SECONDS = MINUTE_SECONDS
export const ACCESSED_AT_STEP_SECONDS = DAY_SECONDS
/** How long a browser counts as known to its owner; cookies last 400 days at most. */
export const KNOWN_BROWSER_SECONDS = 365 * DAY_SECONDS

// --- lists
/** Queries of one list call. More, or a longer one: 400 `general_argument_invalid`. */
export const QUERIES_MAX = 100
export const QUERY_MAX_CHARS = 4096
export const QUERY_VALUES_MAX = 100
/**
 * Values of all queries of one call together, for everybody but the API key; a condition without a
 * value counts as one.
 */
export const QUERY_VALUES_IN_ALL_MAX = 200
/** Conditions of all queries of one call together, those inside `and` and `or` too. */
export const QUERY_CONDITIONS_MAX = { guest: 10, user: 30, key: 100 } as const
/** Words of one `search` that are looked for. */
export const QUERY_SEARCH_WORDS_MAX = 10
/** How deep `and` and `or` may be nested. */
export const QUERY_DEPTH_MAX = 8
/** Rows of one page, when no `limit` is asked for. */
export const LIST_LIMIT_DEFAULT = 25
export const LIST_LIMIT_MAX = 100
export const LIST_OFFSET_MAX = 5000
/** Rows of one page of posts, files or users; a larger `limit` means so many. */
export const LIST_ROWS_MAX = 5000
/** `total` of a list counts no further. */
export const TOTAL_MAX = 5000
/** Ids in `likeId` of an answer; `like` itself is exact. */
export const LIKE_IDS_MAX = 1000
/** Ids in `likeId` of all posts of a page; shared evenly when there would be more. */
export const LIST_LIKE_IDS_MAX = 20_000
/**
 * What one list of posts may cost, as backend/posts/list-cost.ts estimates it: milliseconds of a
 * machine with two cores. No bound for the API key.
 */
export const LIST_PRICE_MAX_MS = 100
/** Lists up to this price do not count, unless they may bring many bodies. */
export const LIST_PRICE_FREE_MS = 5
/** How long the sizes that prices are made of are kept. */
export const LIST_MEASURES_SECONDS = MINUTE_SECONDS
/** A page of posts ends early rather than hold more bytes of bodies; one post always fits. */
export const LIST_CONTENT_MAX_BYTES = 8 * MIB
export const LIST_CONTENT_MAX_BYTES_FOR_KEY = 64 * MIB
/** Tags of one answer to a question for tags: at most, and unless it says how many. */
export const TAGS_ASKED_MAX = 25
export const TAGS_ASKED_DEFAULT = 10
/** `posts` of a tag counts no further. */
export const TAG_POSTS_MAX = 1000
/**
 * Posts in a feed that programs follow, and the bytes of bodies it may hold: the posts after those
 * are there with their titles only.
 */
export const FOLLOWED_POSTS = 25
export const FOLLOWED_CONTENT_MAX_BYTES = 1 * MIB
/** What writing such a feed costs, counted with lists, and each KiB of it. */
export const FEED_PRICE_MS = 5
export const FEED_PRICE_MS_PER_KIB = 0.05
/** Cards on one page of the feed. */
export const FEED_PAGE_POSTS = 12

// --- search
export const SEARCH_MAX_CHARS = 200
/** Posts that can be paged to, and on one page; `total` counts no further. */
export const SEARCH_RESULTS_MAX = 1000
export const SEARCH_PAGE_POSTS = 12
export const SEARCH_PAGES_MAX = Math.ceil(SEARCH_RESULTS_MAX / SEARCH_PAGE_POSTS)

// --- files
/** Every chunk but the last has exactly this size (api.md §4.3). */
export const CHUNK_BYTES = 5 * MIB
/** The largest file of each bucket. Larger: 400 `storage_invalid_file_size`. */
export const CONTENT_FILE_MAX_BYTES = 30_000_000
export const AVATAR_FILE_MAX_BYTES = 5 * MIB
export const FILE_NAME_MAX_CHARS = 255
/** Lower case; others: 400 `storage_file_type_unsupported`. */
export const IMAGE_EXTENSIONS = ['png', 'jpg', 'jpeg', 'gif'] as const
/** Bounds of an image that is uploaded, so that decoding it stays cheap (threat-model.md §3). */
export const IMAGE_FRAME_MAX_PIXELS = 50_000_000
export const IMAGE_SIDE_MAX_PIXELS = 12_000
/** A larger image that has to be in memory as a whole, or a larger preview, is worked on alone. */
export const IMAGE_LARGE_PIXELS = 13_000_000
/** So is one in a larger file, since a few files are in memory at a time. */
export const IMAGE_LARGE_BYTES = 12 * MIB
/** And one that costs more. The unit is the work of decoding one pixel of a plain jpeg. */
export const IMAGE_LARGE_COST = 100_000_000
export const IMAGE_MAX_FRAMES = 300
/** The longer side of an image that the browser draws smaller, as it is too large to be sent. */
export const IMAGE_SCALED_SIDE_PIXELS = 2400
/** How long the browser may take to draw one. */
export const IMAGE_PREPARE_TIMEOUT_MS = 60_000
/** Pasted Markdown that takes longer to become rich text stays as it was typed. */
export const MARKDOWN_TIMEOUT_MS = 5000
/** Of all frames together. */
export const IMAGE_MAX_PIXELS = 150_000_000
/** Bounds of what a preview may be asked for (api.md §4.4). */
export const PREVIEW_SIDE_MAX_PIXELS = 4000
export const PREVIEW_MAX_PIXELS = 16_000_000
export const PREVIEW_BORDER_MAX_PIXELS = 100
export const PREVIEW_TIMEOUT_MS = 10_000
export const PREVIEW_CACHE_SECONDS = 30 * DAY_SECONDS
/** Percent. What the reference has (api.md §4.4); our own pages always ask for less. */
export const PREVIEW_QUALITY_DEFAULT = 100
/** Frames x pixels of an animated preview; beyond it only the first frame is drawn. */
export const PREVIEW_ANIMATION_MAX_PIXELS = 12_000_000
/**
 * How much image work may wait, how much of it may be of one address, and how long each may wait at
 * one stage. More: 503 `general_service_disabled`. There is room for feeds of several visitors.
 */
export const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
export const IMAGE_WAIT_MAX_MS = 30_000
/** Ordinary image work at once, on however many cores; large work is one at a time beside it. */
export const IMAGES_AT_ONCE_MAX = 3
/**
 * What image work of one address, and of one person, may cost: `[most at once, regained each
 * second]`, in pixels as of `IMAGE_LARGE_COST`. Beyond it: 429 `general_rate_limit_exceeded` with
 * Retry-After. Previews that are kept cost nothing.
 */
export const IMAGE_BUDGET = {
  /** Cards, avatars, initials, images of a post: about 300 of camera photos, then 2 a second. */
  ordinaryPreview: [12_000_000_000, 100_000_000],
  /** About 30 jpegs of 4000 x 4000, then one in 8 seconds. */
  largePreview: [2_400_000_000, 10_000_000],
  /** About 140 camera photos that have to be turned upright, then one in 4 seconds. */
  upload: [12_000_000_000, 20_000_000],
} as const satisfies Record<string, readonly [most: number, perSecond: number]>
/** Scans of a progressive jpeg; each decodes the whole image again. */
export const IMAGE_MAX_SCANS = 100
export const FILE_CACHE_SECONDS = 45 * DAY_SECONDS
export const FILE_SEARCH_MAX_CHARS = 256
/**
 * The card of a post without an image, in pixels: nearly every link preview is cropped to this
 * shape. Drawn in these widths only, so that nobody can have it drawn in more.
 */
export const SHARE_CARD = { width: 1200, height: 630, widths: [1200, 600] } as const
/** Of an address that is asked for at `/oembed`. */
export const OEMBED_URL_MAX_CHARS = 2000
export const INITIALS_SIDE_MAX_PIXELS = 2000
export const INITIALS_SIDE_DEFAULT_PIXELS = 500
/** Of flags. */
export const ICON_SIDE_MAX_PIXELS = 2000
export const ICON_SIDE_DEFAULT_PIXELS = 100
export const QR_TEXT_MAX_CHARS = 512
export const QR_SIDE_MAX_PIXELS = 1000
export const QR_SIDE_DEFAULT_PIXELS = 400
/** In the squares of the code. */
export const QR_MARGIN_MAX = 10
/** What one person may store, in both buckets together. */
export const STORED_PER_USER_MAX_BYTES = 1024 * MIB
export const FILES_PER_USER_MAX = 5000
export const UNFINISHED_UPLOADS_PER_USER_MAX = 20
/** Then an upload that was not completed is removed. */
export const UNFINISHED_UPLOAD_SECONDS = DAY_SECONDS
/** Then a file that nothing uses is removed. */
export const UNUSED_FILE_SECONDS = DAY_SECONDS
/** How long its owner may delete a file that a post or an avatar has just let go. */
export const RELEASED_FILE_SECONDS = DAY_SECONDS
/** Uses of a file that the list of own files names, and how many are looked at for other people. */
export const FILE_USES_SHOWN_MAX = 20
export const FILE_USES_SEARCHED_MAX = 100
/** Own files on one page of the settings. */
export const OWN_FILES_PAGE = 12
/** From here on the settings say that the space is almost full. */
export const SPACE_ALMOST_FULL_PERCENT = 90
/** Different files that one post body may show: as many as a person may keep. */
export const FILES_IN_BODY_MAX = FILES_PER_USER_MAX
/** Width and height of an avatar, as pages ask for it. */
export const AVATAR_SIDE_PIXELS = 300

// --- mail and the secrets in it
/** How long each mailed link works. */
export const RECOVERY_SECONDS = HOUR_SECONDS
export const VERIFICATION_SECONDS = HOUR_SECONDS
export const MAGIC_URL_SECONDS = 10 * MINUTE_SECONDS
/** Of the digits that sign in, in a mail. */
export const EMAIL_CODE_SECONDS = 10 * MINUTE_SECONDS
export const EMAIL_CODE_DIGITS = 6
/** Of what a sign-in at a provider hands over to the program that asked for it. */
export const OAUTH_TOKEN_SECONDS = MINUTE_SECONDS
/** Wrong guesses of a short secret; then it is void. */
export const SHORT_SECRET_GUESSES = 5
/** Secrets below it are short. */
export const LONG_SECRET_MIN_CHARS = 32
/** What the operator may ask for. */
export const TOKEN_MIN_CHARS = 4
export const TOKEN_MAX_CHARS = 128
/** Tokens of a user side by side that were not mailed; the oldest go first. */
export const TOKENS_PER_USER = 20
/** As hex that is 256 characters (api.md §2.3). */
export const MAIL_SECRET_BYTES = 128
export const MAIL_SECRET_MAX_CHARS = 256
/** How long a sign-in link made by the operator works, unless the call says otherwise. */
export const SIGN_IN_LINK_SECONDS = 15 * MINUTE_SECONDS
export const SIGN_IN_LINK_MIN_SECONDS = MINUTE_SECONDS
export const SIGN_IN_LINK_MAX_SECONDS = 7 * DAY_SECONDS
/** How long an invitation works. */
export const INVITATION_SECONDS = 7 * DAY_SECONDS
export const USER_SEARCH_MAX_CHARS = 256
/** Labels of a user, of letters and digits. */
export const LABELS_MAX = 100
export const LABEL_MAX_CHARS = 36
/**
 * Answers that must not reveal whether an address is known take a multiple of this time, whatever
 * work there was.
 */
export const UNIFORM_ANSWER_MS = 250

// --- sign-in with Google
/** How long a person may take at the provider. */
export const OAUTH_STATE_SECONDS = 10 * MINUTE_SECONDS
export const OAUTH_SCOPES_MAX = 100
export const OAUTH_SCOPE_MAX_CHARS = 4096
/** How long the provider may take to answer one request of ours. */
export const PROVIDER_TIMEOUT_SECONDS = 10
/** How long the provider's metadata is cached. */
export const PROVIDER_METADATA_SECONDS = DAY_SECONDS

// --- deleting the account, export
/**
 * How recent the sign-in of a person without a password must be to delete the account, change its
 * address or set its first password.
 */
export const FRESH_SIGN_IN_SECONDS = 10 * MINUTE_SECONDS
export const EXPORT_NAME_MAX_CHARS = 100

/** Of the author, named after a post. */
export const OTHER_POSTS = 3

// --- reads
export const READS_SHOWN_DAYS = 30
/** Longer than a year, so that a day can be looked at beside the same one of the year before. */
export const READS_KEPT_DAYS = 400
/** In the table of the most read ones. */
export const READS_POSTS_MAX = 25

// --- rate limits
/** `[calls, window in seconds]`. More: 429 `general_rate_limit_exceeded` (threat-model.md §3). */
export const RATE = {
  signUpPerAddress: [10, HOUR_SECONDS],
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
  /** Questions whether an invitation works. */
  invitationPerAddress: [50, HOUR_SECONDS],
  verificationPerUser: [10, HOUR_SECONDS],
  passwordChangePerUser: [10, HOUR_SECONDS],
  emailChangePerUser: [10, HOUR_SECONDS],
  identityDeletePerUser: [10, HOUR_SECONDS],
  accountDeletePerUser: [10, HOUR_SECONDS],
  exportPerUser: [10, HOUR_SECONDS],
  googleStartPerAddress: [50, HOUR_SECONDS],
  googleCallbackPerAddress: [50, HOUR_SECONDS],
  documentWritePerUser: [120, MINUTE_SECONDS],
  documentDeletePerUser: [60, MINUTE_SECONDS],
  highlightPerUser: [60, MINUTE_SECONDS],
  fileCreatePerUser: [60, MINUTE_SECONDS],
  fileWritePerUser: [60, MINUTE_SECONDS],
  /** Milliseconds, by the prices of lists; the last one may cost more than is left. */
  listWorkPerUser: [1000, 10],
  /** Pages that the app opens; those that the server sends count as any request. */
  readPerUser: [120, MINUTE_SECONDS],
  readNumbersPerUser: [60, MINUTE_SECONDS],
  anythingPerAddress: [1200, MINUTE_SECONDS],
  /** Files of the sitemap: each may hold 50,000 addresses. */
  sitemapPerAddress: [60, MINUTE_SECONDS],
  realtimeConnectPerAddress: [128, MINUTE_SECONDS],
  realtimeMessagePerConnection: [32, MINUTE_SECONDS],
} as const satisfies Record<string, readonly [max: number, windowSeconds: number]>

// --- pages
/** A page of a signed-in person goes out without what took longer; its browser asks then. */
export const PAGE_DATA_TIMEOUT_MS = 3000
/** Of the cookie that tells the server the theme of a device. */
export const THEME_COOKIE_SECONDS = 365 * DAY_SECONDS
