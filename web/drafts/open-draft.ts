// The draft of one open form, written to this device while the user types. Other tabs do not offer
// the draft while the form is open.
import { plainText } from '#contract/plain-text.ts'
import { listLockedDrafts, lockDraft, type Release } from './draft-locks.ts'
import { createDraftId, type Draft, type DraftOwner, draftKey, draftStore } from './draft-store.ts'

/** If writing the draft takes longer than this, it is not written after each keystroke. */
const QUICK_MS = 12
/** After a slow write, the next one waits this many times as long as the write took. */
const PAUSE_FACTOR = 5
const PAUSE_MAX_MS = 1000

/** The content of a form. `image` is a chosen image that the server does not have yet. */
type FormText = Omit<Draft, 'id' | 'changedAt' | 'hasImage'> & { image: File | undefined }

type OpenDraftOptions = {
  owner: DraftOwner
  /** Reads the form. */
  read: () => FormText
  /** Called after each write; `isStored` is false when the device had no room. */
  onWritten: (isStored: boolean) => void
}

export class OpenDraft {
  /** Changes when the post is created or deleted. */
  owner: DraftOwner
  /** Empty until something is written. */
  private id = ''
  private release: Release = () => {}
  /** The user has typed something that is not written yet. */
  private isDirty = false
  private isScheduled = false
  private lastWriteMs = 0
  private writtenImage: File | undefined
  /** The form has left the screen, and the lock is released. */
  private isClosed = false
  /** The text is saved as a post: nothing more is written. */
  private isFinished = false
  /** The post was deleted: the draft is now a draft of a new post. */
  private isDetached = false
  private readonly options: OpenDraftOptions

  constructor(options: OpenDraftOptions) {
    this.options = options
    this.owner = options.owner
  }

  /** Call this when the user types: writes the form, after a pause if the last write was slow. */
  scheduleWrite(): void {
    this.isDirty = true
    if (this.isScheduled) return
    this.isScheduled = true
    const isQuick = this.lastWriteMs <= QUICK_MS
    const pauseMs = isQuick ? 0 : Math.min(this.lastWriteMs * PAUSE_FACTOR, PAUSE_MAX_MS)
    setTimeout(() => {
      this.isScheduled = false
      this.write()
    }, pauseMs)
  }

  /** Writes the form if the user has typed since the last write. */
  write(): void {
    if (!this.isDirty || this.isClosed) return
    this.writeForm()
  }

  /** Writes the form, even if nothing was typed or the form is closed. */
  writeForm(): void {
    if (this.isFinished) return
    this.isDirty = false
    const startedMs = performance.now()
    const draft = this.readDraft()
    if (isEmpty(draft)) void draftStore.delete(this.owner, draft.id)
    else void draftStore.write(this.owner, draft).then(this.options.onWritten)
    this.writeImage()
    this.lastWriteMs = performance.now() - startedMs
  }

  private writeImage(): void {
    const { image } = this.options.read()
    if (image === this.writtenImage) return
    this.writtenImage = image
    void draftStore.writeImage({ userId: this.owner.userId, id: this.id }, image)
  }

  /** Call this when another window has deleted drafts: rewrites this draft if it is among them. */
  writeDeleted(deletedPrefix: string): void {
    const isDeleted = this.id && draftKey(this.owner, this.id).startsWith(deletedPrefix)
    if (isDeleted && !this.isClosed) this.writeForm()
  }

  open(): void {
    this.isClosed = false
  }

  close(): void {
    this.write()
    this.isClosed = true
    this.release()
  }

  /** The drafts of this owner that no tab has open, the newest first. */
  async listOthers(): Promise<Draft[]> {
    const [drafts, lockedIds] = await Promise.all([draftStore.list(this.owner), listLockedDrafts()])
    return drafts.filter(({ id }) => id !== this.id && !lockedIds.has(id))
  }

  /**
   * Turns the form's text into one of the other drafts; text typed from now on is a new draft.
   *
   * @returns undefined when there is no text
   */
  stash(): Draft | undefined {
    this.write()
    if (!this.id) return undefined
    const draft = this.readDraft()
    this.setId('')
    this.isDirty = false
    if (isEmpty(draft)) return undefined
    void draftStore.write(this.owner, draft)
    return draft
  }

  /** Continues another draft, under a new id: another window may still be writing it. */
  continueWith(other: Draft): void {
    const { owner } = this
    const draft = { ...other, id: createDraftId(), changedAt: new Date().toISOString() }
    this.setId(draft.id)
    this.isDirty = true
    void draftStore.write(owner, draft).then(async (isStored) => {
      if (isStored) await draftStore.discardUnchanged(owner, other)
    })
  }

  /**
   * Hides the draft from all forms while its text is being saved.
   *
   * @returns a function to call after the save: shows the draft again unless the text was saved
   */
  hide(): () => void {
    const { id } = this
    if (id) draftStore.hide(id, true)
    return () => {
      if (id && !this.isFinished) draftStore.hide(id, false)
    }
  }

  /** Call this when the post was created: from now on this is a draft of that post. */
  attachToPost(postId: string): void {
    const previousOwner = this.owner
    if (previousOwner.postId === postId) return
    this.owner = { userId: previousOwner.userId, postId }
    if (this.id) void draftStore.move(this.readDraft(), previousOwner, this.owner)
  }

  /** Call this when the post was deleted: all drafts for it become drafts of a new post. */
  async detachFromPost(): Promise<void> {
    const { userId, postId } = this.owner
    if (postId === undefined) return
    this.write()
    this.owner = { userId }
    this.isDetached = true
    if (this.id && !this.isClosed)
      await draftStore.move(this.readDraft(), { userId, postId }, this.owner)
    await draftStore.detachAll({ userId, postId })
  }

  /** Deletes the draft, whose text the server has; text typed from now on is written again. */
  async deleteSavedCopy(): Promise<void> {
    this.isDirty = false
    if (this.id) await draftStore.delete(this.owner, this.id)
  }

  /** Deletes the draft for good, because its text is saved as a post. */
  async finish(): Promise<void> {
    this.isFinished = true
    if (this.id) await draftStore.delete(this.owner, this.id)
  }

  private setId(id: string): void {
    this.release()
    this.writtenImage = undefined
    this.id = id
    this.release = id ? lockDraft(id) : () => {}
  }

  private readDraft(): Draft {
    if (!this.id) this.setId(createDraftId())
    const { image, ...text } = this.options.read()
    return {
      id: this.id,
      ...text,
      hasImage: image !== undefined,
      ...(this.isDetached && { slug: '', basedOn: undefined }),
      changedAt: new Date().toISOString(),
    }
  }
}

function isEmpty({ title, content, tags = [], details, basedOn, hasImage }: Draft): boolean {
  return (
    !hasImage &&
    details === undefined &&
    tags.length === 0 &&
    basedOn === undefined &&
    title.trim() === '' &&
    plainText(content) === '' &&
    !/<(?:img|video|audio|iframe|table|hr)\b/i.test(content)
  )
}
