// Which tables a move copies, in an order that foreign keys allow, and the key that each is read
// by. Knows no database.
import type { Tables } from '../database/schema.ts'

/**
 * Empty: a table that is not copied. What other processes are told and what limits count lives for
 * minutes, fingerprints of secrets are made anew at the next start, and the index of words is
 * filled by the server beside other work: triggers note the posts as they come.
 */
const KEYS = {
  user: ['id'],
  session: ['id'],
  identity: ['provider', 'sub'],
  oauthState: ['stateHash'],
  token: ['id'],
  signInLog: ['id'],
  invitation: ['id'],
  post: ['seq'],
  postLike: ['seq'],
  postText: ['postId'],
  postExtra: ['postId'],
  postTag: ['postSeq', 'place'],
  postFile: ['postId', 'fileId', 'place'],
  postRead: ['postId', 'day'],
  deletedPost: ['seq'],
  deletedLike: ['deletedId', 'userId'],
  deletedRead: ['deletedId', 'day'],
  postVersion: ['seq'],
  versionFile: ['versionId', 'fileId'],
  file: ['seq'],
  fileChunk: ['bucketId', 'fileId', 'chunkIndex'],
  fileId: ['bucketId', 'id'],
  avatarFile: ['userId'],
  dueDrawing: ['storedName'],
  declaredAttribute: ['seq'],
  declaredIndex: ['seq'],
  change: [],
  rateCount: [],
  searchPost: [],
  searchState: [],
  publicVersion: [],
  secretMark: [],
} as const satisfies Record<keyof Tables, readonly string[]>

/** Bodies may have a million characters each. */
const WITH_BODIES = ['post', 'postText', 'deletedPost', 'postVersion']
const ROWS_AT_ONCE = 1000
const BODIES_AT_ONCE = 100

export type MovedTable = (typeof MOVED_TABLES)[number]

/** `isCounted`: the key counts up, and its numbers are never used again. */
export const MOVED_TABLES = Object.entries<readonly string[]>(KEYS)
  .filter(([, key]) => key.length > 0)
  .map(([name, key]) => ({
    name,
    key,
    isCounted: key[0] === 'seq',
    rowsAtOnce: WITH_BODIES.includes(name) ? BODIES_AT_ONCE : ROWS_AT_ONCE,
    // Likes make it.
    filledByTriggers: name === 'post' ? ['likes'] : [],
  }))

export const MOVED_NAMES = MOVED_TABLES.map(({ name }) => name)

/** Tables that the program makes. */
export const KNOWN_TABLES: readonly string[] = Object.keys(KEYS)
