// What the rules of comments are handed: the database, the settings, and who is who.

import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Site } from '../site/site.ts'

export type CommentNeeds = {
  db: Database
  background: Background
  now: () => Date
  databaseId: string
  /** Of the posts. */
  collectionId: string
  avatarBucketId: string
  site: Pick<Site, 'read'>
}
