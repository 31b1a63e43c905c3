// Makes the stores of finished files, of chunks of unfinished uploads, and of received bytes.
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { makeDisk, watchFolder } from './disk.ts'
import { makeS3 } from './s3.ts'

type BlobStoresOptions = Pick<Config, 'dataDir' | 's3'> & { isShared: boolean; hasFiles?: boolean }

/**
 * @param options `isShared`: processes on several hosts may share the database; `hasFiles`: for
 *   the server, whose folders have to stay the same ones: whether its database knows finished files
 * @throws Error when a folder of the server cannot be made
 */
export function makeBlobStores({ dataDir, s3, isShared, hasFiles }: BlobStoresOptions) {
  const watch = (name: string, shouldHold: boolean | undefined) =>
    hasFiles === undefined || shouldHold === undefined
      ? undefined
      : watchFolder(join(dataDir, name), { shouldHold })
  const requireUploads = watch('uploads', false)
  const requireFiles = watch('files', s3 ? undefined : hasFiles)
  /** Bytes that requests bring, on this host's disk. */
  const received = makeDisk(join(dataDir, 'uploads'), requireUploads)
  return {
    received,
    /** Finished files. */
    blobStore: s3
      ? makeS3(s3, { spool: received })
      : makeDisk(join(dataDir, 'files'), requireFiles),
    /** Chunks, where every process that shares the database reaches them. */
    chunks: s3 && isShared ? makeS3(s3, { spool: received, prefix: 'uploads/' }) : received,
    /** Checks that the folder of finished files is the one of the start, if there is one. */
    requireFiles,
    /** The same for the folder of received bytes, for the server. */
    requireUploads,
  }
}
