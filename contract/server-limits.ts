// The numbers of the server's inside: its queues, its memory, its database, its connections, how it
// stops. The unit is in the name. Nothing here reads the environment.

const KIB = 1024
const MIB = 1024 * KIB
const MINUTE_SECONDS = 60
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS

// --- memory and disk
/** Of so many lists of authors the number of posts is kept, for the prices of lists. */
export const LIST_MEASURES_KEPT = 1000
/** Drawn previews kept on disk; the least recently used ones go first. */
export const PREVIEW_STORE_MAX_BYTES = 512 * MIB
/** Uploads that wait to be drawn ahead, and of one person. Others are drawn when asked for. */
export const DUE_DRAWINGS_MAX = 1000
export const DUE_DRAWINGS_PER_PERSON_MAX = 50
/** For so long nobody else draws what a process has begun, which may have ended since. */
export const DUE_DRAWING_LEASE_MS = MINUTE_SECONDS * 1000
/** How often a process looks for what others have left. */
export const DUE_DRAWING_LOOK_EVERY_MS = MINUTE_SECONDS * 1000
/** Then it is given up: something is wrong with the file or its storage. */
export const DUE_DRAWING_TRIES = 3

// --- search
/** Letters and digits that a search must have; of a script without spaces one sign. Fewer: 400. */
export const SEARCH_MIN_LETTERS = 2
/** Words and phrases of it that are looked for; further ones are left out. */
export const SEARCH_WORDS_MAX = 8
/** Words of one phrase, or signs of a script without spaces in one run. */
export const SEARCH_PHRASE_WORDS_MAX = 12
/** Of the text of a result around what was found. */
export const SNIPPET_CHARS = 130
/** A longer word is found by its beginning. */
export const INDEXED_WORD_MAX_CHARS = 64
/** Different words of one post, and bytes of them together: PostgreSQL keeps 1 MB of a post. */
export const INDEXED_WORDS_MAX = 20_000
export const INDEXED_WORDS_MAX_BYTES = 500_000
/** Words that the beginnings in one search stand for, all together, on SQLite. */
export const SEARCH_BEGINNINGS_MAX = 400
/** Of two letters, the third ones that are looked for in any case: digits and Latin letters. */
export const SEARCH_THIRD_LETTERS_MAX = 40
/** Posts whose texts are read through for the phrases of one search, and how long that may take. */
export const SEARCH_PHRASE_POSTS_MAX = 1000
export const SEARCH_PHRASE_MAX_MS = 250
/** Of those read at once: other requests go on in between. */
export const SEARCH_PHRASE_POSTS_AT_ONCE = 20
/** Of the body of a result, for its snippet. */
export const SNIPPET_SEARCHED_MAX_CHARS = 50_000
/** How long PostgreSQL may look for words. Then: 503. */
export const SEARCH_STATEMENT_MAX_MS = 2000
/**
 * On SQLite a search looks at so many of the newest posts that match, some at once: where somebody
 * may see none of them, it finds nothing.
 */
export const SEARCH_LOOKED_AT_MAX = 50_000
export const SEARCH_LOOKED_AT_ONCE = 5000
/** Posts that are put into the index at once, and characters of them, beside other work. */
export const INDEXED_AT_ONCE = 20
export const INDEXED_AT_ONCE_MAX_CHARS = 200_000
/** Pages of the index that are put together at once. */
export const INDEX_MERGE_PAGES = 200
/** Posts that `search` in a list finds in the index are counted up to this number for its price. */
export const SEARCHED_IN_LIST_COUNTED_MAX = 20_000

// --- the S3 server
/** How often one call to the S3 server is tried. */
export const S3_ATTEMPTS = 3
export const S3_CONNECT_TIMEOUT_MS = 3000
/** How long the S3 server may be silent, before its answer or in the middle of it. Then: 503. */
export const S3_SILENCE_TIMEOUT_MS = 10_000
/** How long a connection to it may be idle because the reader of a file takes its time. */
export const S3_SLOW_READER_TIMEOUT_MS = 60_000
export const S3_SOCKETS_MAX = 256

// --- declared attributes

