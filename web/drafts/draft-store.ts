// The drafts on this device: unsaved texts of posts, and the featured images chosen for them.
// localStorage holds a draft if it has room; otherwise the browser's database does.
import { findStored, findStoredKeys, openChannel, store } from '../head/device-storage.ts'
import { DRAFT_KEY_PREFIX } from '../head/page-scripts.ts'
import { createSharedValue } from '../ui/shared-value.ts'
import { type DeviceTable, openTable } from './device-table.ts'
import { listLockedDrafts } from './draft-locks.ts'

/**
 * The content of a form. `id` identifies one opening of the form, so that two windows never
 * overwrite each other's draft.
 */
export type Draft = {
  id: string
  title: string
  slug: string
  status: string
  content: string
  /** The text of a page of the blog, not of a post. */
  isPage?: boolean
  /** As they were typed; absent if the post's tags do not change. */
  tags?: string[] | undefined
  /** The details of the post that change (posts-api.ts). */
  details?: Record<string, string | boolean> | undefined
  /** ISO 8601 */
  changedAt: string
  /** `$updatedAt` of the post that was being changed; absent for a new one. */
  basedOn?: string | undefined
  /** The server does not have the chosen featured image yet; it is stored beside the text. */
  hasImage?: boolean
  /** The new post, if it was sent without a response: the server may have it under this slug. */
  sent?: SentDraft | undefined
}

export type SentDraft = { slug: string; data: { title: string; featuredImage: string } }

/** A draft belongs to one user and to one post; `postId` is absent for a new post. */
export type DraftOwner = { userId: string; postId?: string | undefined }

type DraftId = { userId: string; id: string }

/** Each message tells other windows the key prefix of the drafts that were deleted. */
const CHANNEL = 'drafts'

/** When this tab last saved a draft on the server automatically. */
export const lastDraftSave = createSharedValue(0)

export class DraftStore {
  /** Ids of drafts whose text is being saved: no form offers them until the save has ended. */
  readonly hiddenIds = createSharedValue<ReadonlySet<string>>(new Set())
  private readonly texts: DeviceTable<string>
  private readonly images: DeviceTable<File>
  private lastCall: Promise<unknown> = Promise.resolve()

  constructor(texts: DeviceTable<string>, images: DeviceTable<File>) {
    this.texts = texts
    this.images = images
  }

  /** The drafts of this owner, the newest first. */
  list(owner: DraftOwner): Promise<Draft[]> {
    return this.listByPrefix(draftKey(owner))
  }

  /** The drafts of this user for all posts, the newest first. */
  listAll(userId: string): Promise<Draft[]> {
    return this.listByPrefix(userPrefix(userId))
  }

  private async listByPrefix(prefix: string): Promise<Draft[]> {
    const inDatabase = await this.enqueue(() => this.texts.findAll(prefix)).catch(() => [])
    const inStorage = findStoredKeys(prefix).map((key) => findStored(key) ?? '')
    const newest = new Map<string, Draft>()
    for (const text of [...inStorage, ...inDatabase.map(([, text]) => text)]) {
      const draft = parseDraft(text)
      const other = draft && newest.get(draft.id)
      if (draft && !(other && other.changedAt >= draft.changedAt)) newest.set(draft.id, draft)
    }
    return [...newest.values()].toSorted((a, b) => b.changedAt.localeCompare(a.changedAt))
  }

  /**
   * Stores a draft in place of the one with the same id. A draft that fits into localStorage is
   * stored before the call returns.
   *
   * @returns false if there was no room, so that the draft is not stored
   */
  async write(owner: DraftOwner, draft: Draft): Promise<boolean> {
    const key = draftKey(owner, draft.id)
    const text = JSON.stringify(draft)
    if (store(key, text) && findStored(key) === text) return true
    try {
      await this.enqueue(() => this.texts.set(key, text))
      store(key, undefined) // deletes an older version
      return true
    } catch {
      return false
    }
  }

  async delete(owner: DraftOwner, id: string): Promise<void> {
    const key = draftKey(owner, id)
    store(key, undefined)
    await this.enqueue(() => this.texts.remove([key])).catch(() => undefined)
  }

  /** Deletes a draft that the user no longer wants. */
  async discard(owner: DraftOwner, id: string): Promise<void> {
    await this.delete(owner, id)
    announceDeletion(draftKey(owner, id))
  }

  /**
   * Deletes a draft whose text is stored elsewhere, unless it was changed since it was listed.
   *
   * @returns whether it was deleted
   */
  async discardUnchanged(owner: DraftOwner, { id, changedAt }: Draft): Promise<boolean> {
    const drafts = await this.list(owner)
    const isUnchanged = drafts.some((draft) => draft.id === id && draft.changedAt === changedAt)
    if (isUnchanged) await this.discard(owner, id)
    return isUnchanged
  }

  /** Deletes all drafts for a post that its author has deleted. */
  async discardAllOfPost(owner: Required<DraftOwner>): Promise<void> {
    await this.deleteByPrefix(draftKey(owner))
    announceDeletion(draftKey(owner))
  }

