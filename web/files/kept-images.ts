// The images of unsaved texts, kept on the device: the server removes a file that no post shows
// after a day, and a draft may wait longer. Before its text is saved, what is gone is uploaded
// again under the same id, which stays its owner's (decision 0025). Knows nothing of drafts.
import { createStore, delMany, entries, set } from 'idb-keyval'
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'

/** `keptAt` in milliseconds since 1970. */
export type KeptImage = { file: File; keptAt: number }

/** Where images are kept: the browser's database, or a test's map. */
export type ImageStorage = {
  set(key: string, image: KeptImage): Promise<void>
  findAll(): Promise<[key: string, image: KeptImage][]>
  removeAll(keys: string[]): Promise<void>
}

export type ImageCalls = {
  /** Which of these files are there and the person's own. */
  findOwn(fileIds: string[]): Promise<Set<string>>
  /** Uploads an image under an id that its owner had before. */
  storeAgain(fileId: string, file: File): Promise<boolean>
}

/** Own file addresses in a text. */
const IN_TEXT = /\/v1\/storage\/buckets\/[\w.-]+\/files\/([A-Za-z0-9][\w.-]{0,35})\/view/g

const table = createStore('images', 'file')

// All are async functions: where the browser has no database, the package throws at once.
const browserStorage: ImageStorage = {
  async set(key, image) {
    await set(key, image, table)
  },
  findAll: async () => await entries<string, KeptImage>(table),
  async removeAll(keys) {
    await delMany(keys, table)
  },
}

/** Where the device has no room, nothing is kept: the server still has the image for a day. */
export async function keepImage(
  { userId, fileId, file }: { userId: string; fileId: string; file: File },
  storage: ImageStorage = browserStorage,
): Promise<void> {
  await storage.set(keyOf(userId, fileId), { file, keptAt: Date.now() }).catch(() => undefined)
}

/**
 * Uploads again what a text shows, this device has kept, and the server has no more.
 *
 * @returns whether there was any; a failure is left to the next time
 */
export async function restoreImages(
  { userId, html, calls }: { userId: string; html: string; calls: ImageCalls },
  storage: ImageStorage = browserStorage,
): Promise<boolean> {
  const shown = imagesIn(html)
  if (shown.size === 0) return false
  const kept = (await findKept(storage, userId)).filter(({ fileId }) => shown.has(fileId))
  if (kept.length === 0) return false
  try {
    const own = await calls.findOwn(kept.map(({ fileId }) => fileId))
    let hasRestored = false
    for (const { fileId, file } of kept.filter((one) => !own.has(one.fileId)))
      hasRestored = (await calls.storeAgain(fileId, file)) || hasRestored
    return hasRestored
  } catch {
    return false
  }
}

/**
 * Forgets a person's images that none of these texts shows. Those of the last day stay: their text
 * may be on its way to the device.
 */
export async function forgetImages(
  { userId, texts }: { userId: string; texts: string[] },
  storage: ImageStorage = browserStorage,
): Promise<void> {
  const shown = new Set(texts.flatMap((html) => [...imagesIn(html)]))
  const before = Date.now() - UNUSED_FILE_SECONDS * 1000
  const old = (await findKept(storage, userId)).filter(
    ({ fileId, keptAt }) => keptAt < before && !shown.has(fileId),
  )
  await storage.removeAll(old.map(({ fileId }) => keyOf(userId, fileId))).catch(() => undefined)
}

/** Forgets all images of a person. */
export async function forgetAllImages(
  userId: string,
  storage: ImageStorage = browserStorage,
): Promise<void> {
  const kept = await findKept(storage, userId)
  await storage.removeAll(kept.map(({ fileId }) => keyOf(userId, fileId))).catch(() => undefined)
}

async function findKept(
  storage: ImageStorage,
  userId: string,
): Promise<(KeptImage & { fileId: string })[]> {
  const all = await storage.findAll().catch(() => [])
  const prefix = keyOf(userId, '')
  return all.flatMap(([key, image]) =>
    key.startsWith(prefix) ? [{ ...image, fileId: key.slice(prefix.length) }] : [],
  )
}

function keyOf(userId: string, fileId: string): string {
  return `image/${userId}/${fileId}`
}

function imagesIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(IN_TEXT), ([, id = '']) => id))
}
