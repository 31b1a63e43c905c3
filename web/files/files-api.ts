// The calls about files, and the addresses of images.
import { Query } from 'appwrite'
import type { OwnFiles } from '#contract/files.ts'
import {
  COVER_SHAPE,
  heightOf,
  type ImageShape,
  previewQuality,
  WIDE_COVER_SHAPE,
} from '#contract/image-sizes.ts'
import { QUERY_VALUES_MAX } from '#contract/limits.ts'
import { type Api, pathOf, type Result, resultOf, succeed } from '../api/client.ts'

/** Finds out which of these files exist and are the user's own. Rejects if the call fails. */
export async function findOwnFiles(
  api: Api,
  bucketId: string,
  fileIds: string[],
): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let start = 0; start < fileIds.length; start += QUERY_VALUES_MAX) {
    const batch = fileIds.slice(start, start + QUERY_VALUES_MAX)
    const queries = [Query.equal('$id', batch), Query.limit(batch.length)]
    const { files } = await api.storage.listFiles(bucketId, queries)
    for (const { $id } of files) ids.add($id)
  }
  return ids
}

/** Deletes a file. Succeeds even if it no longer exists (api.md §10.2). */
export async function deleteFile(
  api: Api,
  bucketId: string,
  fileId: string,
): Promise<Result<undefined>> {
  const deleted = await resultOf(api.storage.deleteFile(bucketId, fileId))
  return deleted.ok || deleted.failure.code === 404 ? succeed(undefined) : deleted
}

/** The number of the user's files on one page of the settings. */
export const OWN_FILES_PAGE = 12

/**
 * Lists one page of the user's files. Rejects if the call fails. The client package has no method
 * for this call and the next one.
 *
 * @param options `cursor` is `next` of the page before
 */
export async function listOwnFiles(
  api: Api,
  { isUnused, cursor }: { isUnused: boolean; cursor: string },
): Promise<OwnFiles> {
  const params = { unused: String(isUnused), limit: String(OWN_FILES_PAGE), cursor }
  const address = new URL(`${api.client.config.endpoint}/account/files`)
  return await api.client.call('get', address, { 'content-type': 'application/json' }, params)
}

/** Deletes every file that nothing uses. Rejects if the call fails. @returns how many */
export async function deleteUnusedFiles(api: Api): Promise<number> {
  const address = new URL(`${api.client.config.endpoint}/account/files/unused`)
  const { removed } = await api.client.call('delete', address, {
    'content-type': 'application/json',
  })
  return removed
}

/** `sizes` is set if the `srcSet` lists widths. */
export type ImageSources = {
  src: string
  srcSet: string
  sizes?: string
  width: number
  height: number
}

/**
 * The sources of an image of exactly this size, for screens of single and double density.
 *
 * @param image `width` and `height` are in CSS pixels
 */
export function previewOf(
  api: Api,
  bucketId: string,
  { fileId, width, height }: { fileId: string; width: number; height: number },
): ImageSources {
  const path = (density: number) => {
    const size = { width: width * density, height: height * density }
    return pathOf(previewAddress(api, bucketId, { fileId, ...size }))
  }
  return { src: path(1), srcSet: `${path(1)} 1x, ${path(2)} 2x`, width, height }
}

/** The sources of an image in one shape, for every screen width. */
export function sourcesOf(
  api: Api,
  bucketId: string,
  { fileId, ratio, widths, sizes, width }: ImageShape & { fileId: string },
): ImageSources {
  const path = (pixels: number): string => {
    const size = { width: pixels, height: heightOf({ ratio }, pixels) }
    return pathOf(previewAddress(api, bucketId, { fileId, ...size }))
  }
  return {
    src: path(width),
    srcSet: widths.map((pixels) => `${path(pixels)} ${pixels}w`).join(', '),
    sizes,
    width,
    height: heightOf({ ratio }, width),
  }
}

type Preview = { fileId: string; width: number; height: number; quality?: number; output?: string }

/** The full address of one preview. */
export function previewAddress(
  api: Api,
  bucketId: string,
  { fileId, width, height, quality = previewQuality(width), output = 'webp' }: Preview,
): URL {
  const none = undefined
  return api.storage.getFilePreview(
    bucketId,
    fileId,
    width,
    height,
    none,
    quality,
    none,
    none,
    none,
    none,
    none,
    none,
    output,
  )
}

/** The address that downloads a stored file under its own name. */
export function downloadPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileDownload(bucketId, fileId))
}

/** The address of a stored file without changes; used inside post bodies. */
export function viewPath(api: Api, bucketId: string, fileId: string): string {
  return pathOf(api.storage.getFileView(bucketId, fileId))
}

/**
 * The sources of a post's large featured image: one shape for small screens, another from 64em on,
 * each in the widths that screens have.
 */
export function featuredImageSources(
  api: Api,
  bucketId: string,
  fileId: string,
): { image: ImageSources; wideImage: ImageSources } {
  return {
    image: sourcesOf(api, bucketId, { fileId, ...COVER_SHAPE }),
    wideImage: sourcesOf(api, bucketId, { fileId, ...WIDE_COVER_SHAPE }),
  }
}