  /** Deletes all drafts and images of a user whose account is deleted. */
  async deleteAll(userId: string): Promise<void> {
    await this.deleteByPrefix(userPrefix(userId))
    await this.deleteImages(userId, new Set())
  }

  private async deleteByPrefix(prefix: string): Promise<void> {
    for (const key of findStoredKeys(prefix)) store(key, undefined)
    await this.enqueue(async () => {
      const entries = await this.texts.findAll(prefix)
      await this.texts.remove(entries.map(([key]) => key))
    }).catch(() => undefined)
  }

  /** Gives the draft to another owner; if there is no room, it stays with the first one. */
  async move(draft: Draft, from: DraftOwner, to: DraftOwner): Promise<void> {
    if (await this.write(to, draft)) await this.delete(from, draft.id)
  }

  /** Turns the drafts for a post that was deleted elsewhere into drafts of a new post. */
  async detachAll({ userId, postId }: Required<DraftOwner>): Promise<void> {
    for (const draft of await this.list({ userId, postId })) {
      const { basedOn: _deletedVersion, ...rest } = draft
      await this.move({ ...rest, slug: '' }, { userId, postId }, { userId })
    }
  }

  hide(id: string, isHidden: boolean): void {
    const others = [...this.hiddenIds.get()].filter((other) => other !== id)
    this.hiddenIds.set(new Set(isHidden ? [...others, id] : others))
  }

  /**
   * Stores or deletes the image of a draft. If there is no room, the draft has no image.
   *
   * @param file undefined deletes the image
   */
  async writeImage(draft: DraftId, file: File | undefined): Promise<void> {
    const key = imageKey(draft)
    await (file ? this.images.set(key, file) : this.images.remove([key])).catch(() => undefined)
  }

  async findImage(draft: DraftId): Promise<File | undefined> {
    const images = await this.images.findAll(imageKey(draft)).catch(() => [])
    return images.find(([key]) => key === imageKey(draft))?.[1]
  }

  /** Deletes this user's images whose drafts no longer exist. */
  async deleteUnusedImages(userId: string): Promise<void> {
    const lockedIds = await listLockedDrafts()
    const drafts = await this.listAll(userId)
    await this.deleteImages(userId, new Set([...lockedIds, ...drafts.map(({ id }) => id)]))
  }

  private async deleteImages(userId: string, exceptIds: ReadonlySet<string>): Promise<void> {
    const prefix = imageKey({ userId, id: '' })
    const images = await this.images.findAll(prefix).catch(() => [])
    const keys = images
      .map(([key]) => key)
      .filter((key) => !exceptIds.has(key.slice(prefix.length)))
    await this.images.remove(keys).catch(() => undefined)
  }

  /** Runs database calls one after another: a late write must not restore a deleted draft. */
  private enqueue<Value>(call: () => Promise<Value>): Promise<Value> {
    const result = this.lastCall.then(call)
    this.lastCall = result.catch(() => undefined)
    return result
  }
}

export const draftStore = new DraftStore(
  openTable('drafts', 'text'),
  openTable('draft-images', 'file'),
)

function announceDeletion(keyPrefix: string): void {
  const channel = openChannel(CHANNEL)
  channel?.postMessage(keyPrefix)
  channel?.close()
}

/**
 * Calls back when another window has deleted drafts.
 *
 * @param handle receives the key prefix of the deleted drafts
 * @returns a function that ends the subscription
 */
export function onDraftsDeleted(handle: (keyPrefix: string) => void): () => void {
  const channel = openChannel(CHANNEL)
  channel?.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') handle(data)
  })
  return () => channel?.close()
}

/** The key of a draft; without an id, the prefix of the keys of this owner's drafts. */
export function draftKey({ userId, postId = '' }: DraftOwner, id = ''): string {
  return `${userPrefix(userId)}${postId}/${id}`
}

function userPrefix(userId: string): string {
  return `${DRAFT_KEY_PREFIX}${userId}/`
}

function imageKey({ userId, id }: DraftId): string {
  return `${userId}/${id}`
}

/** Unlike `crypto.randomUUID`, also works on a page without a secure origin. */
export function createDraftId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3))
  return Array.from(parts, (part) => part.toString(36)).join('')
}

/** @returns undefined for a text from another version of the site, or an incomplete one */
function parseDraft(text: string): Draft | undefined {
  try {
    const draft = JSON.parse(text) as Partial<Record<keyof Draft, unknown>>
    const { id, title, slug, content, changedAt, status, sent, tags, details } = draft
    const isValid =
      areStrings([id, title, slug, content, changedAt, status]) &&
      (sent === undefined || isSentDraft(sent)) &&
      (tags === undefined || (Array.isArray(tags) && areStrings(tags))) &&
      (details === undefined || areDetails(details))
    return isValid ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

function areDetails(value: unknown): boolean {
  return Object.values(Object(value)).every((detail) =>
    ['string', 'boolean'].includes(typeof detail),
  )
}

function isSentDraft(value: unknown): value is SentDraft {
  const { slug, data } = (value ?? {}) as Partial<SentDraft>
  return areStrings([slug, data?.title, data?.featuredImage])
}

function areStrings(values: unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}
