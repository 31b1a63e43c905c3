// stub, replaced by the posts work
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type PostsNeeds = {
  db: Database
  background: Background
  log: Log
  databaseId: string
  collectionId: string
  /** From files: see `Files.isUsableImage`. */
  isUsableImage: (fileId: string, ownerId: string | undefined) => Promise<boolean>
  /** From files: see `Files.removeOwnImage`. */
  removeOwnImage: (fileId: string, ownerId: string) => Promise<void>
  now: () => Date
}
export type Posts = Record<never, never>
export function makePosts(_needs: PostsNeeds): Posts {
  return {}
}
