// Which tables an archive has, in an order that foreign keys allow, and what each row is. A table
// that is new has to be added here: a test compares the lists with the database.

export type DataTable = {
  meaning: string
  /** Only in an archive with people. */
  isOfPeople?: boolean
  /** Columns that the program derives again, and the values that they get on import. */
  derived?: Readonly<Record<string, string>>
  /** Columns that have JSON, unless they are empty. */
  json?: readonly string[]
}

/** The column of `file` that names its bytes in the folder `files`; null if they are lost. */
export const FILE_CHECKSUM = 'sha256'

export const DATA_TABLES: Readonly<Record<string, DataTable>> = {
  user: {
    meaning: 'A person with an account. prefs and labels are JSON.',
    json: ['prefs', 'labels'],
  },
  identity: {
    meaning: 'An account at a sign-in provider that a person is linked to.',
    isOfPeople: true,
  },
  invitation: { meaning: 'Lets one person sign up.', isOfPeople: true },
  signInLog: { meaning: 'A sign-in, with its address.', isOfPeople: true },
  mailChoice: { meaning: 'Which mails a person wants.', isOfPeople: true, json: ['choices'] },
  unclaimedUser: { meaning: 'An imported person who cannot sign in yet.', isOfPeople: true },
  activity: {
    meaning: 'What an operator, the API key or the server did.',
    isOfPeople: true,
    json: ['details'],
  },
  siteValue: { meaning: 'A value that operators set, such as the name of the blog.' },
  file: {
    meaning: `An image. ${FILE_CHECKSUM} names its bytes in the folder files.`,
    json: ['permissions'],
  },
  fileId: { meaning: 'An id that a file has or had. It belongs to its owner for ever.' },
  avatarFile: { meaning: 'The file that a person uses as the avatar.' },
  post: {
    meaning: 'A post, page or draft. content is HTML, permissions is JSON.',
    json: ['permissions'],
  },
  deletedPost: {
    meaning: 'A deleted post that its author can restore.',
    json: ['permissions', 'attributes', 'tags'],
  },
  postExtra: { meaning: 'Extra attributes of a post, as JSON.', json: ['attributes'] },
  postDetails: {
    meaning: 'Excerpt, words of the address and texts for search engines, as JSON.',
    json: ['details'],
  },
  postSchedule: { meaning: 'When a draft is published.' },
  pageAddress: { meaning: 'An address of a page.' },
  previewLink: { meaning: 'The secret link to a draft.' },
  postTag: { meaning: 'A tag of a post; place is its position.' },
  postFile: { meaning: 'A file that a post shows.' },
  postVersion: { meaning: 'An earlier text of a post. body is the text, compressed with Brotli.' },
  versionFile: { meaning: 'A file that an earlier text shows.' },
  postRead: { meaning: 'How often a post was read on a day.' },
  deletedRead: { meaning: 'The same for a deleted post.' },
  discussion: { meaning: 'The comments and likes of a post or a deleted post.' },
  postLike: { meaning: 'A like.' },
  comment: { meaning: 'A comment. content is plain text.', derived: { html: '', renderer: '' } },
  commentAuthor: { meaning: 'The name below an imported comment, whose writer has no account.' },
  commentBlock: { meaning: 'How many comments of a thousand positions are listed.' },
  commentHiding: { meaning: 'A decision about all comments by a person that is being applied.' },
  mutedPost: { meaning: 'A post of which a person wants no notifications.' },
  reportCase: { meaning: 'A reported post or comment, or a comment that waits for approval.' },
  report: { meaning: 'A report by a person.' },
  notification: { meaning: 'A notification of a person.', json: ['actors'] },
  importedItem: { meaning: 'What an import has made, so that it is not imported twice.' },
  oldAddress: { meaning: 'An address of an old site that leads to a post.' },
}

/** Derived, or of no use in another place. */
export const NOT_IN_AN_ARCHIVE: Readonly<Record<string, string>> = {
  session: 'Sessions belong to the cookies and secrets of one blog.',
  token: 'Mailed links expire soon.',
  usedLink: 'Of links that expire soon.',
  oauthState: 'Sign-ins that are under way.',
  fileChunk: 'Uploads that are under way.',
  postText: 'Derived from the text of a post by rules of the program, which clean it.',
  searchPost: 'The search index, filled in the background.',
  cacheTag: 'Versions of cached responses.',
  rateCount: 'Counts of minutes.',
  secretMark: 'Fingerprints of the secrets of one data folder.',
  backupRun: 'Backups of one host.',
  archiveRun: 'Imports and exports of one host.',
  archivePiece: 'Their stored bytes.',
  importIssue: 'Their reports.',
  kysely_migration: 'The migrations that made the tables: schema.json names the last one.',
  kysely_migration_lock: 'Of migrations.',
}

/** Beside the tables: the last `seq` that each has given. */
export const SEQUENCES = 'sequence'

/** Rows of `siteValue` that are not exported: codes to set up a blog, and backups of one host. */
export const VALUES_OF_ONE_HOST = [
  'setupCode',
  'setupCodeBefore',
  'backups',
  'backupTime',
  'backupKeep',
  'backupFolder',
]

/** Texts instead of references, in the export of a person's own posts. */
export const NAME_COLUMN = 'userName'
