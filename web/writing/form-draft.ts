// The draft of one opened post form: written to this device while the person types. Knows nothing
// of saving, of React or of screens.
import type { PostDocument } from '#contract/posts.ts'
import { type Draft, type DraftOwner, draftKey, makeDraftId } from '../drafts/draft.ts'
import { findHeldDrafts, lockDraft, type Release } from '../drafts/draft-locks.ts'
import {
  deleteContinuedDraft,
  detachDrafts,
  discardDraft,
  drafts,
  findDraftImage,
  forgetDraftImages,
  hideDraft,
  keepDraftImage,
} from '../drafts/drafts.ts'
import { plainText } from '../posts/plain-text.ts'
import type { PostValues } from './post-values.ts'
import { isSameContent, isSameTags } from './save-post.ts'

/**
 * A draft is written at once after each key; only a text that takes long to write is written less
 * often.
 */
const QUICK_MS = 12
const PAUSE_PER_COST = 5
const PAUSE_MAX_MS = 1000

type ReadValues = () => PostValues &
  Pick<Draft, 'basedOn' | 'sent'> & {
    /** Chosen, and not on the server yet. */
    image: File | undefined
  }

type FormDraftNeeds = {
  /** The post being changed, if any. */
  post: PostDocument | undefined
  userId: string
  /** What the form holds at this moment. */
  read: ReadValues
  /** Hears whether the device had room for the last text. */
  onWritten: (isKept: boolean) => void
  /** Changes the list of drafts that the form shows. */
  changeOthers: (change: (others: Draft[]) => Draft[]) => void
}

export type FormDraft = FormDraftNeeds & {
  /** Whose draft this is; once the post turns out to be deleted, it belongs to no post. */
  owner: DraftOwner
  /** Empty until something is written. */
  id: string
  /** What is kept beside the text. */
  keptImage: File | undefined
  /** While the form is open, no other tab offers this draft. */
  release: Release
  isChanged: boolean
  /** How often something was typed: tells whether a text that was sent is still the newest. */
  changes: number
  isWriteScheduled: boolean
  /** The text is saved as a post: nothing is written any more. */
  isSaved: boolean
  /** The form is gone: its text can not be read any more. */
  isUnmounted: boolean
  /** The post was deleted: the draft belongs to no post any more. */
  isDetached: boolean
  /** How long the last writing took. */
  costMs: number
}

export function makeFormDraft(needs: FormDraftNeeds): FormDraft {
  return {
    ...needs,
    owner: { userId: needs.userId, postId: needs.post?.$id },
    id: '',
    release: () => {},
    keptImage: undefined,
    isChanged: false,
    changes: 0,
    isWriteScheduled: false,
    isSaved: false,
    isUnmounted: false,
    isDetached: false,
    costMs: 0,
  }
}

/** The other drafts of this person for this post, the newest first. */
export async function findOtherDrafts(own: FormDraft): Promise<Draft[]> {
  const [found, held] = await Promise.all([drafts.find(own.owner), findHeldDrafts()])
  const others = found.filter(({ id }) => id !== own.id && !held.has(id))
  const [known, different] = [
    others.filter((draft) => isSameAsPost(draft, own.post)),
    others.filter((draft) => !isSameAsPost(draft, own.post)),
  ]
  for (const draft of known) void drafts.deleteUnchanged(own.owner, draft)
  return different
}

/** Forgets images whose text is gone, of this person on this device. */
export async function forgetOldImages({ userId }: FormDraft): Promise<void> {
  const held = await findHeldDrafts()
  const kept = await drafts.findAllOf(userId)
  await forgetDraftImages(userId, new Set([...held, ...kept.map(({ id }) => id)]))
}

function setId(own: FormDraft, id: string): void {
  own.release()
  own.keptImage = undefined
  own.id = id
  own.release = id ? lockDraft(id) : () => {}
}

/**
 * Writes what was typed since the last time.
 *
 * @param options `isLate`: also when the form was left, because its text is known
 */
export function writeDraft(own: FormDraft, { isLate = false }: { isLate?: boolean } = {}): void {
  if (!own.isChanged || own.isSaved || (own.isUnmounted && !isLate)) return
  own.isChanged = false
  const startedMs = performance.now()
  const draft = takeSnapshot(own)
  if (isEmpty(draft)) void drafts.delete(own.owner, draft.id)
  else void drafts.keep(own.owner, draft).then(own.onWritten)
  keepImageOf(own)
  own.costMs = performance.now() - startedMs
}

function keepImageOf(own: FormDraft): void {
  const { image } = own.read()
  if (image === own.keptImage) return
  own.keptImage = image
  void keepDraftImage({ userId: own.userId, id: own.id }, image)
}

