// Which tables are copied into another database, in an order that foreign keys allow.
import type { Tables } from '../database/schema.ts'

/**
 * False: a table that is not copied. What other processes are told and what limits count lives for
 * minutes, fingerprints of secrets are made anew at the next start, and the index of words is
 * filled by the server beside other work: triggers note the posts as they come.
 */
const IS_COPIED: Record<keyof Tables, boolean> = {
  user: true,
  session: true,
  identity: true,
  oauthState: true,
  token: true,
  signInLog: true,
  invitation: true,
  post: true,
  postLike: true,
  postText: true,
  postExtra: true,
  postTag: true,
  postFile: true,
  postRead: true,
  deletedPost: true,
  deletedLike: true,
  deletedRead: true,
  postVersion: true,
  versionFile: true,
  file: true,
  fileChunk: true,
  fileId: true,
  avatarFile: true,
  dueDrawing: true,
  declaredAttribute: true,
  declaredIndex: true,
  change: false,
  rateCount: false,
  searchPost: false,
  searchState: false,
  publicVersion: false,
  secretMark: false,
}

export const COPIED_TABLES = Object.entries(IS_COPIED).flatMap(([name, is]) => (is ? [name] : []))
