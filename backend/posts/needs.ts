// What the rules of posts are handed: the database, the settings, and what files do for them.
import type { Database } from '../database/schema.ts'
import type { FileUses } from '../files/files.ts'
import type { Background } from '../process/background.ts'
import type { Site } from '../site/site.ts'
import type { Attributes } from './attributes.ts'
import type { PostTexts } from './post-texts.ts'

export type PostNeeds = {
  db: Database
  background: Background
  now: () => Date
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
  site: Pick<Site, 'read'>
  bodies: PostTexts
  /** Makes the texts of posts anew, outside of every transaction. */
  renew: (seqs: number[]) => Promise<unknown>
  /** What attributes posts may have at this moment. */
  attributes: (db: Database) => Promise<Attributes>
} & Omit<FileUses, 'setAvatarFile'>
