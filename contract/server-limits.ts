// The numbers of the server's inside: its queues, its memory, its database, its connections, how it
// stops. The unit is in the name. Nothing here reads the environment.

const KIB = 1024
const MIB = 1024 * KIB
const MINUTE_SECONDS = 60
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS

// --- memory and disk
/** Pages for guests in memory, compressed as they are sent; a long post takes 0.4 MB. */
export const KEPT_PAGES_MAX_BYTES = 48 * MIB
/** Pages of posts as any member sees them, not compressed. */
export const SHARED_PAGES_MAX_BYTES = 16 * MIB
/** How long a kept page is sent unasked: what no change tells shows after that. */
export const KEPT_PAGES_UNASKED_MS = 3000
/** What lists found, remembered until a post is written: bytes in memory, and how long at most. */
export const LISTS_KEPT_MAX_BYTES = 4 * MIB
export const LISTS_KEPT_SECONDS = 10
/** Whole posts kept in memory for all readers (backend/posts/kept-posts.ts), and for how long. */
export const KEPT_POSTS_MAX_BYTES = 32 * MIB
export const KEPT_POSTS_MS = 10_000
/** A longer body is read each time. */
export const KEPT_POST_MAX_BYTES = 256 * KIB
/** Sessions kept in memory with their users (backend/accounts/kept-sessions.ts), how long. */
export const KEPT_SESSIONS_MAX = 1000
export const KEPT_SESSIONS_MS = 10_000
/** Queries of lists that are kept as they were understood, and how long those texts may be. */
export const KEPT_QUERIES_MAX = 200
export const KEPT_QUERIES_MAX_CHARS = 1000
/** Of so many lists of authors the number of posts is kept, for the prices of lists. */
export const LIST_MEASURES_KEPT = 1000
/** Feeds in memory, compressed as they are sent. */
export const KEPT_FEEDS_MAX_BYTES = 16 * MIB
/** Feeds of which it is known when they were last changed. */
export const FEEDS_DATED_MAX = 10_000
/** Drawn previews kept on disk; the least recently used ones go first. */
export const PREVIEW_STORE_MAX_BYTES = 512 * MIB
/** The most recently used previews are in memory as well. */
export const PREVIEW_MEMORY_MAX_BYTES = 32 * MIB
/** Files of which it is known who may see them; some 700 bytes each. */
export const KNOWN_FILES_MAX = 10_000
/** Addresses of previews that are answered from memory; a longer address goes through its route. */
export const KEPT_PREVIEW_ADDRESSES_MAX = 10_000
export const KEPT_PREVIEW_ADDRESS_MAX_CHARS = 512
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
/** How often the server looks for posts that were written past it. */
export const INDEX_LOOK_EVERY_MS = MINUTE_SECONDS * 1000
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
/** How long a process may go by declarations that another process has changed. */
export const DECLARED_SECONDS = 2

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
/** How long SQLite's lock is held for writes that are committed together, plus the last of them. */
export const GROUP_MAX_MS = 10
/** The same where several processes write in turn: the turn itself takes a while to go on. */
export const GROUP_OF_TURN_MAX_MS = 25
/** Pages of SQLite's write-ahead log (4 KiB each) from which on it is moved into the database. */
export const CHECKPOINT_PAGES = 8000
/** How long that waits for other processes, and may take; then its thread ends. */
export const CHECKPOINT_BUSY_MS = 100
export const CHECKPOINT_MAX_MS = 60_000
export const CHECKPOINT_IDLE_MS = 30_000
/** Of one process, unless BLOG_DATABASE_CONNECTIONS says otherwise, and what it may say. */
export const POSTGRES_CONNECTIONS = 10
export const POSTGRES_CONNECTIONS_MIN = 2
export const POSTGRES_CONNECTIONS_MAX = 500
/** Of the connections, the share for reads outside transactions, which use them together. */
export const READERS_SHARE = 0.3
/** Reads under way on one of them, and how old the oldest may be when another one joins. */
export const READER_DEPTH = 16
export const READER_SLOW_MS = 25
/** One that nobody has used for so long is closed. */
export const READER_IDLE_MS = 10_000
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
/** How long a read waits for a replica that is a little behind. Then the primary is read. */
export const REPLICA_WAIT_MS = 5
/** A replica that is behind for longer has a line in the log. */
export const REPLICA_BEHIND_LOGGED_MS = 10_000
/** A replica that did not answer is left alone for so long. */
export const REPLICA_AWAY_MS = 1000
/** How long a start waits for another process that changes the tables, and how often it looks. */
export const MIGRATION_WAIT_MS = 30 * MINUTE_SECONDS * 1000
export const MIGRATION_LOOK_EVERY_MS = 200
/** How often a transaction is begun that PostgreSQL gives up in favour of another. Then: 503. */
export const REPEAT_ATTEMPTS = 4
/** The longest pause before it is begun again; it doubles each time. */
export const REPEAT_PAUSE_MS = 20
/** Answers of the API to guests that are kept (backend/http/kept-answers.ts), and for how long. */
export const KEPT_ANSWERS_MAX_BYTES = 16 * 1024 * 1024
export const KEPT_ANSWERS_MS = 60_000
/** JSON of so many bytes is compressed: less of it fits into one packet anyway. */
export const COMPRESSED_FROM_BYTES = 1024
/** How often the log says how far a long change of the tables has come. */
export const MIGRATION_PROGRESS_EVERY_MS = 5000

