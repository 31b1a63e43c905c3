// The calls about files, and the addresses of images.

import { Query, Storage } from 'appwrite'
import type { FileModel } from '#contract/files.ts'
import { heightOf, type ImageShape, previewQuality } from '#contract/image-sizes.ts'
import { CHUNK_BYTES, QUERY_VALUES_MAX } from '#contract/limits.ts'
import { type Api, pathOf } from '../api/client.ts'
import { fail, failureOf, type Result, resultOf, succeed } from '../api/result.ts'
import { CANCELLED, makeUploadClient } from './upload-client.ts'

/** `cancel` ends an upload that is still under way. */
export type UploadProgress = { sentBytes: number; totalBytes: number; cancel?: () => void }

/** Ids of files that were uploaded in part: a retry continues where the upload stopped. */
const unfinished = new WeakMap<File, string>()
const ID_BYTES = 10

/** `id` is one that the person had before; without it the image gets a new one. */
type NewImage = {
  file: File
  id?: string
  onProgress?: (progress: UploadProgress) => void
  onLost?: ((retry: () => void) => void) | undefined
  /** Cancels as `cancel` does. */
  signal?: AbortSignal | undefined
}

/**
 * Stores an image under a new id. For the same `File`, a retry after a failure sends only the
 * chunks that are missing.
 *
 * @param options `onProgress` hears how far it is, from 0 on, and gets the means to cancel
 * @returns a cancelled upload as a failure of the type `upload_cancelled`
 */
export async function uploadImage(
  api: Api,
  bucketId: string,
  { file, id, onProgress, onLost, signal }: NewImage,
): Promise<Result<FileModel>> {
  const abort = new AbortController()
  const cancel = () => abort.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true, signal: abort.signal })
  const known = unfinished.get(file)
  let maxSentBytes = known === undefined ? 0 : file.size
  const onSent = (sentBytes: number) => {
    maxSentBytes = Math.max(maxSentBytes, sentBytes)
    onProgress?.({ sentBytes, totalBytes: file.size, cancel })
  }
  const fileId = known ?? id ?? makeFileId()
  unfinished.set(file, fileId)
  onSent(0)
  const client = makeUploadClient(api.client, {
    onSent,
    onLost,
    signal: abort.signal,
    isResumed: known !== undefined,
  })
  try {
    const stored = await new Storage(client).createFile(bucketId, fileId, file)
    unfinished.delete(file)
    return succeed(stored)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.type === 'storage_file_already_exists') {
      // The id is random, so the stored file is this one, and only the answer was lost.
      unfinished.delete(file)
      return resultOf<FileModel>(api.storage.getFile(bucketId, fileId))
    }
    if (failure.type === CANCELLED) {
      unfinished.delete(file)
      // Until the first chunk is complete the server keeps nothing.
      if (maxSentBytes >= Math.min(file.size, CHUNK_BYTES)) await deleteFile(api, bucketId, fileId)
    }
    // The server refused the file itself: a retry starts from the beginning.
    if (failure.code >= 400 && failure.code < 500 && failure.code !== 401 && failure.code !== 429)
      unfinished.delete(file)
    return fail(failure)
  }
}

function makeFileId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Which of these files are there and the person's own. Rejects when it fails. */
export async function findOwnFiles(
  api: Api,
  bucketId: string,
  fileIds: string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < fileIds.length; at += QUERY_VALUES_MAX) {
    const some = fileIds.slice(at, at + QUERY_VALUES_MAX)
    const queries = [Query.equal('$id', some), Query.limit(some.length)]
    const { files } = await api.storage.listFiles(bucketId, queries)
    for (const { $id } of files) found.add($id)
  }
  return found
}

/** Deletes a file. Succeeds when it does not exist any more (api.md §10.2). */
export async function deleteFile(
  api: Api,
  bucketId: string,
  fileId: string,
): Promise<Result<undefined>> {
  const deleted = await resultOf(api.storage.deleteFile(bucketId, fileId))
  return deleted.ok || deleted.failure.code === 404 ? succeed(undefined) : deleted
}

/** `sizes` goes with a `srcSet` of widths. */
export type ImageSources = {
  src: string
  srcSet: string
  sizes?: string
  width: number
  height: number
}

/**
 * The sources of an image of exactly this size, for screens of simple and double density.
 *
 * @param size in CSS pixels
 */
export function previewOf(
  api: Api,
  bucketId: string,
  { fileId, width, height }: { fileId: string; width: number; height: number },
): ImageSources {
  const at = (times: number) =>
    pathOf(previewAddress(api, bucketId, { fileId, width: width * times, height: height * times }))
  return { src: at(1), srcSet: `${at(1)} 1x, ${at(2)} 2x`, width, height }
}

/** The sources of an image in one shape, for every screen width. */
export function sourcesOf(
  api: Api,
  bucketId: string,
  { fileId, ratio, widths, sizes, width }: ImageShape & { fileId: string },
): ImageSources {
  const at = (wide: number): string =>
    pathOf(
      previewAddress(api, bucketId, { fileId, width: wide, height: heightOf({ ratio }, wide) }),
    )
  return {
    src: at(width),
    srcSet: widths.map((wide) => `${at(wide)} ${wide}w`).join(', '),
    sizes,
    width,
    height: heightOf({ ratio }, width),
  }
}

/** The full address of one preview, for other sites that show the post. */
export function previewAddress(
  api: Api,
  bucketId: string,
  { fileId, width, height }: { fileId: string; width: number; height: number },
): URL {
  const none = undefined
  return api.storage.getFilePreview(
    bucketId,
    fileId,
    width,
    height,
    none,
    previewQuality(width),
    none,
    none,
    none,
    none,
    none,
    none,
    'webp',
  )
}

/** The address that downloads a stored file; the server sends its name along. */
export function downloadPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileDownload(bucketId, fileId))
}

/** The address of a stored file as it is; used inside post bodies. */
export function viewPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileView(bucketId, fileId))
}
