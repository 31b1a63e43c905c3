// The images of unsaved texts, kept on the device: the server removes a file that no post shows
// after a day, and a draft may wait longer. Before its text is saved, what is gone is uploaded
// again under the same id, which stays its owner's (decision 0025).
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import { type DeviceTable, openTable } from '../drafts/device-table.ts'

/** `keptAt` in milliseconds since 1970. */
export type LocalImage = { file: File; keptAt: number }

export type ImageCalls = {
  /** Which of these files exist and are the user's own. */
  findOwn(fileIds: string[]): Promise<Set<string>>
  /** Uploads an image under an id that its owner had before. */
  reupload(fileId: string, file: File): Promise<boolean>
}

/** Own file addresses in a text. */
const IN_TEXT = /\/v1\/storage\/buckets\/[\w.-]+\/files\/([A-Za-z0-9][\w.-]{0,35})\/view/g

const table = openTable<LocalImage>('images', 'file')

/** Where the device has no room, nothing is kept: the server still has the image for a day. */
export async function saveLocalImage(
  { userId, fileId, file }: { userId: string; fileId: string; file: File },
  storage = table,
): Promise<void> {
  await storage.set(keyOf(userId, fileId), { file, keptAt: Date.now() }).catch(() => undefined)
}

/**
 * Uploads again the images of a text that this device has and the server has not.
 *
 * @returns whether there was any; a failure is left to the next time
 */
export async function reuploadImages(
  { userId, html, calls }: { userId: string; html: string; calls: ImageCalls },
  storage = table,
): Promise<boolean> {
  const shown = imagesIn(html)
  if (shown.size === 0) return false
  const kept = (await findKept(storage, userId)).filter(({ fileId }) => shown.has(fileId))
  if (kept.length === 0) return false
  try {
    const own = await calls.findOwn(kept.map(({ fileId }) => fileId))
    let hasRestored = false
    for (const { fileId, file } of kept.filter((one) => !own.has(one.fileId)))
      hasRestored = (await calls.reupload(fileId, file)) || hasRestored
    return hasRestored
  } catch {
    return false
  }
}

/**
 * Removes all images of a user, or those that none of these texts shows. The latter keeps the
 * images of the last day: their text may not be stored yet.
 */
export async function deleteLocalImages(
  { userId, texts }: { userId: string; texts?: string[] },
  storage = table,
): Promise<void> {
  const shown = new Set(texts?.flatMap((html) => [...imagesIn(html)]))
  const before = texts ? Date.now() - UNUSED_FILE_SECONDS * 1000 : Number.POSITIVE_INFINITY
  const old = (await findKept(storage, userId)).filter(
    ({ fileId, keptAt }) => keptAt < before && !shown.has(fileId),
  )
  await storage.remove(old.map(({ fileId }) => keyOf(userId, fileId))).catch(() => undefined)
}

async function findKept(
  storage: DeviceTable<LocalImage>,
  userId: string,
): Promise<(LocalImage & { fileId: string })[]> {
  const prefix = keyOf(userId, '')
  const all = await storage.findAll(prefix).catch(() => [])
  return all.map(([key, image]) => ({ ...image, fileId: key.slice(prefix.length) }))
}

function keyOf(userId: string, fileId: string): string {
  return `image/${userId}/${fileId}`
}

function imagesIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(IN_TEXT), ([, id = '']) => id))
}
