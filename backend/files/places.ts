// Where bytes are: finished files, chunks of unfinished uploads, and what requests bring.
import { join } from 'node:path'
import type { S3Config } from '../settings/read-settings.ts'
import { makeDisk } from './disk.ts'
import type { Keeper } from './keeper.ts'
import { makeS3 } from './s3.ts'
import { type SameFolder, watchFolder } from './same-folder.ts'

export type Places = {
  /** Finished files. */
  keeper: Keeper
  /** Chunks, where every process that shares the database reaches them. */
  chunks: Keeper
  /** Bytes of requests, on this machine's disk. */
  received: Keeper
  /** That the folder of finished files is the one that it was, if there is one. */
  requireFiles: SameFolder['require'] | undefined
  /** The same of what requests bring, for the server. */
  requireUploads: SameFolder['require'] | undefined
}

/**
 * @param needs `isShared`: processes on several machines may share the database; `hasFiles`: for
 *   the server, whose folders have to stay the same ones: whether its database knows finished files
 * @throws Error when a folder of the server cannot be made
 */
export function makePlaces({
  dataDir,
  s3,
  isShared,
  hasFiles,
}: {
  dataDir: string
  s3: S3Config | undefined
  isShared: boolean
  hasFiles?: boolean
}): Places {
  const [uploads, files] = [join(dataDir, 'uploads'), join(dataDir, 'files')]
  const sameUploads =
    hasFiles === undefined ? undefined : watchFolder(uploads, { shouldHold: false })
  const requireUploads = sameUploads?.require
  const received = makeDisk(uploads, sameUploads)
  if (!s3) {
    const same = hasFiles === undefined ? undefined : watchFolder(files, { shouldHold: hasFiles })
    return {
      keeper: makeDisk(files, same),
      chunks: received,
      received,
      requireFiles: same?.require,
      requireUploads,
    }
  }
  const keeper = makeS3(s3, { spool: received })
  const chunks = isShared ? makeS3(s3, { spool: received, prefix: 'uploads/' }) : received
  return { keeper, chunks, received, requireFiles: undefined, requireUploads }
}
