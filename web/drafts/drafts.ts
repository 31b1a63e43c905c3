// The drafts of this browser, what may become of one when its post is gone, and how two windows
// leave each other's alone.

import {
  type DraftOwner,
  draftKey,
  type LocalDraft,
  makeDraftStore,
  type SmallStore,
} from './draft-store.ts'
import { browserLargeStore } from './large-store.ts'

/** Reading the property itself throws where storage is blocked. */
function findLocalStorage(): SmallStore | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

export const localDrafts = makeDraftStore({ small: findLocalStorage, large: browserLargeStore })

/**
 * The post of these drafts was deleted: from now on they are offered where a new post is written.
 */
export async function adoptDrafts({ userId, postId }: Required<DraftOwner>): Promise<void> {
  for (const draft of await localDrafts.find({ userId, postId })) {
    const { basedOn: _gone, ...free } = draft
    if (await localDrafts.keep({ userId }, { ...free, slug: '' }))
      await localDrafts.drop({ userId, postId }, draft.id)
  }
}

let onTheWay: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()

/**
 * Ids of drafts whose text is being saved: they are not offered before it is known how that ended.
 */
export const draftsOnTheWay = {
  read: () => onTheWay,
  set(id: string, isOnTheWay: boolean): void {
    onTheWay = new Set([
      ...[...onTheWay].filter((other) => other !== id),
      ...(isOnTheWay ? [id] : []),
    ])
    for (const watch of watchers) watch()
  },
  subscribe(watch: () => void): () => void {
    watchers.add(watch)
    return () => void watchers.delete(watch)
  },
}

const CHANNEL = 'drafts'

/**
 * Tells the other windows that what is kept under these keys is gone: one that still has such a
 * text in its form keeps it again.
 */
function tellDrop(keys: string): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(keys)
  channel.close()
}

/**
 * @param handle hears how the keys begin that another window dropped
 * @returns ends it
 */
export function hearDrops(handle: (keys: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (typeof data === 'string') handle(data)
  }
  return () => channel.close()
}

/** A draft is not wanted any more; a window that is still writing it keeps its copy. */
export async function discardDraft(owner: DraftOwner, id: string): Promise<void> {
  await localDrafts.drop(owner, id)
  tellDrop(draftKey(owner, id))
}

/** Another draft goes on with the text of this one. */
export async function dropTaken(owner: DraftOwner, draft: LocalDraft): Promise<void> {
  if (await localDrafts.dropUnchanged(owner, draft)) tellDrop(draftKey(owner, draft.id))
}

/** Its author deleted the post: the drafts for it go too. */
export async function dropDraftsOfPost(owner: Required<DraftOwner>): Promise<void> {
  await localDrafts.dropAll(owner)
  tellDrop(draftKey(owner))
}
