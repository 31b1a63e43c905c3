// Keeps drafts in two storages of the device: the quick, small one if it has room, else the large
// one. Each draft belongs to one person and to one post, or to no post yet.

import { type Draft, type DraftOwner, draftKey, draftKeyPrefix, parseDraft } from './draft.ts'

/** The part of `Storage` that is needed: quick, but small. */
export type SmallStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/** Slower, and with room for what the small one refuses. */
export type LargeStorage = {
  findAll(prefix: string): Promise<string[]>
  set(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
  removeAll(prefix: string): Promise<void>
}

type Storages = {
  /** Answers undefined where the browser allows no storage. */
  small: () => SmallStorage | undefined
  large: LargeStorage
}
/**
 * `enqueue` runs calls to the large storage one after another: a late write must not bring a
 * deleted draft back.
 */
type Needs = Storages & { enqueue: <Value>(call: () => Promise<Value>) => Promise<Value> }

export type DraftStore = {
  /** All drafts of this person for this post, the newest first. */
  find(owner: DraftOwner): Promise<Draft[]>
  /** The drafts of this person for all posts. */
  findAllOf(userId: string): Promise<Draft[]>
  /**
   * Keeps a draft in place of the one with the same id.
   * @returns false when neither storage had room: it is not kept
   */
  keep(owner: DraftOwner, draft: Draft): Promise<boolean>
  delete(owner: DraftOwner, id: string): Promise<void>
  /**
   * Deletes a draft unless it was changed since it was found.
   * @returns whether it was deleted
   */
  deleteUnchanged(owner: DraftOwner, draft: Draft): Promise<boolean>
  /** Deletes all drafts of this person, or only those for one post. */
  deleteAll(owner: DraftOwner): Promise<void>
}

export function makeDraftStore(storages: Storages): DraftStore {
  const needs = { ...storages, enqueue: makeQueue() }
  return {
    find: (owner) => findDrafts(needs, draftKey(owner)),
    findAllOf: (userId) => findDrafts(needs, draftKeyPrefix({ userId })),
    keep: (owner, draft) => keepDraft(needs, owner, draft),
    delete: (owner, id) => deleteDraft(needs, owner, id),
    deleteUnchanged: (owner, draft) => deleteUnchanged(needs, owner, draft),
    deleteAll: (owner) => deleteAll(needs, owner),
  }
}

function makeQueue(): Needs['enqueue'] {
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const answer = last.then(call)
    last = answer.catch(() => undefined)
    return answer
  }
}

async function findDrafts({ small, large, enqueue }: Needs, prefix: string): Promise<Draft[]> {
  const inLarge = await enqueue(() => large.findAll(prefix)).catch(() => [])
  const inSmall = findSmall(small, prefix).map(([, text]) => text)
  const newest = new Map<string, Draft>()
  for (const text of [...inSmall, ...inLarge]) {
    const draft = parseDraft(text)
    const other = draft && newest.get(draft.id)
    if (draft && !(other && other.changedAt >= draft.changedAt)) newest.set(draft.id, draft)
  }
  return [...newest.values()].toSorted((a, b) => b.changedAt.localeCompare(a.changedAt))
}

async function keepDraft(
  { small, large, enqueue }: Needs,
  owner: DraftOwner,
  draft: Draft,
): Promise<boolean> {
  const key = draftKey(owner, draft.id)
  const text = JSON.stringify(draft)
  if (setSmall(small, key, text)) return true
  const isKept = await enqueue(() => large.set(key, text)).then(
    () => true,
    () => false,
  )
  if (isKept) removeSmall(small, key) // an older version
  return isKept
}

async function deleteDraft(
  { small, large, enqueue }: Needs,
  owner: DraftOwner,
  id: string,
): Promise<void> {
  const key = draftKey(owner, id)
  removeSmall(small, key)
  await enqueue(() => large.remove(key)).catch(() => undefined)
}

async function deleteUnchanged(
  needs: Needs,
  owner: DraftOwner,
  { id, changedAt }: Draft,
): Promise<boolean> {
  const drafts = await findDrafts(needs, draftKey(owner))
  const isUnchanged = drafts.some((draft) => draft.id === id && draft.changedAt === changedAt)
  if (isUnchanged) await deleteDraft(needs, owner, id)
  return isUnchanged
}

async function deleteAll({ small, large, enqueue }: Needs, owner: DraftOwner): Promise<void> {
  const prefix = draftKeyPrefix(owner)
  for (const [key] of findSmall(small, prefix)) removeSmall(small, key)
  await enqueue(() => large.removeAll(prefix)).catch(() => undefined)
}

function findSmall(small: Needs['small'], prefix: string): [key: string, text: string][] {
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
function setSmall(small: Needs['small'], key: string, text: string): boolean {
  try {
    small()?.setItem(key, text)
    return small()?.getItem(key) === text
  } catch {
    return false
  }
}

function removeSmall(small: Needs['small'], key: string): void {
  try {
    small()?.removeItem(key)
  } catch {
    // switched off: nothing is there
  }
}
