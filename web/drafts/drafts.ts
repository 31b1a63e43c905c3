// The drafts of this browser, what becomes of them when their post is gone, and how two windows
// leave each other's alone.
import { findStorage, openChannel } from '../head/device-storage.ts'
import { openTable } from './device-table.ts'
import { type Draft, type DraftOwner, draftKey, makeDraftStore } from './draft.ts'
import { makeSharedValue } from './shared-value.ts'

export const drafts = makeDraftStore({
  small: () => findStorage('localStorage'),
  large: openTable('drafts', 'text'),
})

/** The post of these drafts was deleted: from now on they are drafts of a new post. */
export async function detachDrafts({ userId, postId }: Required<DraftOwner>): Promise<void> {
  for (const draft of await drafts.find({ userId, postId })) {
    const { basedOn: _gone, ...rest } = draft
    if (await drafts.keep({ userId }, { ...rest, slug: '' }))
      await drafts.delete({ userId, postId }, draft.id)
  }
}

/**
 * Ids of drafts whose text is being saved: no form shows them before it is known how that ended.
 */
export const hiddenDrafts = makeSharedValue<ReadonlySet<string>>(new Set())

export function hideDraft(id: string, isHidden: boolean): void {
  const others = [...hiddenDrafts.get()].filter((other) => other !== id)
  hiddenDrafts.set(new Set(isHidden ? [...others, id] : others))
}

const CHANNEL = 'drafts'

/** Tells the other windows which drafts were deleted, by how their keys begin. */
function announceDeletion(keyPrefix: string): void {
  const channel = openChannel(CHANNEL)
  channel?.postMessage(keyPrefix)
  channel?.close()
}

/**
 * Calls back when another window deleted drafts: a window whose form still has such a text keeps it
 * again.
 *
 * @param handle is given how the keys of the deleted drafts begin
 * @returns ends it
 */
export function onDraftDeleted(handle: (keyPrefix: string) => void): () => void {
  const channel = openChannel(CHANNEL)
  channel?.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') handle(data)
  })
  return () => channel?.close()
}

/** Deletes a draft that is not wanted any more. */
export async function discardDraft(owner: DraftOwner, id: string): Promise<void> {
  await drafts.delete(owner, id)
  announceDeletion(draftKey(owner, id))
}

/** Deletes a draft whose text another one continues, unless it was changed since it was found. */
export async function deleteContinuedDraft(owner: DraftOwner, draft: Draft): Promise<void> {
  if (await drafts.deleteUnchanged(owner, draft)) announceDeletion(draftKey(owner, draft.id))
}

/** The author deleted the post: the drafts for it are deleted too. */
export async function deleteDraftsOfPost(owner: Required<DraftOwner>): Promise<void> {
  await drafts.deleteAll(owner)
  announceDeletion(draftKey(owner))
}

type DraftImage = { userId: string; id: string }

/** Featured images that were chosen for drafts, and are not on the server yet. */
const images = openTable<File>('draft-images', 'file')

/**
 * Where the device has no room, the text alone is kept.
 *
 * @param file undefined when the draft has none any more
 */
export async function keepDraftImage(draft: DraftImage, file: File | undefined): Promise<void> {
  const key = imageKey(draft)
  await (file ? images.set(key, file) : images.remove([key])).catch(() => undefined)
}

export async function findDraftImage(draft: DraftImage): Promise<File | undefined> {
  const found = await images.findAll(imageKey(draft)).catch(() => [])
  return found.find(([key]) => key === imageKey(draft))?.[1]
}

/** Forgets this person's images, but for those of these drafts. */
export async function forgetDraftImages(
  userId: string,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const prefix = imageKey({ userId, id: '' })
  const all = (await images.findAll(prefix).catch(() => [])).map(([key]) => key)
  const old = all.filter((key) => !kept.has(key.slice(prefix.length)))
  await images.remove(old).catch(() => undefined)
}

function imageKey({ userId, id }: DraftImage): string {
  return `${userId}/${id}`
}
