// What the rules of posts are handed: the database, the settings, and what files do for them.
import type { Database } from '../database/schema.ts'
import type { FileUses } from '../files/files.ts'
import type { Background } from '../process/background.ts'
import type { Site } from '../site/site.ts'
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
  /** Posts may have extra attributes (`BLOG_EXTRA_ATTRIBUTES=on`). */
  hasExtraAttributes: boolean
} & Omit<FileUses, 'setAvatarFile'>
