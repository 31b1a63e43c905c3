// Imports and exports: their calls (api.md §15.28). A person imports and exports what is theirs, an
// operator the whole blog.
import { type Static, Type } from 'typebox'

import type { IssueReason } from './archive-limits.ts'

export type { IssueReason } from './archive-limits.ts'
export { IMPORT_MAX_BYTES, IMPORT_PIECE_BYTES, OWN_IMPORT_MAX_BYTES } from './archive-limits.ts'

/** The programs whose exports are read. `archive` is an export of this program. */
export const SOURCE_KINDS = [
  'wordpress',
  'ghost',
  'medium',
  'substack',
  'markdown',
  'api',
  'archive',
] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Runs of a list of imports or exports: the newest. */
export const ARCHIVE_RUNS_LISTED = 20
/** Lines of the list of what is left out; further ones are only counted. */
export const IMPORT_ISSUES_MAX = 10_000
/** People of a dry run that are listed; for further ones new accounts are made. */
export const IMPORT_PEOPLE_MAX = 500
export const UNDO_DAYS = 30
export const EXPORT_DAYS = 7

/**
 * `uploading` until all pieces are there; `checking`, then `checked` once the dry run has ended;
 * `waiting` and `running` while it imports; then `done`. `undoing`, then `undone`.
 */
export const IMPORT_STATES = [
  'uploading',
  'checking',
  'checked',
  'waiting',
  'running',
  'paused',
  'done',
  'failed',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

const oldAddress = Type.String({
  maxLength: 500,
  pattern: '^(https?://[^\\s\\u0000]+)?$',
  description: 'Value must be the address of the old site, such as https://old.example',
})
/** `POST …/imports` answers 201 with an `ImportRun` in state `uploading`. */
export const NewImport = Type.Object({
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000]+$',
    description: 'Value must be the name of a file',
  }),
  sizeBytes: Type.Integer({ minimum: 1, description: 'Value must be the size of the file' }),
  /** Empty for none. */
  oldAddress,
})
export type NewImport = Static<typeof NewImport>

/**
 * `PUT …/imports/{id}/pieces/{number}`, counted from 0, with bytes as `application/octet-stream`. A
 * piece that is stored already is not stored again. Answers the `ImportRun`, whose `pieces` is the
 * number of the next one.
 *
 * `POST …/imports/{id}/check` begins the dry run; once it has ended, it may begin again with
 * another address.
 */
export const ImportCheckRequest = Type.Object({ oldAddress: Type.Optional(oldAddress) })
export type ImportCheckRequest = Static<typeof ImportCheckRequest>

/** What was found, or imported. */
export type ImportCounts = {
  /** Posts that were published in the old blog. */
  posts: number
  /** Drafts, private and scheduled posts. */
  drafts: number
  pages: number
  pictures: number
  comments: number
  people: number
  tags: number
  /** Addresses of the old site that lead to the new posts. */
  addresses: number
}

/** Something that is left out, or that comes changed. */
export type ImportIssue = {
  /** What it is: `post`, `page`, `picture`, `comment` … */
  what: 'post' | 'page' | 'picture' | 'comment' | 'person' | 'tag' | 'address' | 'part' | 'file'
  /** Its title, address or name in the export. */
  name: string
  reason: IssueReason
  /** The title of the post that it belongs to; empty for none. */
  post: string
  /** More about it, such as a status code or the name of a shortcode; may be empty. */
  detail: string
}

/** An author in the export. */
export type ImportPerson = {
  key: string
  name: string
  /** Empty when the export has none, and always for an import of one's own posts. */
  email: string
  posts: number
  /** The person of this blog with the same verified email address; empty for none. */
  proposal: string
  /** The people of this blog with this name, when there are several and no proposal. */
  isAmbiguous: boolean
}

/** The result of the dry run. */
export type ImportCheck = {
  kind: SourceKind
  /** As the export says it, such as `WordPress 6.8`. */
  program: string
  siteName: string
  siteDescription: string
  siteUrl: string
  found: ImportCounts
  /** What is not here yet, and can be imported. */
  willImport: ImportCounts
  /** Dates of the oldest and the newest post; empty without posts. */
  oldest: string
  newest: string
  pictureBytes: number
  /** Bytes that this blog, or this person, still has room for; null for no limit. */
  roomBytes: number | null
  /** Those with the most posts; none for an import of one's own posts. */
  people: ImportPerson[]
  /** Issues by reason, each with its number and up to three names. */
  issues: { what: ImportIssue['what']; reason: IssueReason; count: number; names: string[] }[]
  /** The number of all issues, also of those past `IMPORT_ISSUES_MAX`. */
  issueCount: number
}

/** What the person chooses after the dry run. */
export const ImportChoices = Type.Object({
  /** `active` keeps published posts published; drafts always stay drafts. */
  status: Type.Union([Type.Literal('active'), Type.Literal('inactive')]),
  /** `pages` only for operators; `posts` tags them `page`; `none` leaves them out. */
  pages: Type.Union([Type.Literal('pages'), Type.Literal('posts'), Type.Literal('none')]),
  hasPictures: Type.Boolean(),
  hasComments: Type.Boolean(),
  /** Replaces name and description of this blog; only for operators. */
  hasSiteName: Type.Boolean(),
  /** Who the authors become: a user id, `new` (an account to be claimed) or `unknown`. */
  people: Type.Record(Type.String(), Type.String()),
})
export type ImportChoices = Static<typeof ImportChoices>

export type ImportProgress = {
  phase: 'upload' | 'read' | 'posts' | 'pictures' | 'comments' | 'links' | 'undo'
  done: number
  total: number
  /** The title of the post that is being imported; may be empty. */
  name: string
  /** What has been imported so far. */
  imported: ImportCounts
}

export type ImportRun = {
  $id: string
  $createdAt: string
  state: ImportState
  fileName: string
  sizeBytes: number
  /** Pieces that are stored, without a gap. */
  pieces: number
  /** The address of the old site, as it was entered; empty for none. */
  oldAddress: string
  progress: ImportProgress
  /** Null until the dry run has ended. */
  check: ImportCheck | null
  /** Null until it was started. */
  choices: ImportChoices | null
  /** A sentence in English about why it failed; empty if it did not. */
  problem: string
  startedAt: string
  endedAt: string
  /** Until when it can be undone; empty when it cannot. */
  undoUntil: string
  /** When it is deleted with its upload; empty while it is worked on. */
  expire: string
  /** Posts that an undo kept, because they were changed since. */
  kept: number
}

/** `GET …/imports`, newest first. */
export type ImportRuns = { total: number; imports: ImportRun[] }

export const EXPORT_PARTS = ['site', 'markdown', 'data'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

export type ExportRun = {
  $id: string
  $createdAt: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  parts: ExportPart[]
  /** With email addresses and password hashes. */
  hasPeople: boolean
  progress: { done: number; total: number }
  sizeBytes: number
  /** When it was complete, and until when it can be downloaded; empty before. */
  endedAt: string
  expire: string
  problem: string
}

/** `POST …/exports` answers 202 with the `ExportRun`. */
export const NewExport = Type.Object({
  parts: Type.Array(
    Type.Union([Type.Literal('site'), Type.Literal('markdown'), Type.Literal('data')]),
    {
      minItems: 1,
      maxItems: EXPORT_PARTS.length,
      description: `Value must be a list of (${EXPORT_PARTS.join(', ')})`,
    },
  ),
  /** Only for operators. */
  hasPeople: Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' })),
})
export type NewExport = Static<typeof NewExport>

/** `GET …/exports`, newest first. */
export type ExportRuns = { total: number; exports: ExportRun[] }
