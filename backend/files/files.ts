// stub, replaced by the files work
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type FilesNeeds = {
  db: Database
  background: Background
  log: Log
  dataDir: string
  contentBucketId: string
  avatarBucketId: string
  now: () => Date
}
export type Files = {
  /** A complete image of the content bucket that this person uploaded (any uploader when `ownerId` is undefined: the API key). */
  isUsableImage(fileId: string, ownerId: string | undefined): Promise<boolean>
  /** Removes a content image if this person uploaded it: row first, then bytes. Already gone is fine. */
  removeOwnImage(fileId: string, ownerId: string): Promise<void>
  /** Removes unfinished uploads and bytes without a row older than 24 h, reports rows without bytes. */
  sweep(): Promise<void>
}
export function makeFiles(_needs: FilesNeeds): Files {
  return { isUsableImage: async () => false, removeOwnImage: async () => {}, sweep: async () => {} }
}