// --- mail
export const MAIL_ATTEMPT_TIMEOUT_MS = 20_000
/** Pauses after each failed attempt; after the last one the mail is lost. */
export const MAIL_RETRY_MS = [2_000, 10_000, 30_000, 2 * MINUTE_SECONDS * 1000] as const
/** How long an attempt may go on when the server stops. */
export const MAIL_CLOSE_GRACE_MS = 5000
export const MAILS_WAITING_MAX = 1000
/** Mails in the outbox folder; the oldest go first. */
export const OUTBOX_FILES_MAX = 1000

// --- log of refused origins
/** How often one refused origin has a line in the log, and how many have lines of their own. */
export const REFUSED_ORIGIN_LOG_EVERY_MS = MINUTE_SECONDS * 1000
export const REFUSED_ORIGINS_MAX = 100

// --- WebSub
/** Changes within this time are told to the hub as one. */
export const WEBSUB_DELAY_MS = 1000
/** How long the hub may take to answer. */
export const WEBSUB_TIMEOUT_MS = 10_000
/** Pauses after each failed attempt; after the last one the change is not told. */
export const WEBSUB_RETRY_MS = [5_000, 30_000, 2 * MINUTE_SECONDS * 1000] as const
/** Feeds that wait to be told. More: not told. */
export const WEBSUB_WAITING_MAX = 1000

// --- passwords and other bounded queues
/**
 * What a hash that the operator brings along may cost to check, so that a sign-in stays cheap:
 * bcrypt's cost; of argon2 memory in KiB, passes, and both together; of scrypt the memory in blocks
 * of 128 bytes, and that times the rounds.
 */
export const IMPORTED_BCRYPT_COST_MAX = 12
export const IMPORTED_ARGON2_KIB_MAX = 65_536
export const IMPORTED_ARGON2_PASSES_MAX = 10
export const IMPORTED_ARGON2_WORK_MAX = 4 * 65_536
export const IMPORTED_ARGON2_THREADS_MAX = 8
export const IMPORTED_SCRYPT_BLOCKS_MAX = 524_288
/** Of one pass over memory: blocks of 128 bytes times what is done side by side. */
export const IMPORTED_SCRYPT_WIDTH_MAX = 1024
export const IMPORTED_SCRYPT_BYTES_MIN = 16
export const IMPORTED_SCRYPT_BYTES_MAX = 128
export const IMPORTED_SALT_MAX_CHARS = 256
/**
 * As long as some accounts have a hash of another cost than ours, a failed sign-in is answered at a
 * multiple of this time.
 */
export const IMPORTED_ANSWER_MS = 1000
/** How many password checks may wait. More: 503 `general_service_disabled`. */
export const HASH_QUEUE_MAX = 64
/** How many of them may be of one address or person, and how long each may wait. Beyond: 503. */
export const HASH_QUEUE_SHARE = 32
export const HASH_WAIT_MAX_MS = 5000
/** argon2id (threat-model.md §6). */
export const HASH_MEMORY_KIB = 19 * 1024
export const HASH_PASSES = 2
export const HASH_THREADS = 1

// --- database
/** How many writes wait for SQLite, or calls for a connection to PostgreSQL. More: 503 at once. */
export const DATABASE_WAITING_MAX = 1000
/** Of one process, unless BLOG_DATABASE_CONNECTIONS says otherwise, and what it may say. */
export const POSTGRES_CONNECTIONS = 10
export const POSTGRES_CONNECTIONS_MIN = 2
export const POSTGRES_CONNECTIONS_MAX = 500
/** Statements that each connection has prepared; a list asked otherwise is another one. */
export const PREPARED_STATEMENTS_MAX = 300
/** How long a call waits for a connection. Longer: 503. */
export const POSTGRES_CONNECT_TIMEOUT_MS = 5000
/** PostgreSQL ends a longer statement itself. Migrations have no such limit. */
export const POSTGRES_STATEMENT_TIMEOUT_MS = 7000
/** How long a write waits for a lock, counted from its arrival. Longer: 503. */
export const DATABASE_LOCK_TIMEOUT_MS = 5000
export const POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
/** Then a PostgreSQL that says nothing at all counts as away. */
export const POSTGRES_SILENCE_TIMEOUT_MS = 8000
/** How often a PostgreSQL that is away is asked whether it is back, and how long that may take. */
export const POSTGRES_PROBE_EVERY_MS = 1000
export const POSTGRES_PROBE_TIMEOUT_MS = 2000
/** How long a start waits for a PostgreSQL that is away. */
export const POSTGRES_START_WAIT_MS = 60_000
/** How long a start waits for another process that changes the tables, and how often it looks. */
export const MIGRATION_WAIT_MS = 30 * MINUTE_SECONDS * 1000
export const MIGRATION_LOOK_EVERY_MS = 200
/** How often a transaction is begun that PostgreSQL gives up in favour of another. Then: 503. */
export const REPEAT_ATTEMPTS = 4
/** The longest pause before it is begun again; it doubles each time. */
export const REPEAT_PAUSE_MS = 20
/** How often the log says how far a long change of the tables has come. */
export const MIGRATION_PROGRESS_EVERY_MS = 5000

