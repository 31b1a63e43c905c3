// What the rules of posts are handed: the database, the settings, and what files do for them.
import type { Database } from '../database/schema.ts'
import type { After } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import type { Attributes } from './naming.ts'
import type { PostTexts } from './post-texts.ts'

export type PostNeeds = {
  db: Database
  background: Background
  now: () => Date
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
  hasTextBodies?: boolean | undefined
  bodies: PostTexts
  /** Makes the texts of posts anew, outside of every transaction. */
  renew: (seqs: number[]) => Promise<void>
  /** What attributes posts may have at this moment. */
  attributes: (db: Database) => Promise<Attributes>
  /** From files: see `Files.isUsableImage`. */
  isUsableImage: (tx: Database, fileId: string, ownerId: string | undefined) => Promise<boolean>
  /** From files: see `Files.findOwnFiles`. */
  findOwnFiles: (
    tx: Database,
    files: { ownerId: string; ids: string[] },
  ) => Promise<ReadonlySet<string>>
  /** From files: what is undefined in `shown` stays; without it the post is about to be deleted. */
  notePostFiles: (
    tx: Database,
    after: After,
    post: {
      postId: string
      ownerId: string
      shown: { cover?: string | undefined; body?: string[] | undefined } | undefined
      fromVersions?: string[] | undefined
      isAutosave?: boolean | undefined
      isNew?: boolean | undefined
    },
  ) => Promise<void>
  /** From files: what the text of a version shows from now on; answers what it showed until now. */
  noteVersionFiles: (
    tx: Database,
    version: { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean },
  ) => Promise<string[]>
  /** From files: what the texts of versions show. */
  listVersionFiles: (tx: Database, versionIds: string[]) => Promise<string[]>
  /** From files: what a deleted post used goes, if nothing else uses it. */
  letGoOfFiles: (
    tx: Database,
    after: After,
    files: { ownerId: string; fileIds: string[] },
  ) => Promise<void>
}
