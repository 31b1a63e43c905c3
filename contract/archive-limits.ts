// Limits of imports that the browser needs, too (see archive.ts).

/** Every piece of an uploaded export but the last has exactly this size. */
export const IMPORT_PIECE_BYTES = 5 * 1024 * 1024
/** The largest export that is uploaded in the browser; the command line has no limit. */
export const IMPORT_MAX_BYTES = 4 * 1024 ** 3
/** The same for an import of one's own posts. */
export const OWN_IMPORT_MAX_BYTES = 1024 ** 3

/** Why a thing is left out, or comes changed. The screens have the words for each. */
export const ISSUE_REASONS = [
  'unsupported',
  'shortcode',
  'pictureMissing',
  'pictureUnreachable',
  'pictureRefused',
  'noRoom',
  'unused',
  'present',
  'conflict',
  'tooLong',
  'tooManyTags',
  'tooManyAuthors',
  'noTitle',
  'notAPost',
  'spam',
  'parentMissing',
  'postMissing',
  'badDate',
  'noDate',
  'unreadable',
  'address',
] as const
export type IssueReason = (typeof ISSUE_REASONS)[number]
