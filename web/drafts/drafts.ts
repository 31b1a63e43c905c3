// The drafts of this browser, what becomes of them when their post is gone, and how two windows
// leave each other's alone.

import { type Draft, type DraftOwner, draftKey } from './draft.ts'
import { makeDraftStore, type SmallStorage } from './draft-store.ts'
import { browserLargeStorage } from './large-store.ts'

/** Reading the property itself throws where storage is blocked. */
function findLocalStorage(): SmallStorage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

export const drafts = makeDraftStore({ small: findLocalStorage, large: browserLargeStorage })

/** The post of these drafts was deleted: from now on they are drafts of a new post. */
export async function detachDrafts({ userId, postId }: Required<DraftOwner>): Promise<void> {
  for (const draft of await drafts.find({ userId, postId })) {
    const { basedOn: _gone, ...rest } = draft
    if (await drafts.keep({ userId }, { ...rest, slug: '' }))
      await drafts.delete({ userId, postId }, draft.id)
  }
}

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/**
 * Ids of drafts whose text is being saved: no form shows them before it is known how that ended. An
 * external store for React.
 */
export const hiddenDrafts = {
  get: () => hidden,
  set(id: string, isHidden: boolean): void {
    const others = [...hidden].filter((other) => other !== id)
    hidden = new Set(isHidden ? [...others, id] : others)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

const CHANNEL = 'drafts'

/** Tells the other windows which drafts were deleted, by how their keys begin. */
function announceDeletion(keyPrefix: string): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(keyPrefix)
  channel.close()
}

/**
 * Calls back when another window deleted drafts: a window whose form still has such a text keeps it
 * again.
 *
 * @param handle is given how the keys of the deleted drafts begin
 * @returns ends it
 */
export function onDraftDeleted(handle: (keyPrefix: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (typeof data === 'string') handle(data)
  }
  return () => channel.close()
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
