// The featured images that were chosen for drafts and are not on the server yet, kept on the device
// beside their texts. Where the device has no room, or no database, the text alone is kept.

import { createStore, del, delMany, get, keys, set } from 'idb-keyval'

type DraftImage = { userId: string; id: string }

const table = createStore('draft-images', 'file')

function keyOf({ userId, id }: DraftImage): string {
  return `${userId}/${id}`
}

/** @param file undefined when the draft has none any more */
export async function keepDraftImage(draft: DraftImage, file: File | undefined): Promise<void> {
  try {
    await (file ? set(keyOf(draft), file, table) : del(keyOf(draft), table))
  } catch {
    // no room: the text is kept without it
  }
}

export async function findDraftImage(draft: DraftImage): Promise<File | undefined> {
  try {
    const found = await get<unknown>(keyOf(draft), table)
    return found instanceof File ? found : undefined
  } catch {
    return undefined
  }
}

/** Forgets this person's images, but for those of these drafts. */
export async function forgetDraftImages(
  userId: string,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  try {
    const prefix = keyOf({ userId, id: '' })
    const all = await keys<string>(table)
    const old = all.filter((key) => key.startsWith(prefix) && !kept.has(key.slice(prefix.length)))
    if (old.length > 0) await delMany(old, table)
  } catch {
    // switched off: nothing is there
  }
}