/** Something was typed: it is written as soon as the last writing allows. */
export function scheduleWrite(own: FormDraft): void {
  own.isChanged = true
  own.changes += 1
  if (own.isWriteScheduled) return
  own.isWriteScheduled = true
  const pauseMs = own.costMs <= QUICK_MS ? 0 : Math.min(own.costMs * PAUSE_PER_COST, PAUSE_MAX_MS)
  setTimeout(() => {
    own.isWriteScheduled = false
    writeDraft(own)
  }, pauseMs)
}

/** Another window deleted drafts: if this one is among them, its text is kept again. */
export function keepAgain(own: FormDraft, deletedPrefix: string): void {
  if (!own.id || !draftKey(own.owner, own.id).startsWith(deletedPrefix)) return
  own.isChanged = true
  writeDraft(own)
}

/** Keeps the form's text as one of the other drafts; what is typed from now on is a new draft. */
export function stashDraft(own: FormDraft): void {
  writeDraft(own)
  if (!own.id) return
  const draft = takeSnapshot(own)
  setId(own, '')
  own.isChanged = false
  if (isEmpty(draft)) return
  void drafts.keep(own.owner, draft)
  own.changeOthers((others) => [draft, ...others])
}

/**
 * Continues another draft under an id of its own, because another window may still be writing it.
 * What is in the form now is set aside.
 */
export function restoreDraft(own: FormDraft, other: Draft): void {
  stashDraft(own)
  const { owner } = own
  const restored = { ...other, id: makeDraftId(), changedAt: new Date().toISOString() }
  setId(own, restored.id)
  own.isChanged = true
  own.changes += 1
  own.changeOthers((others) => others.filter(({ id }) => id !== other.id))
  void drafts
    .keep(owner, restored)
    .then((isKept) => (isKept ? deleteContinuedDraft(owner, other) : undefined))
}

/** The image that was chosen for another draft, if this device has it. */
export function findImageOf({ userId }: FormDraft, { id, hasImage }: Draft) {
  return hasImage ? findDraftImage({ userId, id }) : Promise.resolve(undefined)
}

export function discardOther(own: FormDraft, { id }: Draft): void {
  own.changeOthers((others) => others.filter((other) => other.id !== id))
  void discardDraft(own.owner, id)
}

/**
 * While the text is being saved, no form shows its draft.
 *
 * @returns call it when the saving is over: unless the text was saved, the draft is shown again
 */
export function hideWhileSaving(own: FormDraft): () => void {
  const { id } = own
  if (id) hideDraft(id, true)
  return () => {
    if (id && !own.isSaved) hideDraft(id, false)
  }
}

/** The post was deleted: this draft, and all others for the post, become drafts of a new post. */
export async function detachFromPost(own: FormDraft): Promise<void> {
  const { userId, postId } = own.owner
  if (postId === undefined) return
  writeDraft(own)
  own.owner = { userId }
  own.isDetached = true
  const { id, isUnmounted } = own
  if (id && !isUnmounted && (await drafts.keep({ userId }, takeSnapshot(own))))
    await drafts.delete({ userId, postId }, id)
  await detachDrafts({ userId, postId })
}

/** The text became a post of its own, and goes on: from now on it is a draft of that post. */
export function attachToPost(own: FormDraft, postId: string): void {
  const before = own.owner
  if (before.postId === postId) return
  own.owner = { userId: before.userId, postId }
  const { id } = own
  if (!id) return
  void drafts.keep(own.owner, takeSnapshot(own)).then(async (isKept) => {
    if (isKept) await drafts.delete(before, id)
  })
}

/** The server has this text; what is typed from now on is kept again. */
export async function deleteSavedCopy(own: FormDraft): Promise<void> {
  own.isChanged = false
  if (own.id) await drafts.delete(own.owner, own.id)
}

/** The text is saved as a post: its draft is deleted. */
export async function deleteSavedDraft(own: FormDraft): Promise<void> {
  own.isSaved = true
  if (own.id) await drafts.delete(own.owner, own.id)
}

function takeSnapshot(own: FormDraft): Draft {
  if (!own.id) setId(own, makeDraftId())
  const { image, ...values } = own.read()
  return {
    id: own.id,
    ...values,
    hasImage: image !== undefined,
    ...(own.isDetached && { slug: '', basedOn: undefined }),
    changedAt: new Date().toISOString(),
  }
}

function isEmpty({ title, content, tags = [], basedOn, hasImage }: Draft): boolean {
  return (
    !hasImage &&
    tags.length === 0 &&
    basedOn === undefined &&
    title.trim() === '' &&
    plainText(content) === '' &&
    !/<(?:img|video|audio|iframe|table|hr)\b/i.test(content)
  )
}

/** A draft that says what the post says already needs no decision. */
function isSameAsPost(
  draft: Pick<Draft, 'title' | 'status' | 'content' | 'tags' | 'hasImage'>,
  post: PostDocument | undefined,
): boolean {
  return (
    post !== undefined &&
    !draft.hasImage &&
    draft.title === post.title &&
    draft.status === post.status &&
    isSameTags(post, draft) &&
    isSameContent(draft.content, post.content)
  )
}