// --- realtime
/** Of a message that a client sends. */
export const REALTIME_MESSAGE_MAX_BYTES = 64 * KIB
/** Of one connection, those of its address and of its messages together. */
export const REALTIME_CHANNELS_MAX = 100
export const REALTIME_CHANNEL_MAX_CHARS = 255
/** As they were named, each as often as it was, also those that are left out. */
export const REALTIME_CHANNEL_NAMES_MAX = 400
export const REALTIME_SUBSCRIPTIONS_MAX = 100
export const REALTIME_SUBSCRIPTION_ID_MAX_CHARS = 64
/** Queries of one subscription. */
export const REALTIME_QUERIES_MAX = 10
/**
 * Values to compare with, in all subscriptions of a connection together; one of `contains` counts
 * as so many, because a text is gone through for it.
 */
export const REALTIME_VALUES_MAX = 500
export const REALTIME_VALUES_OF_CONTAINS = 10
/** `contains` looks into no longer text: bodies would take too long. */
export const REALTIME_SEARCHED_MAX_CHARS = 16 * KIB
/** Connections to this process, and of one address among them. */
export const REALTIME_CONNECTIONS_MAX = 2500
export const REALTIME_CONNECTIONS_PER_ADDRESS_MAX = 50
/** What waits to be sent on a connection. More: it reads too slowly and is cut. */
export const REALTIME_BUFFER_MAX_BYTES = MIB
/** How often each connection is asked whether it is there, and its session whether it lasts. */
export const REALTIME_PING_EVERY_MS = 30_000
/** How many messages above the limit of a minute are answered before the connection is closed. */
export const REALTIME_REFUSED_MESSAGES_MAX = 96
/** Pings and pongs of the protocol that a client may send in a minute. More: it is cut. */
export const REALTIME_CONTROL_FRAMES_MAX = 240
/** How long a closing connection may take: when the server stops, and else. */
export const REALTIME_CLOSE_MS = 1000
export const REALTIME_REFUSED_CLOSE_MS = 5000

// --- changes that other processes hear of
/** How long each is kept for a process that has lost its connection to PostgreSQL. */
export const CHANGES_KEPT_MS = 10 * MINUTE_SECONDS * 1000
/** A process that heard nothing for longer has missed some. */
export const CHANGES_MISSED_AFTER_MS = 5 * MINUTE_SECONDS * 1000
/** How often a process that waits for changes asks whether PostgreSQL is still there. */
export const CHANGES_PROBE_EVERY_MS = 10_000
export const CHANGES_CONNECT_AGAIN_MS = 1000
/** How far behind the last one a change may commit that began before it. */
export const CHANGES_OVERLAP = 1000
/** Own changes that wait to be heard. The others are read from the database. */
export const CHANGES_REMEMBERED_MAX = 100

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
/** How long new requests are still answered after the signal to stop. */
export const STOP_GRACE_MS = 800
/** Then the process ends whatever still runs: 10 s is what it promises. */
export const STOP_TIMEOUT_MS = 9500
/** Of it, what is kept for mails and work after answers, and then for the database. */
export const STOP_BACKGROUND_MS = 1000
export const STOP_DATABASE_MS = 500
/** A process that must not go on, as its disk failed, sends what it has to say and ends. */
export const STOP_FAULT_TIMEOUT_MS = 2000

// --- several processes (decision 0054)
/** Pauses before a worker that ended soon is replaced, by how often that was so in a row. */
export const WORKER_PAUSES_MS = [0, 0, 1000, 2000, 5000, 10_000, 30_000] as const
/** One that lasted longer is replaced at once. */
export const WORKER_STEADY_MS = MINUTE_SECONDS * 1000
/** Ends in a row after which the supervisor gives up, while no worker answers. */
export const WORKER_STARTS_MAX = 5
/** Then what still runs is killed: within the 10 s that are promised. */
export const SUPERVISOR_STOP_TIMEOUT_MS = 9800
/** How long a worker that was replaced waits for connections that are silent. */
export const WORKER_RETIRE_MS = 5000
/** Rules of so long a window are counted exactly over all processes. */
export const STRICT_RATE_SECONDS = 60 * MINUTE_SECONDS
/** Of the others a process says what it has counted once that is this part of the limit. */
export const RATE_SAID_SHARE = 40
/** Not more often than this. */
export const RATE_SAID_EVERY_MS = 10
/** How long a write waits until the other workers have heard of it. */
export const CHANGE_HEARD_WAIT_MS = 50

export const SWEEP_EVERY_MS = DAY_SECONDS * 1000
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
