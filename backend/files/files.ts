// Makes the services of this module once: stores of bytes, the queue of image work, previews.
import { join } from 'node:path'
import { isShared } from '../database/dialect.ts'
import type { Live } from '../database/transaction.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import type { Config } from '../settings/config.ts'
import { makeBlobStores } from './blob-stores.ts'
import { makeImageQueue } from './image-process.ts'
import { makeDrawAhead } from './pregenerate-previews.ts'
import { makePreviews } from './previews.ts'
import { type FileRow, hasWholeFile } from './store.ts'

export { type FileUses, makeUses } from './file-references-store.ts'
export * from './own-files-store.ts'

type Given = Live & Pick<Config, 'contentBucketId' | 'avatarBucketId' | 'dataDir' | 's3'>

/** @throws Error when a folder cannot be made */
export async function makeFiles({ dataDir, s3, ...given }: Given) {
  const { db } = given
  const hasFiles = await hasWholeFile(db)
  const places = makeBlobStores({ dataDir, s3, isShared: isShared(db), hasFiles })
  const parts = { ...given, ...places, imageQueue: makeImageQueue() }
  const previews = makePreviews({ ...parts, folder: join(dataDir, 'previews') })
  const drawn = { ...parts, previews, assembling: makeSingleFlight<FileRow>() }
  return { ...drawn, drawAhead: makeDrawAhead(drawn) }
}
