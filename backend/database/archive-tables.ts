// Types of the tables of imports and exports (see schema.ts).
import type { Generated, Selectable } from 'kysely'

/** An import or an export, and where it is. */
export type ArchiveRunTable = {
  id: string
  kind: 'import' | 'export'
  /** Whose posts; null for the whole blog. */
  userId: string | null
  /** Who requested it; empty for the command line. */
  byId: string
  byName: string
  /** An `ImportState`, or a state of `ExportRun`, of contract/archive.ts. */
  state: string
  /** What was requested, and what was chosen after the dry run: a JSON object. */
  request: string
  /** Of the uploaded file, or of the export. */
  sizeBytes: Generated<number>
  /** JSON objects; empty until there is any. */
  progress: Generated<string>
  result: Generated<string>
  problem: Generated<string>
  /** Random, of the process that has claimed it last. */
  worker: Generated<string>
  /** Until then no other process may work on it. */
  aliveUntil: string
  attempts: Generated<number>
  createdAt: string
  startedAt: Generated<string>
  endedAt: Generated<string>
  /** When it is deleted, with its pieces. */
  expiresAt: string
}
export type ArchiveRunRow = Selectable<ArchiveRunTable>

/** A piece of an uploaded file, or of a finished export, in the store of chunks. */
export type ArchivePieceRow = {
  runId: string
  number: number
  storedName: string
  sizeBytes: number
}

/** An `ImportIssue` of contract/archive.ts. */
export type ImportIssueRow = {
  runId: string
  number: number
  what: string
  name: string
  reason: string
  post: string
  detail: string
}

/** Something that an import made. Its row outlives it: a repeated import does not bring it back. */
export type ImportedItemTable = {
  seq: Generated<number>
  /** Whose posts were imported; empty for the whole blog. */
  owner: string
  /** Names the old site. */
  source: string
  kind: 'post' | 'comment' | 'picture' | 'person' | 'value'
  /** Its key in the export. */
  key: string
  runId: string
  /** The id of the post, comment, file or user; what the value of the blog was before. */
  targetId: string
  /** A hash of what was written, to see whether it was changed since; of a picture, its source. */
  digest: Generated<string>
}

/** An address of the old site: a path, with the query if that names the post. */
export type OldAddressRow = { address: string; postId: string; runId: string }

/** An imported person who has no way to sign in yet. */
export type UnclaimedUserRow = { userId: string; email: string; runId: string }

/** The name of an imported comment's writer, who has no account here. */
export type CommentAuthorRow = { commentSeq: number; name: string }
