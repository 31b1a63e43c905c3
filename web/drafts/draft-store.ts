// Unsaved posts kept on this device: every draft belongs to one person and to one post, or to none
// yet. Knows nothing of forms.

import type { PostStatus } from '#contract/posts.ts'

/**
 * What was in the form. `id` names one opening of the form, so that two windows never overwrite
 * each other.
 */
export type LocalDraft = {
  id: string
  title: string
  slug: string
  status: PostStatus
  content: string
  /** ISO 8601 */
  changedAt: string
  /** `$updatedAt` of the post that was being changed; absent for a new one. */
  basedOn?: string | undefined
}

/** @param postId absent for a post that is not there yet */
export type DraftOwner = { userId: string; postId?: string | undefined }

/** The part of `Storage` that is needed: quick, but small. */
export type SmallStore = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/** Slower, and with room for what the small one refuses. */
export type LargeStore = {
  findAll(prefix: string): Promise<string[]>
  set(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
  removeAll(prefix: string): Promise<void>
}

export type DraftStore = {
  /** All drafts of this person for this post, the newest first. */
  find(owner: DraftOwner): Promise<LocalDraft[]>
  /**
   * Keeps a draft in place of the one with the same id.
   * @returns false when neither store had room: it is not kept
   */
  keep(owner: DraftOwner, draft: LocalDraft): Promise<boolean>
  drop(owner: DraftOwner, id: string): Promise<void>
  /**
   * Drops a draft that was taken over, unless its own window wrote on in it since.
   * @returns whether it was dropped
   */
  dropUnchanged(owner: DraftOwner, draft: LocalDraft): Promise<boolean>
  /** Drops all drafts of this person, or only those for one post. */
  dropAll(owner: DraftOwner): Promise<void>
}

const PREFIX = 'draft'

/** @param stores `small` answers undefined where the browser allows no storage */
export function makeDraftStore({
  small,
  large,
}: {
  small: () => SmallStore | undefined
  large: LargeStore
}): DraftStore {
  /**
   * Calls to the large store go one after another: a late write must not bring a dropped draft
   * back.
   */
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  function setSmall(key: string, text: string): boolean {
    try {
      small()?.setItem(key, text)
      return small()?.getItem(key) === text
    } catch {
      return false // full, or switched off
    }
  }
  function removeSmall(key: string): void {
    try {
      small()?.removeItem(key)
    } catch {
      // nothing is stored there then
    }
  }

  async function find(owner: DraftOwner): Promise<LocalDraft[]> {
    const prefix = draftKey(owner)
    const kept = await inTurn(() => large.findAll(prefix)).catch(() => [])
    const newest = new Map<string, LocalDraft>()
    for (const text of [...findSmall(small, prefix).map(([, text]) => text), ...kept]) {
      const draft = readDraft(text)
      const other = draft && newest.get(draft.id)
      if (draft && !(other && other.changedAt >= draft.changedAt)) newest.set(draft.id, draft)
    }
    return [...newest.values()].toSorted((a, b) => b.changedAt.localeCompare(a.changedAt))
  }
  async function drop(owner: DraftOwner, id: string): Promise<void> {
    const key = draftKey(owner, id)
    removeSmall(key)
    await inTurn(() => large.remove(key)).catch(() => undefined)
  }

  return {
    find,
    drop,
    async keep(owner, draft) {
      const key = draftKey(owner, draft.id)
      const text = JSON.stringify(draft)
      if (setSmall(key, text)) return true
      const isKept = await inTurn(() => large.set(key, text)).then(
        () => true,
        () => false,
      )
      if (isKept) removeSmall(key) // an older copy
      return isKept
    },
    async dropUnchanged(owner, { id, changedAt }) {
      const isUnchanged = (await find(owner)).some(
        (draft) => draft.id === id && draft.changedAt === changedAt,
      )
      if (isUnchanged) await drop(owner, id)
      return isUnchanged
    },
    async dropAll(owner) {
      const prefix = owner.postId === undefined ? `${PREFIX}/${owner.userId}/` : draftKey(owner)
      for (const [key] of findSmall(small, prefix)) removeSmall(key)
      await inTurn(() => large.removeAll(prefix)).catch(() => undefined)
    },
  }
}

/** Where a draft is kept; without its id, how the keys of this owner's drafts begin. */
export function draftKey({ userId, postId = '' }: DraftOwner, id = ''): string {
  return `${PREFIX}/${userId}/${postId}/${id}`
}

function findSmall(
  small: () => SmallStore | undefined,
  prefix: string,
): [key: string, text: string][] {
  try {
    const store = small()
    const keys = Array.from({ length: store?.length ?? 0 }, (_, index) => store?.key(index) ?? '')
    return keys
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key, store?.getItem(key) ?? ''])
  } catch {
    return []
  }
}

/** undefined for what another version of the site may have left, or for a text that was cut. */
function readDraft(text: string): LocalDraft | undefined {
  try {
    const draft = JSON.parse(text) as Partial<Record<keyof LocalDraft, unknown>>
    const { id, title, slug, content, changedAt, status } = draft
    const isWhole =
      [id, title, slug, content, changedAt].every((value) => typeof value === 'string') &&
      (status === 'active' || status === 'inactive')
    return isWhole ? (draft as LocalDraft) : undefined
  } catch {
    return undefined
  }
}
