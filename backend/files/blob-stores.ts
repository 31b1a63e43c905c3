// Makes the stores of complete files, of chunks of unfinished uploads, and of received bytes.
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { makeDisk, watchFolder } from './disk.ts'
import { makeS3 } from './s3.ts'

type BlobStoresOptions = Pick<Config, 'dataDir' | 's3'> & { isShared: boolean; hasFiles?: boolean }

/**
 * @param options `isShared`: processes on several hosts may share the database; `hasFiles`: whether
 *   the database has complete files. Only the server sets it: its folders may not be replaced while
 *   it runs
 * @throws Error when a folder of the server cannot be created
 */
export function makeBlobStores({ dataDir, s3, isShared, hasFiles }: BlobStoresOptions) {
  const watch = (name: string, shouldHoldFiles: boolean | undefined) =>
    hasFiles === undefined || shouldHoldFiles === undefined
      ? undefined
      : watchFolder(join(dataDir, name), { shouldHoldFiles })
  const requireUploads = watch('uploads', false)
  const requireFiles = watch('files', s3 ? undefined : hasFiles)
  /** Bytes of requests, on the disk of this host. */
  const received = makeDisk(join(dataDir, 'uploads'), requireUploads)
  return {
    received,
    /** Complete files. */
    blobStore: s3
      ? makeS3(s3, { spool: received })
      : makeDisk(join(dataDir, 'files'), requireFiles),
    /** Chunks; every process that shares the database can read them. */
    chunks: s3 && isShared ? makeS3(s3, { spool: received, prefix: 'uploads/' }) : received,
    /** Checks that the folder of complete files is the same as at the start; undefined with S3. */
    requireFiles,
    /** The same for the folder of received bytes. */
    requireUploads,
  }
}
