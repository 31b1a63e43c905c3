// The pictures of imported posts: finds them among the files of the export or fetches them from the
// old site, and stores each of them once for each author, as uploads are stored.
import { Refusal } from '#contract/errors.ts'
import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import { fitName } from '../../files/file-names.ts'
import { toUploadable } from '../../files/store-image.ts'
import { storeReadImage } from '../../files/uploads.ts'
import type { ArchiveContext } from '../context.ts'
import type { FileTree } from '../sources/source.ts'
import {
  type FetchFailure,
  type FetchPicture,
  isFailure,
  readPictureBytes,
} from './fetch-picture.ts'
import * as store from './imports-store.ts'
import { fitOf, type OldSite, type PictureSource, readPicture } from './old-site.ts'
import type { Staging } from './staging-store.ts'

/** Pictures of a post that are read at the same time. */
const AT_ONCE = 3
const FITTING_MAX = 200

export type StoredPicture = { fileId: string; width: number; height: number; type: string }
type PicturesContext = {
  context: ArchiveContext
  staging: Staging
  tree: FileTree
  site: OldSite
  fetchPicture: FetchPicture
  /** Of the rows of `importedItem`. */
  item: { owner: string; source: string; runId: string }
  /** Called for each picture that was not stored before. */
  onStored(): void
}

/** The file of the tree that a picture is; undefined if there is none. */
export function findInTree(staging: Staging, { path, names }: PictureSource) {
  if (path !== undefined) return staging.findTreeFile(path)
  for (const name of names) {
    const files = staging.findTreeFiles(name.slice(name.lastIndexOf('/') + 1), FITTING_MAX)
    const byFit = files.toSorted((a, b) => fitOf(b.path, name) - fitOf(a.path, name))
    if (byFit[0]) return byFit[0]
  }
  return undefined
}

/** @returns undefined for a picture that is neither in the tree nor of the old site */
export function findPicture(staging: Staging, site: OldSite, address: string, base: string) {
  const source = readPicture(site, address, base, staging.hasPicture)
  if (!source) return undefined
  const file = findInTree(staging, source)
  const isHere = file || source.data || source.path !== undefined
  return isHere || source.addresses.length > 0 ? { source, file } : undefined
}

export type FoundPicture = NonNullable<ReturnType<typeof findPicture>>

export function makePictures(pictures: PicturesContext) {
  /** Authors who have no room for further pictures. */
  const full = new Set<string>()
  /** Pictures that are being stored, so that no one is stored twice. */
  const running = new Map<string, Promise<StoredPicture | FetchFailure>>()

  async function store(found: FoundPicture, userId: string) {
    const { context, staging, item } = pictures
    const { source } = found
    const key = `${userId} ${source.key}`
    const stored = await findStored(context, { ...item, key })
    if (stored) return stored
    const failure = full.has(userId)
      ? ({ reason: 'noRoom', detail: '' } as const)
      : staging.findFailure(source.key)
    const result = failure ?? (await readAndStore(pictures, found, { userId, key }))
    if (isFailure(result)) {
      if (result.reason === 'noRoom') full.add(userId)
      else staging.addFailure(source.key, result.reason, result.detail)
    }
    return result
  }

  return {
    /** Stores a picture, unless it is stored. */
    async store(found: FoundPicture, userId: string): Promise<StoredPicture | FetchFailure> {
      const key = `${userId} ${found.source.key}`
      const task = running.get(key) ?? store(found, userId).finally(() => running.delete(key))
      running.set(key, task)
      return task
    },
    /** Stores the pictures of a post, a few at a time. */
    async storeAll(all: FoundPicture[], userId: string, signal: AbortSignal) {
      const byKey = new Map(all.map((found) => [found.source.key, found]))
      const waiting = [...byKey.values()]
      const stored = new Map<string, StoredPicture | FetchFailure>()
      const work = async () => {
        for (let found = waiting.shift(); found && !signal.aborted; found = waiting.shift())
          stored.set(found.source.key, await this.store(found, userId))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      signal.throwIfAborted()
      return stored
    },
  }
}

/** A picture of this or an earlier import, whose file may have been deleted since. */
async function findStored(
  context: ArchiveContext,
  item: Omit<store.ItemKey, 'kind'>,
): Promise<StoredPicture | undefined> {
  const { db, contentBucketId } = context
  const file = await store.findPictureFile(db, item, contentBucketId)
  return file && toStored(file)
}

function toStored(file: { id: string; width: number; height: number; mimeType: string }) {
  const type = file.mimeType.replace(/^image\//, '')
  return { fileId: file.id, width: Number(file.width), height: Number(file.height), type }
}

async function readAndStore(
  pictures: PicturesContext,
  found: FoundPicture,
  { userId, key }: { userId: string; key: string },
): Promise<StoredPicture | FetchFailure> {
  const { context, item } = pictures
  const read = await readBytes(pictures, found)
  if (isFailure(read)) return read
  const { source } = found
  const path = source.names[0] ?? 'picture'
  try {
    const image = await toUploadable(context, read.bytes)
    if (!image) return { reason: 'pictureRefused', detail: 'type' }
    const name = fitName(path.slice(path.lastIndexOf('/') + 1), image.extension)
    const upload = { name, bytes: image.bytes, userId }
    const file = await storeReadImage(context, upload, async (tx, { id: targetId }) => {
      const itemKey = { ...item, kind: 'picture', key } as const
      // The file of an earlier import may have been deleted since.
      await store.deleteItem(tx, itemKey)
      await store.insertItem(tx, { ...itemKey, targetId, digest: source.key })
    })
    pictures.onStored()
    return toStored(file)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return failureOf(error)
  }
}

/** @throws the refusal if it says nothing about the picture */
function failureOf(refusal: Refusal): FetchFailure {
  switch (refusal.type) {
    case 'storage_file_type_unsupported':
    case 'storage_invalid_file':
      return { reason: 'pictureRefused', detail: 'type' }
    // The bytes have been measured: there is no room for them, or for one more file.
    case 'storage_invalid_file_size':
    case 'general_argument_invalid':
      return { reason: 'noRoom', detail: '' }
    case 'general_service_disabled':
      return { reason: 'pictureRefused', detail: 'time' }
    default:
      throw refusal
  }
}

async function readBytes(
  { tree, fetchPicture }: PicturesContext,
  { source, file }: FoundPicture,
): Promise<{ bytes: Buffer } | FetchFailure> {
  if (file) {
    if (file.sizeBytes > CONTENT_FILE_MAX_BYTES) return { reason: 'pictureRefused', detail: 'size' }
    const stream = await tree.open(file.path)
    return stream ? readPictureBytes(stream) : { reason: 'pictureMissing', detail: '' }
  }
  if (source.data) return { bytes: Buffer.from(source.data, 'base64') }
  let failure: FetchFailure = { reason: 'pictureMissing', detail: '' }
  for (const address of source.addresses) {
    const fetched = await fetchPicture.fetch(address)
    if (!isFailure(fetched)) return fetched
    failure = fetched
    if (failure.reason !== 'pictureMissing') break
  }
  return failure
}