// --- health
/** However often it is asked, each part of the server is looked at this often at most. */
export const HEALTH_PROBE_EVERY_MS = 1000
/** A part that takes longer is unwell. */
export const HEALTH_PROBE_TIMEOUT_MS = 3000
/** What is written to see that the disk has room. */
export const HEALTH_PROBE_BYTES = 64 * KIB

// --- log of answers of 503
/** How often one cause has a line. */
export const UNAVAILABLE_LOG_EVERY_MS = 1000
/** Causes that have lines of their own at once. */
export const UNAVAILABLE_CAUSES_MAX = 100
/** Failures of one kind of work beside the answers are logged this often. */
export const BACKGROUND_LOG_EVERY_MS = 1000

// --- stopping and background work
/** Bytes without a row are removed when they are older. */
export const ORPHAN_SECONDS = DAY_SECONDS

// --- doctor (operating.md "Doctor")
export const DISK_FREE_WARNING_BYTES = 1024 * MIB
export const DISK_FREE_FAULT_BYTES = 100 * MIB
export const CLOCK_WARNING_SECONDS = 5
export const CLOCK_FAULT_SECONDS = 5 * MINUTE_SECONDS
export const BACKUP_AGE_WARNING_SECONDS = 2 * DAY_SECONDS
export const BACKUP_AGE_FAULT_SECONDS = 7 * DAY_SECONDS
/** How long a mail server or the own public address may take to answer. */
export const DOCTOR_WAIT_MS = 10_000
/** How long a question about the proxy is good for. */
export const PROXY_PROBE_SECONDS = MINUTE_SECONDS
/** How long the letters of one share card may take; most take a tenth of a second. */
export const CARD_MAX_MS = 5000
/** How long the thread that sets them is kept, with the fonts that it has read. */
export const CARD_IDLE_MS = 30_000
/** Readers of a day that are remembered, so that they count once: some ten megabytes. */
export const READERS_REMEMBERED_MAX = 100_000
/** Of one post and address; more share it, but nobody counts a hundred times by it. */
export const READERS_PER_ADDRESS_MAX = 20
/** What a killed process loses of them. */
export const READS_WRITE_EVERY_MS = 5000
/** Posts whose reads wait to be written. */
export const READS_WAITING_MAX = 5000
/** In one transaction. */
export const READS_DELETED_AT_ONCE = 1000
/** Authors whose reads are summed up (more: 503), and rows at once on SQLite. */
export const READS_SUMMED = { atOnce: 2, waiting: 100, waitingPerKey: 10, waitMaxMs: 10_000 }
export const READS_SUMMED_AT_ONCE = 2000

// --- what search engines are told
/** Addresses in one file of the sitemap. @source sitemaps.org "Sitemap file location" */
export const SITEMAP_ADDRESSES_MAX = 50_000
/** People, or tags, in one file; more may come while it is known where each file begins. */
export const SITEMAP_NAMES = 40_000
/** How long it is known where each file of people or tags begins. */
export const SITEMAP_STARTS_SECONDS = 600

// --- tags
/** How many tags that the viewer finds, of the newest posts, tell which are often used. */
export const NEWEST_TAGS_MAX = 2000
/** How many tags are looked at for them. */
export const TAGS_WALKED_MAX = 20_000
/** Keys that begin as asked and are looked at, whoever finds them. */
export const TAG_KEYS_WALKED_MAX = 200
/** What asking for tags costs, in milliseconds of `RATE.listWorkPerUser`. */
export const TAGS_PRICE_MS = 10
