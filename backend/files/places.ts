// Where bytes are: finished files, chunks of unfinished uploads, and what requests bring.
import { join } from 'node:path'
import type { S3Config } from '../settings/storage.ts'
import { makeDisk } from './disk.ts'
import type { Keeper } from './keeper.ts'
import { makeS3 } from './s3.ts'

export type Places = {
  /** Finished files. */
  keeper: Keeper
  /** Chunks, where every process that shares the database reaches them. */
  chunks: Keeper
  /** Bytes of requests, on this machine's disk. */
  received: Keeper
}

/** @param needs `isShared`: processes on several machines may share the database */
export function makePlaces({
  dataDir,
  s3,
  isShared,
}: {
  dataDir: string
  s3: S3Config | undefined
  isShared: boolean
}): Places {
  const received = makeDisk(join(dataDir, 'uploads'))
  if (!s3) return { keeper: makeDisk(join(dataDir, 'files')), chunks: received, received }
  const keeper = makeS3(s3, { spool: received })
  const chunks = isShared ? makeS3(s3, { spool: received, prefix: 'uploads/' }) : received
  return { keeper, chunks, received }
}
