// Puts the parts of files together: where bytes are kept, and the rules bound to what they need.
// Knows no rule of its own.
import { join } from 'node:path'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import { makeSharedWork } from '../process/single-flight.ts'
import type { S3Config } from '../settings/read-settings.ts'
import { makeDrawAhead } from './draw-ahead.ts'
import { requireCreator } from './file-access.ts'
import {
  changeFile,
  continuesUpload,
  createFile,
  readFile,
  readVisible,
  removeFile,
} from './file-changes.ts'
import { makeImageQueue } from './image-queue.ts'
import { openOriginal } from './keeper.ts'
import { listFiles } from './list.ts'
import { makeOwnDrawings } from './own-drawings.ts'
import { listAllOf, listOwnFiles, removeAllOf, removeOwnUnused } from './own-files.ts'
import { makePlaces } from './places.ts'
import { makePreviews } from './previews.ts'
import { type FileRow, hasWholeFile } from './store.ts'
import { sweepFiles } from './sweep.ts'
import { makeUses, noteAvatar, notePostFiles, noteVersionFiles } from './uses.ts'

type FilesNeeds = {
  db: Database
  background: Background
  log: Log
  dataDir: string
  /** Where finished files are kept; undefined means in the data folder. */
  s3: S3Config | undefined
  contentBucketId: string
  avatarBucketId: string
  /** Whether the database knew finished files at the start. */
  hasFiles?: boolean
  now: () => Date
}

export const findHasFiles = hasWholeFile

/** What other rooms and the routes may call; each call is explained at its rule. */
export type Files = ReturnType<typeof makeFiles>

export function makeFiles({ dataDir, s3, hasFiles = false, ...given }: FilesNeeds) {
  const { db } = given
  const { requireFiles, requireUploads, ...places } = makePlaces({
    ...{ dataDir, s3, isShared: isShared(db), hasFiles },
  })
  const needs = { ...given, ...places, imageQueue: makeImageQueue() }
  const previews = makePreviews({ ...needs, folder: join(dataDir, 'previews') })
  const drawAhead = makeDrawAhead({ ...needs, previews })
  const assembling = makeSharedWork<FileRow>()

  return {
    /** Where the bytes of an upload request wait until they are checked. */
    received: needs.received,
    requireFolder: requireFiles,
    requireUploads,
    requireCreator: bind(requireCreator, needs),
    continuesUpload: bind(continuesUpload, needs),
    create: bind(createFile, { ...needs, assembling, drawAhead }),
    list: bind(listFiles, needs),
    read: bind(readFile, needs),
    change: bind(changeFile, needs),
    remove: bind(removeFile, needs),
    readVisible: bind(readVisible, needs),
    openBytes: bind(openOriginal, needs),
    preview: previews.read,
    ...makeOwnDrawings(previews),
    /** Previews are drawn before anybody asks, from the start to the stop. */
    startDrawingAhead: drawAhead.start,
    stopDrawingAhead: drawAhead.stop,
    imageQueueNumbers: needs.imageQueue.numbers,
    previewLookups: previews.lookups,
    ...makeUses(needs),
    notePostFiles: bind(notePostFiles, needs),
    noteVersionFiles: bind(noteVersionFiles, needs),
    noteAvatar: bind(noteAvatar, needs),
    listOwn: bind(listOwnFiles, needs),
    removeOwnUnused: bind(removeOwnUnused, needs),
    listAllOf: bind(listAllOf, needs),
    removeAllOf: bind(removeAllOf, needs),
    sweep: bind(sweepFiles, needs),
  }
}

/** A rule with its needs, its first argument, handed over. */
function bind<Needs, Args extends unknown[], Result>(
  rule: (needs: Needs, ...args: Args) => Result,
  needs: Needs,
): (...args: Args) => Result {
  return (...args) => rule(needs, ...args)
}
