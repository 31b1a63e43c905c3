// Puts the parts of files together: where bytes are kept, and the rules bound to what they need.
// Knows no rule of its own.
import { join } from 'node:path'
import { isShared } from '../database/dialect.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import type { S3Config } from '../settings/read-settings.ts'
import { openOriginal } from './blob-store.ts'
import { makeBlobStores } from './blob-stores.ts'
import { type FilesContext, requireCreator } from './file-access.ts'
import { changeFile, continuesUpload, readFile, readVisible, removeFile } from './file-changes.ts'
import { makeUses, setAvatarFile, setPostFiles, setVersionFiles } from './file-references-store.ts'
import { makeImageQueue } from './image-process.ts'
import {
  listAllOf,
  listFiles,
  listOwnFiles,
  removeAllOf,
  removeOwnUnused,
} from './own-files-store.ts'
import { makeDrawAhead } from './pregenerate-previews.ts'
import { makeOwnDrawings, makePreviews } from './previews.ts'
import { type FileRow, hasWholeFile } from './store.ts'
import { sweepFiles } from './sweep.ts'
import { createFile } from './uploads.ts'

type FilesNeeds = Omit<FilesContext, 'blobStore' | 'chunks' | 'received' | 'imageQueue'> & {
  dataDir: string
  /** Where finished files are kept; undefined means in the data folder. */
  s3: S3Config | undefined
  /** Whether the database knew finished files at the start. */
  hasFiles?: boolean
}

export const findHasFiles = hasWholeFile

/** What other rooms and the routes may call; each call is explained at its rule. */
export type Files = ReturnType<typeof makeFiles>

export function makeFiles({ dataDir, s3, hasFiles = false, ...given }: FilesNeeds) {
  const { db } = given
  const { requireFiles, requireUploads, ...places } = makeBlobStores({
    ...{ dataDir, s3, isShared: isShared(db), hasFiles },
  })
  const needs = { ...given, ...places, imageQueue: makeImageQueue() }
  const previews = makePreviews({ ...needs, folder: join(dataDir, 'previews') })
  const drawAhead = makeDrawAhead({ ...needs, previews })
  const assembling = makeSingleFlight<FileRow>()

  return {
    /** Where the bytes of an upload request wait until they are checked. */
    received: needs.received,
    requireFolder: requireFiles,
    requireUploads,
    requireCreator: requireCreator.bind(undefined, needs),
    continuesUpload: continuesUpload.bind(undefined, needs),
    create: createFile.bind(undefined, { ...needs, assembling, drawAhead }),
    list: listFiles.bind(undefined, needs),
    read: readFile.bind(undefined, needs),
    change: changeFile.bind(undefined, needs),
    remove: removeFile.bind(undefined, needs),
    readVisible: readVisible.bind(undefined, needs),
    openBytes: openOriginal.bind(undefined, needs),
    preview: previews.read,
    ...makeOwnDrawings(previews),
    /** Previews are drawn before anybody asks, from the start to the stop. */
    startDrawingAhead: drawAhead.start,
    stopDrawingAhead: drawAhead.stop,
    imageQueueStats: needs.imageQueue.stats,
    previewLookups: previews.lookups,
    ...makeUses(needs),
    setPostFiles: setPostFiles.bind(undefined, needs),
    setVersionFiles: setVersionFiles.bind(undefined, needs),
    setAvatarFile: setAvatarFile.bind(undefined, needs),
    listOwn: listOwnFiles.bind(undefined, needs),
    removeOwnUnused: removeOwnUnused.bind(undefined, needs),
    listAllOf: listAllOf.bind(undefined, needs),
    removeAllOf: removeAllOf.bind(undefined, needs),
    sweep: sweepFiles.bind(undefined, needs),
  }
}
