// The calls about files and the addresses of images.

import { Storage } from 'appwrite'
import type { FileModel } from '#contract/files.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { type Api, pathOf } from '../api/client.ts'
import { fail, failureOf, type Result, resultOf, succeed } from '../api/result.ts'
import { CANCELLED, makeUploadClient } from './upload-client.ts'

/**
 * Wide ones are shown at two or three pixels a point, where nobody sees the difference but in the
 * waiting.
 */
function qualityOf(width: number): number {
  if (width < 800) return 80
  return width < 1200 ? 68 : 58
}

/** `cancel` ends an upload that is still under way. */
export type UploadProgress = { sentBytes: number; totalBytes: number; cancel?: () => void }

/**
 * Ids of files that were sent in part, so that trying again goes on where it stopped. A finished
 * one is forgotten.
 */
const begun = new WeakMap<File, string>()
const ID_BYTES = 10

/**
 * Stores an image under an id of its own. Sent again after a failure, the same `File` goes on with
 * the chunks that are missing.
 *
 * @param options `onProgress` hears how far it is, from 0 on, and gets the means to cancel
 * @returns a cancelled upload as a failure of the type `upload_cancelled`
 */
export async function uploadImage(
  api: Api,
  bucketId: string,
  { file, onProgress }: { file: File; onProgress?: (progress: UploadProgress) => void },
): Promise<Result<FileModel>> {
  const stop = new AbortController()
  const cancel = () => stop.abort()
  const known = begun.get(file)
  let mostBytes = known === undefined ? 0 : file.size
  const onSent = (sentBytes: number) => {
    mostBytes = Math.max(mostBytes, sentBytes)
    onProgress?.({ sentBytes, totalBytes: file.size, cancel })
  }
  const fileId = known ?? makeFileId()
  begun.set(file, fileId)
  onSent(0)
  const carrier = makeUploadClient(api.client, {
    onSent,
    signal: stop.signal,
    isResumed: known !== undefined,
  })
  try {
    const stored = await new Storage(carrier).createFile(bucketId, fileId, file)
    begun.delete(file)
    return succeed(stored)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.type === 'storage_file_already_exists') {
      // Ids are never guessed: it is this file, and only the answer got lost.
      begun.delete(file)
      return resultOf<FileModel>(api.storage.getFile(bucketId, fileId))
    }
    if (failure.type === CANCELLED) {
      begun.delete(file)
      // Before its first form is whole the server keeps nothing.
      if (mostBytes >= Math.min(file.size, CHUNK_BYTES)) await deleteFile(api, bucketId, fileId)
    }
    // What was refused stays refused; a later try begins anew.
    if (failure.code >= 400 && failure.code < 500 && failure.code !== 401 && failure.code !== 429)
      begun.delete(file)
    return fail(failure)
  }
}

function makeFileId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Removes a file. One that is gone already counts as removed (api.md §10.2). */
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
 * Where an image of exactly this size comes from, at one and two pixels a point.
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

/**
 * One shape of an image in the widths that screens have. `sizes` says how wide it is shown, as CSS
 * does; `width` is the usual one.
 */
export type ImageShape = { ratio: number; widths: number[]; sizes: string; width: number }

/** Where an image of one shape comes from, whatever the screen. */
export function sourcesOf(
  api: Api,
  bucketId: string,
  { fileId, ratio, widths, sizes, width }: ImageShape & { fileId: string },
): ImageSources {
  const at = (wide: number): string =>
    pathOf(previewAddress(api, bucketId, { fileId, width: wide, height: Math.round(wide / ratio) }))
  return {
    src: at(width),
    srcSet: widths.map((wide) => `${at(wide)} ${wide}w`).join(', '),
    sizes,
    width,
    height: Math.round(width / ratio),
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
    qualityOf(width),
    none,
    none,
    none,
    none,
    none,
    none,
    'webp',
  )
}

/** Where the stored file can be saved from; the server names it. */
export function downloadPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileDownload(bucketId, fileId))
}

/** Where the stored file can be seen as it is; used inside post bodies. */
export function viewPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileView(bucketId, fileId))
}
