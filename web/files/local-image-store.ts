// The images of unsaved texts, stored on the device: after a day, the server removes a file that no
// post shows, but a draft may be older. Before its text is saved, missing images are uploaded again
// under their old ids, which are reserved for their owner (decision 0025).
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import { type DeviceTable, openTable } from '../drafts/device-table.ts'

/** `keptAt`: when the device stored the image, in milliseconds since 1970. */
export type LocalImage = { file: File; keptAt: number }

export type ImageCalls = {
  /** Finds out which of these files exist and are the user's own. */
  findOwn(fileIds: string[]): Promise<Set<string>>
  /** Uploads an image again under its old id. */
  reupload(fileId: string, file: File): Promise<boolean>
}

/** The addresses of this site's files in a text. */
const IN_TEXT = /\/v1\/storage\/buckets\/[\w.-]+\/files\/([A-Za-z0-9][\w.-]{0,35})\/view/g

const table = openTable<LocalImage>('images', 'file')

/** Ignores a full device: the server stores the image for a day anyway. */
export async function saveLocalImage(
  { userId, fileId, file }: { userId: string; fileId: string; file: File },
  storage = table,
): Promise<void> {
  await storage.set(keyOf(userId, fileId), { file, keptAt: Date.now() }).catch(() => undefined)
}

/**
 * Uploads again the images of a text that this device has and the server does not.
 *
 * @returns whether any was uploaded; the next call retries failures
 */
export async function reuploadImages(
  { userId, html, calls }: { userId: string; html: string; calls: ImageCalls },
  storage = table,
): Promise<boolean> {
  const shown = imagesIn(html)
  if (shown.size === 0) return false
  const local = (await findLocal(storage, userId)).filter(({ fileId }) => shown.has(fileId))
  if (local.length === 0) return false
  try {
    const onServer = await calls.findOwn(local.map(({ fileId }) => fileId))
    let hasRestored = false
    for (const { fileId, file } of local.filter((image) => !onServer.has(image.fileId)))
      hasRestored = (await calls.reupload(fileId, file)) || hasRestored
    return hasRestored
  } catch {
    return false
  }
}

/**
 * Deletes all images of a user or, with `texts`, the images that none of the texts shows, except
 * those stored within the last day, whose text may not be stored yet.
 */
export async function deleteLocalImages(
  { userId, texts }: { userId: string; texts?: string[] },
  storage = table,
): Promise<void> {
  const shownIds = new Set(texts?.flatMap((html) => [...imagesIn(html)]))
  const storedBeforeMs = texts ? Date.now() - UNUSED_FILE_SECONDS * 1000 : Number.POSITIVE_INFINITY
  const old = (await findLocal(storage, userId)).filter(
    ({ fileId, keptAt }) => keptAt < storedBeforeMs && !shownIds.has(fileId),
  )
  await storage.remove(old.map(({ fileId }) => keyOf(userId, fileId))).catch(() => undefined)
}

async function findLocal(
  storage: DeviceTable<LocalImage>,
  userId: string,
): Promise<(LocalImage & { fileId: string })[]> {
  const prefix = keyOf(userId, '')
  const entries = await storage.findAll(prefix).catch(() => [])
  return entries.map(([key, image]) => ({ ...image, fileId: key.slice(prefix.length) }))
}

function keyOf(userId: string, fileId: string): string {
  return `image/${userId}/${fileId}`
}

function imagesIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(IN_TEXT), ([, id = '']) => id))
}
