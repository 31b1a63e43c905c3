// The draft of one opened post form: written to this device while the person types.
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

type FormDraftOptions = {
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

export class FormDraft {
  /** Whose draft this is; once the post turns out to be deleted, it belongs to no post. */
  owner: DraftOwner
  /** Empty until something is written. */
  id = ''
  isChanged = false
  /** How often something was typed: tells whether a text that was sent is still the newest. */
  changes = 0
  /** The form is gone: its text can not be read any more. */
  isUnmounted = false
  /** How long the last writing took. */
  costMs = 0
  /** While the form is open, no other tab offers this draft. */
  release: Release = () => {}
  readonly needs: FormDraftOptions
  /** What is kept beside the text. */
  private keptImage: File | undefined
  private isWriteScheduled = false
  /** The text is saved as a post: nothing is written any more. */
  private isSaved = false
  /** The post was deleted: the draft belongs to no post any more. */
  private isDetached = false

  constructor(needs: FormDraftOptions) {
    this.needs = needs
    this.owner = { userId: needs.userId, postId: needs.post?.$id }
  }

  /** The other drafts of this person for this post, the newest first. */
  async findOthers(): Promise<Draft[]> {
    const [found, held] = await Promise.all([drafts.find(this.owner), findHeldDrafts()])
    const others = found.filter(({ id }) => id !== this.id && !held.has(id))
    const isKnown = (draft: Draft) => isSameAsPost(draft, this.needs.post)
    for (const draft of others.filter(isKnown)) void drafts.deleteUnchanged(this.owner, draft)
    return others.filter((draft) => !isKnown(draft))
  }

  /** Forgets images whose text is gone, of this person on this device. */
  async forgetOldImages(): Promise<void> {
    const { userId } = this.owner
    const held = await findHeldDrafts()
    const kept = await drafts.findAllOf(userId)
    await forgetDraftImages(userId, new Set([...held, ...kept.map(({ id }) => id)]))
  }

  private setId(id: string): void {
    this.release()
    this.keptImage = undefined
    this.id = id
    this.release = id ? lockDraft(id) : () => {}
  }

  /**
   * Writes what was typed since the last time.
   *
   * @param options `isLate`: also when the form was left, because its text is known
   */
  write({ isLate = false }: { isLate?: boolean } = {}): void {
    if (!this.isChanged || this.isSaved || (this.isUnmounted && !isLate)) return
    this.isChanged = false
    const startedMs = performance.now()
    const draft = this.takeSnapshot()
    if (isEmpty(draft)) void drafts.delete(this.owner, draft.id)
    else void drafts.keep(this.owner, draft).then(this.needs.onWritten)
    this.keepImage()
    this.costMs = performance.now() - startedMs
  }

  private keepImage(): void {
    const { image } = this.needs.read()
    if (image === this.keptImage) return
    this.keptImage = image
    void keepDraftImage({ userId: this.owner.userId, id: this.id }, image)
  }

  /** Something was typed: it is written as soon as the last writing allows. */
  scheduleWrite(): void {
    this.isChanged = true
    this.changes += 1
    if (this.isWriteScheduled) return
    this.isWriteScheduled = true
    const pauseMs =
      this.costMs <= QUICK_MS ? 0 : Math.min(this.costMs * PAUSE_PER_COST, PAUSE_MAX_MS)
    setTimeout(() => {
      this.isWriteScheduled = false
      this.write()
    }, pauseMs)
  }

  /** Another window deleted drafts: if this one is among them, its text is kept again. */
  keepAgain(deletedPrefix: string): void {
    if (!this.id || !draftKey(this.owner, this.id).startsWith(deletedPrefix)) return
    this.isChanged = true
    this.write()
  }

  /** Keeps the form's text as one of the other drafts; what is typed from now on is a new draft. */
  stash(): void {
    this.write()
    if (!this.id) return
    const draft = this.takeSnapshot()
    this.setId('')
    this.isChanged = false
    if (isEmpty(draft)) return
    void drafts.keep(this.owner, draft)
    this.needs.changeOthers((others) => [draft, ...others])
  }

  /**
   * Continues another draft under an id of its own, because another window may still be writing it.
   * What is in the form now is set aside.
   */
  restore(other: Draft): void {
    this.stash()
    const { owner } = this
    const restored = { ...other, id: makeDraftId(), changedAt: new Date().toISOString() }
    this.setId(restored.id)
    this.isChanged = true
    this.changes += 1
    this.needs.changeOthers((others) => others.filter(({ id }) => id !== other.id))
    void drafts
      .keep(owner, restored)
      .then((isKept) => (isKept ? deleteContinuedDraft(owner, other) : undefined))
  }

  /** The image that was chosen for another draft, if this device has it. */
  async findImageOf({ id, hasImage }: Draft): Promise<File | undefined> {
    return hasImage ? findDraftImage({ userId: this.owner.userId, id }) : undefined
  }

  discardOther({ id }: Draft): void {
    this.needs.changeOthers((others) => others.filter((other) => other.id !== id))
    void discardDraft(this.owner, id)
  }

  /**
   * While the text is being saved, no form shows its draft.
   *
   * @returns call it when the saving is over: unless the text was saved, the draft is shown again
   */
  hideWhileSaving(): () => void {
    const { id } = this
    if (id) hideDraft(id, true)
    return () => {
      if (id && !this.isSaved) hideDraft(id, false)
    }
  }

  /** The post was deleted: this draft, and all others for the post, become drafts of a new post. */
  async detachFromPost(): Promise<void> {
    const { userId, postId } = this.owner
    if (postId === undefined) return
    this.write()
    this.owner = { userId }
    this.isDetached = true
    const { id, isUnmounted } = this
    if (id && !isUnmounted && (await drafts.keep({ userId }, this.takeSnapshot())))
      await drafts.delete({ userId, postId }, id)
    await detachDrafts({ userId, postId })
  }

  /** The text became a post of its own, and goes on: from now on it is a draft of that post. */
  attachToPost(postId: string): void {
    const before = this.owner
    if (before.postId === postId) return
    this.owner = { userId: before.userId, postId }
    const { id } = this
    if (!id) return
    void drafts.keep(this.owner, this.takeSnapshot()).then(async (isKept) => {
      if (isKept) await drafts.delete(before, id)
    })
  }

  /** The server has this text; what is typed from now on is kept again. */
  async deleteSavedCopy(): Promise<void> {
    this.isChanged = false
    if (this.id) await drafts.delete(this.owner, this.id)
  }

  /** The text is saved as a post: its draft is deleted. */
  async deleteSaved(): Promise<void> {
    this.isSaved = true
    if (this.id) await drafts.delete(this.owner, this.id)
  }

  private takeSnapshot(): Draft {
    if (!this.id) this.setId(makeDraftId())
    const { image, ...values } = this.needs.read()
    return {
      id: this.id,
      ...values,
      hasImage: image !== undefined,
      ...(this.isDetached && { slug: '', basedOn: undefined }),
      changedAt: new Date().toISOString(),
    }
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
