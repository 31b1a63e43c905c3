// The calls about files and the addresses of images. Outcomes as spec §8: a failed upload or delete is false, and reported.

import { ID } from 'appwrite'
import type { FileModel } from '#contract/files.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { type Api, pathOf } from '../api/client.ts'
import { orFalse, type Report } from '../api/outcomes.ts'

const PREVIEW_QUALITY = 80

export type UploadProgress = { sentBytes: number; totalBytes: number }

/**
 * Stores an image under an id that the server makes.
 *
 * @param options `onProgress` hears of each chunk that has arrived; a file that goes in one piece reports nothing on the way
 * @returns false after a failure, which went to `report`
 * @note the client reports a chunk by where it began, after it has arrived
 */
export async function uploadImage(
  api: Api,
  bucketId: string,
  { file, onProgress, report }: { file: File; onProgress?: ((progress: UploadProgress) => void) | undefined; report?: Report | undefined },
): Promise<FileModel | false> {
  const handleChunk = ({ sizeUploaded }: { sizeUploaded: number }) => {
    onProgress?.({ sentBytes: Math.min(file.size, sizeUploaded + CHUNK_BYTES), totalBytes: file.size })
  }
  return orFalse<FileModel>(api.storage.createFile(bucketId, ID.unique(), file, undefined, handleChunk), report)
}

/** Whether an upload of this size goes in several pieces and can tell how far it is. */
export function isChunked(sizeBytes: number): boolean {
  return sizeBytes > CHUNK_BYTES
}

/** Removes a file. One that is gone already counts as removed (contract §10.2). */
export async function deleteFile(api: Api, bucketId: string, { fileId, report }: { fileId: string; report?: Report }): Promise<boolean> {
  let isGone = false
  const answer = await orFalse(api.storage.deleteFile(bucketId, fileId), (failure) => {
    isGone = failure.code === 404
    if (!isGone) report?.(failure)
  })
  return answer !== false || isGone
}

/** `sizes` goes with a `srcSet` of widths. */
export type ImageSources = { src: string; srcSet: string; sizes?: string; width: number; height: number }

/**
 * Where an image of exactly this size comes from, at one and two pixels a point.
 *
 * @param size in CSS pixels
 */
export function previewOf(api: Api, bucketId: string, { fileId, width, height }: { fileId: string; width: number; height: number }): ImageSources {
  const at = (times: number) => pathOf(previewAddress(api, bucketId, { fileId, width: width * times, height: height * times }))
  return { src: at(1), srcSet: `${at(1)} 1x, ${at(2)} 2x`, width, height }
}

/** The full address of one preview, for other sites that show the post. */
export function previewAddress(api: Api, bucketId: string, { fileId, width, height }: { fileId: string; width: number; height: number }): URL {
  const none = undefined
  return api.storage.getFilePreview(bucketId, fileId, width, height, none, PREVIEW_QUALITY, none, none, none, none, none, none, 'webp')
}

/** Where the stored file can be saved from; the server names it. */
export function downloadPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileDownload(bucketId, fileId))
}

/** Where the stored file can be seen as it is; used inside post bodies. */
export function viewPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileView(bucketId, fileId))
}
