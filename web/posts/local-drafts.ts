// The drafts of this browser, and what may become of one when its post is gone.

import { type DraftOwner, makeDraftStore, type SmallStore } from './draft-store.ts'
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

/** The post of these drafts was deleted: from now on they are offered where a new post is written. */
export async function adoptDrafts({ userId, postId }: Required<DraftOwner>): Promise<void> {
  for (const draft of await localDrafts.find({ userId, postId })) {
    const { basedOn: _gone, ...free } = draft
    if (await localDrafts.keep({ userId }, { ...free, slug: '' })) await localDrafts.drop({ userId, postId }, draft.id)
  }
}
