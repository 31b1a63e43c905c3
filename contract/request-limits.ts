// What one request may be, whatever it asks for (threat-model.md §3, api.md §1). All other limits
// are in limits.ts. The unit is in the name.

/** Of the preferences as JSON. */
export const PREFS_MAX_BYTES = 65_535

const KIB = 1024
const MIB = 1024 * KIB

/** All headers of one request. More: 431. */
export const HEADERS_MAX_BYTES = 16 * KIB
export const HEADERS_TIMEOUT_MS = 10_000
/** More: 413. */
export const JSON_BODY_MAX_BYTES = 64 * KIB
/** Of the few calls that say so, from whoever is signed in and has been counted: whole posts. */
export const LONG_BODY_MAX_BYTES = 4 * MIB
/** A write with a longer body counts as several: one for each piece of this length begun. */
export const COUNTED_BODY_BYTES = 64 * KIB
/** Of a call that sends prefs: each byte may be written as an escape of six. */
export const PREFS_BODY_MAX_BYTES = 8 * PREFS_MAX_BYTES
/** Bounds of what a JSON body holds, so that reading it stays cheap. */
export const JSON_MAX_DEPTH = 32
export const JSON_MAX_KEYS = 1000
/** Of a number. */
export const JSON_MAX_DIGITS = 1000
/** Room for the posts of one call with a thousand likes each; counted are commas and brackets. */
export const JSON_MAX_VALUES = 150_000
/** Parameters of one query string that are read, and the largest number in `name[7]`. */
export const QUERY_PARAMS_MAX = 1000
export const QUERY_LIST_INDEX_MAX = 999
export const JSON_REQUEST_TIMEOUT_MS = 30_000
/** One chunk and the rest of its form. More: 413. */
export const UPLOAD_REQUEST_MAX_BYTES = 6 * MIB
export const UPLOAD_REQUEST_TIMEOUT_MS = 300_000
/** The speed of an upload is averaged over this time; slower ones are cut off. */
export const UPLOAD_SPEED_WINDOW_MS = 30_000
export const UPLOAD_SPEED_MIN_BYTES_PER_SECOND = 1 * KIB

// --- CORS
/** Names in `Access-Control-Request-Headers` that are answered, and how long each may be. */
export const CORS_HEADERS_MAX = 64
export const CORS_HEADER_MAX_CHARS = 64
/** Of an origin that is named in the log or in an answer. */
export const ORIGIN_MAX_CHARS = 255
