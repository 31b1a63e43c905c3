// Puts the parts of files together: where bytes are kept, and the rules bound to what they need.
// Knows no rule of its own.
import { join } from 'node:path'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import { makeSharedWork } from '../process/shared-work.ts'
import type { S3Config } from '../settings/storage.ts'
import { requireCreator } from './buckets.ts'
import { makeCards } from './cards.ts'
import { openOriginal } from './cut-short.ts'
import { makeDrawAhead } from './draw-ahead.ts'
import {
  changeFile,
  continuesUpload,
  createFile,
  readFile,
  readVisible,
  removeFile,
} from './file-changes.ts'
import { makeIcons } from './icons.ts'
import { makeImageBudget } from './image-budget.ts'
import { imageQueueNumbers, makeImageQueue } from './image-queue.ts'
import { makeInitials } from './initials.ts'
import { listFiles } from './list.ts'
import { listAllOf, listOwnFiles, removeAllOf, removeOwnUnused } from './own-files.ts'
import { makePlaces } from './places.ts'
import { makePreviews } from './previews.ts'
import { type FileRow, hasWholeFile } from './store.ts'
import { sweepFiles } from './sweep.ts'
import { makeUses } from './uses.ts'

export type FilesNeeds = {
  db: Database
  background: Background
  log: Log
  dataDir: string
  /** Where finished files are kept; undefined means in the data folder. */
  s3: S3Config | undefined
  contentBucketId: string
  avatarBucketId: string
  /** False: image work is free of charge; its queue stays. */
  hasRateLimits: boolean
  /** Whether the database knew finished files at the start. */
  hasFiles?: boolean
  now: () => Date
}

export function findHasFiles(db: Database): Promise<boolean> {
  return hasWholeFile(db)
}

/** What other rooms and the routes may call; each call is explained at its rule. */
export type Files = ReturnType<typeof makeFiles>

export function makeFiles({
  db,
  background,
  log,
  dataDir,
  s3,
  contentBucketId,
  avatarBucketId,
  hasRateLimits,
  hasFiles = false,
  now,
}: FilesNeeds) {
  const { keeper, chunks, received, ...same } = makePlaces({
    ...{ dataDir, s3, isShared: isShared(db) },
    hasFiles,
  })
  const budget = makeImageBudget({ isOn: hasRateLimits, nowMs: () => now().getTime() })
  const imageQueue = makeImageQueue(budget)
  const previews = makePreviews({ keeper, imageQueue, log, folder: join(dataDir, 'previews') })
  const drawing = { imageQueue, findOrMake: previews.findOrMake }
  const icons = makeIcons(drawing)
  const assembling = makeSharedWork<FileRow>()
  const buckets = { contentBucketId, avatarBucketId }
  const found = { db, contentBucketId, avatarBucketId }
  const removal = { db, background, keeper, chunks }
  const using = { ...buckets, keeper, chunks, now }
  const drawAhead = makeDrawAhead({
    ...{ db, background, log, now, avatarBucketId },
    ...{ previews, imageQueue },
  })
  const uploads = { ...removal, ...buckets, received, imageQueue, assembling, drawAhead, now }

  return {
    /** Where the bytes of an upload request wait until they are checked. */
    received,
    requireFolder: same.requireFiles,
    requireUploads: same.requireUploads,
    requireCreator: bind(requireCreator, buckets),
    continuesUpload: bind(continuesUpload, { db }),
    create: bind(createFile, uploads),
    list: bind(listFiles, found),
    read: bind(readFile, found),
    change: bind(changeFile, { ...found, now }),
    remove: bind(removeFile, { ...found, ...removal, now }),
    readVisible: bind(readVisible, found),
    openBytes: bind(openOriginal, { keeper, log }),
    preview: previews.read,
    drawInitials: makeInitials(drawing),
    drawCard: makeCards(drawing),
    drawQr: icons.drawQr,
    drawFlag: icons.drawFlag,
    drawBrand: icons.drawBrand,
    /** Previews are drawn before anybody asks, from the start to the stop. */
    startDrawingAhead: drawAhead.start,
    stopDrawingAhead: drawAhead.stop,
    imageQueueNumbers: bind(imageQueueNumbers, imageQueue),
    previewLookups: previews.lookups,
    ...makeUses(using),
    listOwn: bind(listOwnFiles, found),
    removeOwnUnused: bind(removeOwnUnused, { ...found, ...removal, now }),
    listAllOf: bind(listAllOf, { db, keeper, log }),
    removeAllOf: bind(removeAllOf, { keeper, chunks }),
    sweep: bind(sweepFiles, { ...removal, ...using, received, log }),
  }
}

/** A rule with its needs, its first argument, handed over. */
function bind<Needs, Args extends unknown[], Result>(
  rule: (needs: Needs, ...args: Args) => Result,
  needs: Needs,
): (...args: Args) => Result {
  return (...args) => rule(needs, ...args)
}
