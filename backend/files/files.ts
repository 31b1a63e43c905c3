// Makes the services of this room: stores of bytes, the queue of image jobs, previews.

import { join } from 'node:path'
import type { CacheContext } from '../cache/context.ts'
import { isShared } from '../database/dialect.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import { makeBlobStores } from './blob-stores.ts'
import type { FilesContext } from './context.ts'
import { makeImageQueue } from './image-process.ts'
import { makePreviewPregeneration } from './pregenerate-previews.ts'
import { makePreviews } from './previews.ts'
import { type FileRow, hasCompleteFile } from './store.ts'

export {
  findOwnFiles,
  isUsableImage,
  listVersionFiles,
  releaseFilesOfPost,
  setAvatarFile,
  setPostFiles,
  setVersionFiles,
  updateAvatarOnPrefsEvent,
} from './file-references-store.ts'
export * from './own-files-store.ts'

/** @throws Error when a folder cannot be created */
export async function makeFiles(context: CacheContext): Promise<FilesContext> {
  const { db, dataDir, s3 } = context
  const hasFiles = await hasCompleteFile(db)
  const stores = makeBlobStores({ dataDir, s3, isShared: isShared(db), hasFiles })
  const services = { ...context, ...stores, imageQueue: makeImageQueue() }
  const previews = makePreviews({ ...services, folder: join(dataDir, 'previews') })
  const withPreviews = { ...services, previews, assembling: makeSingleFlight<FileRow>() }
  return { ...withPreviews, previewPregeneration: makePreviewPregeneration(withPreviews) }
}
