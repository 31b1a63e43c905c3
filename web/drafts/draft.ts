// Keeps drafts in two storages of the device: the quick, small one if it has room, else the large
// one. Each draft belongs to one person and to one post, or to no post yet.
import { DRAFT_KEY_PREFIX } from '../head/page-scripts.ts'
import type { DeviceTable } from './device-table.ts'

/** The part of `Storage` that is needed: quick, but small. */
export type SmallStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

type Storages = {
  /** Answers undefined where the browser allows no storage. */
  small: () => SmallStorage | undefined
  /** Slower, and with room for what the small one refuses. */
  large: DeviceTable<string>
}

export function makeDraftStore({ small, large }: Storages) {
  const enqueue = makeQueue()

  async function findFrom(prefix: string): Promise<Draft[]> {
    const inLarge = await enqueue(() => large.findAll(prefix)).catch(() => [])
    const newest = new Map<string, Draft>()
    for (const [, text] of [...findSmall(small, prefix), ...inLarge]) {
      const draft = parseDraft(text)
      const other = draft && newest.get(draft.id)
      if (draft && !(other && other.changedAt >= draft.changedAt)) newest.set(draft.id, draft)
    }
    return [...newest.values()].toSorted((a, b) => b.changedAt.localeCompare(a.changedAt))
  }

  /** All drafts of this person for this post, the newest first. */
  const find = (owner: DraftOwner) => findFrom(draftKey(owner))

  /**
   * Keeps a draft in place of the one with the same id.
   *
   * @returns false when neither storage had room: it is not kept
   */
  async function keep(owner: DraftOwner, draft: Draft): Promise<boolean> {
    const key = draftKey(owner, draft.id)
    const text = JSON.stringify(draft)
    if (setSmall(small, key, text)) return true
    try {
      await enqueue(() => large.set(key, text))
      removeSmall(small, key) // an older version
      return true
    } catch {
      return false
    }
  }

  async function remove(owner: DraftOwner, id: string): Promise<void> {
    const key = draftKey(owner, id)
    removeSmall(small, key)
    await enqueue(() => large.remove([key])).catch(() => undefined)
  }

  return {
    find,
    /** The drafts of this person for all posts. */
    findAllOf: (userId: string) => findFrom(draftKeyPrefix({ userId })),
    keep,
    delete: remove,
    /**
     * Deletes a draft unless it was changed since it was found.
     *
     * @returns whether it was deleted
     */
    async deleteUnchanged(owner: DraftOwner, { id, changedAt }: Draft): Promise<boolean> {
      const found = await find(owner)
      const isUnchanged = found.some((draft) => draft.id === id && draft.changedAt === changedAt)
      if (isUnchanged) await remove(owner, id)
      return isUnchanged
    },
    /** Deletes all drafts of this person, or only those for one post. */
    async deleteAll(owner: DraftOwner): Promise<void> {
      const prefix = draftKeyPrefix(owner)
      for (const [key] of findSmall(small, prefix)) removeSmall(small, key)
      await enqueue(async () => {
        const found = await large.findAll(prefix)
        await large.remove(found.map(([key]) => key))
      }).catch(() => undefined)
    },
  }
}

/** Runs calls one after another: a late write must not bring a deleted draft back. */
function makeQueue(): <Value>(call: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const answer = last.then(call)
    last = answer.catch(() => undefined)
    return answer
  }
}

function findSmall(small: Storages['small'], prefix: string): [key: string, text: string][] {
  try {
    const storage = small()
    const count = storage?.length ?? 0
    return Array.from({ length: count }, (_, index) => storage?.key(index) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key, storage?.getItem(key) ?? ''])
  } catch {
    return []
  }
}

/** @returns whether it is kept: the storage may be full, or switched off */
function setSmall(small: Storages['small'], key: string, text: string): boolean {
  try {
    small()?.setItem(key, text)
    return small()?.getItem(key) === text
  } catch {
    return false
  }
}

function removeSmall(small: Storages['small'], key: string): void {
  try {
    small()?.removeItem(key)
  } catch {
    // switched off: nothing is there
  }
}

// A draft: the unsaved text of a post, kept on the device.

/**
 * What was in the form. `id` names one opening of the form, so that two windows never overwrite
 * each other.
 */
export type Draft = {
  id: string
  title: string
  slug: string
  status: string
  content: string
  /** As they were typed; absent when they are those of the post. */
  tags?: string[] | undefined
  /** ISO 8601 */
  changedAt: string
  /** `$updatedAt` of the post that was being changed; absent for a new one. */
  basedOn?: string | undefined
  /** A featured image was chosen that the server does not have; it is kept beside the text. */
  hasImage?: boolean
  /**
   * A new post that was sent, and whose answer had not come: it may be stored, under this slug.
   */
  sent?: SentDraft | undefined
}

export type SentDraft = { slug: string; data: { title: string; featuredImage: string } }

/** @param postId absent for a post that does not exist yet */
export type DraftOwner = { userId: string; postId?: string | undefined }

/** Where a draft is kept; without its id, how the keys of this owner's drafts begin. */
export function draftKey({ userId, postId = '' }: DraftOwner, id = ''): string {
  return `${DRAFT_KEY_PREFIX}${userId}/${postId}/${id}`
}

/** How the keys begin of all drafts of this person, or only of those for one post. */
function draftKeyPrefix(owner: DraftOwner): string {
  return owner.postId === undefined ? `${DRAFT_KEY_PREFIX}${owner.userId}/` : draftKey(owner)
}

/** Also works where a page has no secure origin, unlike `crypto.randomUUID`. */
export function makeDraftId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3))
  return Array.from(parts, (part) => part.toString(36)).join('')
}

/** undefined for what another version of the site may have left, or for a text that was cut. */
function parseDraft(text: string): Draft | undefined {
  try {
    const draft = JSON.parse(text) as Partial<Record<keyof Draft, unknown>>
    const { id, title, slug, content, changedAt, status } = draft
    const isWhole = [id, title, slug, content, changedAt, status].every(
      (value) => typeof value === 'string',
    )
    const isSound = draft.sent === undefined || isSent(draft.sent)
    const hasTags = draft.tags === undefined || isTexts(draft.tags)
    return isWhole && isSound && hasTags ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isSent(value: unknown): value is SentDraft {
  const { slug, data } = (value ?? {}) as Partial<SentDraft>
  return [slug, data?.title, data?.featuredImage].every((part) => typeof part === 'string')
}
