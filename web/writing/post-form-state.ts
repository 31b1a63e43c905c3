// What the post form holds, and how typing changes it.
import type { RefObject } from 'react'
import type { NavigateFunction } from 'react-router'
import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagsOutsideText, withoutHash } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import type { Draft } from '../drafts/draft.ts'
import { makeSharedValue, type SharedValue } from '../drafts/shared-value.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import type { UploadProgress } from '../files/upload-image.ts'
import type { useToasts } from '../ui/toasts.tsx'
import type { Autosave } from './autosave.ts'
import type { FormDraft } from './form-draft.ts'
import { findProblems, type PostProblems, type PostValues, slugWhileTyping } from './post-values.ts'
import { type Saver, type StoredVersion, slugToKeep } from './save-post.ts'

/** The content is in the editor. */
type Fields = Omit<PostValues, 'content' | 'tags'> & {
  /** Those that the last line of the text says are not among them. */
  tags: string[]
  /** What is typed in the field of the tags, and not yet one of them. */
  tagText: string
  /** Chosen in this form. */
  image: File | undefined
  /** The image that the post has is not wanted any more. */
  isImageRemoved: boolean
}

/**
 * Two versions of one post, one of which is to be chosen. `isQuiet`: it was noticed by a draft that
 * saves itself, not by a press of the button.
 */
export type Conflict = { own: PostValues; saved: PostDocument; isQuiet: boolean }

/**
 * What became of a draft, since when: `saving` from the first key on; `waiting` is on the device,
 * and sent again by itself; `kept` is on the device until something changes.
 */
export type SavedState = { kind: 'saving' | 'saved' | 'waiting' | 'kept'; atMs: number }

/** What the screen shows. */
export type FormState = {
  /** The post as it was opened, or as it was found or saved since. */
  post: PostDocument | undefined
  fields: Fields
  /** The text with which the editor begins. */
  startHtml: string
  problems: PostProblems
  /** How often saving was tried: a new summary takes the focus each time. */
  tries: number
  /** `isQuiet` does not take the focus: the person is writing. */
  failure?: { text: string; isSignedOut: boolean; isQuiet: boolean } | undefined
  conflict?: Conflict | undefined
  /** The version that was saved elsewhere since; a draft does not save itself over it. */
  newer?: PostDocument | undefined
  isSaving: boolean
  /** "Save draft" was pressed, and the draft is not saved yet. */
  isDraftAsked: boolean
  /** A save that was asked for waits for the network. */
  hasNoLine: boolean
  progress?: UploadProgress | undefined
  /** A draft that saves itself. */
  saved?: SavedState | undefined
  /** When the text was kept on this device, since nothing else is done with it by itself. */
  keptAtMs?: number | undefined
  /** Another tab has this draft open, and is the one that saves it. */
  isElsewhere: boolean
  /** Drafts of earlier openings, neither restored nor discarded yet, the newest first. */
  otherDrafts: Draft[]
  /** The last text was too much for this browser: it is not kept on the device. */
  hasNoRoom: boolean
}

/** The state between renders: a late answer must see what was typed since. */
export type FormStore = Omit<SharedValue<FormState>, 'set'> & {
  update: (change: (now: FormState) => Partial<FormState>) => void
}

/** What must be known at once, before the screen is rendered again. */
type LiveState = {
  isUnsaved: boolean
  isSaving: boolean
  /** The form is no longer on the screen, or will soon be; saving may still be under way. */
  isLeft: boolean
  /** The window is being closed or reloaded, unless a key comes after that. */
  isUnloading: boolean
  /** `$updatedAt` of the version that the form's text goes back to. */
  basedOn?: string | undefined
  /** The text when the form was left: the editor is gone. */
  lastContent?: string | undefined
  /** What the server has of this form. */
  savedParts?: string | undefined
  /** An image that the server refused. */
  refusedImage?: File | undefined
  /** Ends the waiting of a save that was asked for. */
  cancel?: (() => void) | undefined
  /** Called at each progress of a save. */
  heard?: (() => void) | undefined
}

/** A form on the screen, with all that its work needs. */
export type OpenForm = {
  /** The post that is being changed; undefined for a new one. */
  opened: PostDocument | undefined
  readonly state: FormState
  update: FormStore['update']
  live: LiveState
  editor: RefObject<EditorHandle | null>
  draft: FormDraft
  saver: Saver
  autosave: Autosave
  api: Api
  userId: string
  toasts: ReturnType<typeof useToasts>
  navigate: NavigateFunction
  /** A new post is on the server from now on, and the form goes on with it. */
  noteStored: (slug: string) => void
}

export function makeFormState(opened: PostDocument | undefined): FormState {
  return {
    post: opened,
    fields: {
      title: opened?.title ?? '',
      slug: opened?.$id ?? '',
      status: opened?.status ?? 'active',
      tags: opened ? tagsOutsideText(opened) : [],
      tagText: '',
      image: undefined,
      isImageRemoved: false,
    },
    startHtml: opened?.content ?? '',
    problems: {},
    tries: 0,
    isSaving: false,
    isDraftAsked: false,
    hasNoLine: false,
    isElsewhere: false,
    otherDrafts: [],
    hasNoRoom: false,
  }
}

export function makeFormStore(first: FormState): FormStore {
  const { get, set, subscribe } = makeSharedValue(first)
  return { get, subscribe, update: (change) => set({ ...get(), ...change(get()) }) }
}

export function makeLiveState(opened: PostDocument | undefined): LiveState {
  return {
    isUnsaved: false,
    isSaving: false,
    isLeft: false,
    isUnloading: false,
    basedOn: opened?.$updatedAt,
  }
}

/**
 * Whether the form holds a draft, which is saved by itself. What is published never is, nor what is
 * to be published: that is what the button is for.
 */
export function isDraft({ post, fields }: Pick<FormState, 'post' | 'fields'>): boolean {
  return (post ?? fields).status !== 'active'
}

/** Whether the draft may be sent by itself now. */
export function isSavedByItself(state: FormState): boolean {
  const isSignedOut = state.failure?.isSignedOut === true
  return isDraft(state) && !state.isElsewhere && !state.newer && !isSignedOut
}

export function noteChange(form: OpenForm): void {
  const { live, draft, autosave, update } = form
  live.isUnsaved = true
  live.isUnloading = false
  draft.scheduleWrite()
  autosave.noteKey()
  const kind = form.state.saved?.kind
  if (isSavedByItself(form.state) && kind !== 'saving' && kind !== 'waiting')
    update(() => ({ saved: { kind: 'saving', atMs: Date.now() } }))
}

export function changeFields(form: OpenForm, changes: Partial<Fields>): void {
  if (form.live.isSaving) return
  const fields = { ...form.state.fields, ...changes }
  form.update(() => ({ fields }))
  noteChange(form)
  // Once shown, a problem goes as soon as it is fixed. A text that is too long is measured only on
  // saving.
  if (form.state.tries === 0) return
  const { content } = form.state.problems
  const values = { ...fields, content: '', tags: typedTags(fields) }
  const problems = findProblems(values, hasImage({ ...form.state, fields }))
  form.update(() => ({ problems: content ? { ...problems, content } : problems }))
}

export function changeTitle(form: OpenForm, title: string): void {
  changeFields(form, form.state.post ? { title } : { title, slug: makeSlug(form, title) })
}

/** A new post that may be stored already keeps its slug, whatever is typed (product.md §O38). */
export function makeSlug({ saver }: OpenForm, typed: string): string {
  return slugToKeep(saver) ?? slugWhileTyping(typed, Date.now())
}

/** Puts another text into the form. */
export function replaceText(
  { update, editor }: OpenForm,
  { title, slug, status, content, tags }: PostValues,
): void {
  update(({ fields, post }) => ({
    fields: { ...fields, title, slug, status, ...splitTags(tags ?? storedTags(post)) },
    startHtml: content,
    problems: {},
  }))
  editor.current?.write(content)
}

export function hasImage({ post, fields }: Pick<FormState, 'post' | 'fields'>): boolean {
  return fields.image !== undefined || (!fields.isImageRemoved && Boolean(post?.featuredImage))
}

/** The text as it is now, its images stored or not; also when the form was left. */
export function readContentNow({ live, editor, state }: OpenForm): string {
  return live.lastContent ?? editor.current?.peek() ?? state.startHtml
}

export function readValues(form: OpenForm): PostValues {
  const { fields, post } = form.state
  const { title, slug, status } = fields
  const tags = typedTags(fields)
  const isSame = tags.join() === storedTags(post).join()
  return { title, slug, status, content: readContentNow(form), ...(isSame ? {} : { tags }) }
}

/** The values with all tags, also those that the post has already. */
export function readAll(form: OpenForm): PostValues {
  return { ...readValues(form), tags: typedTags(form.state.fields) }
}

/** The tags, with what is typed and not yet one of them. */
export function typedTags({ tags, tagText }: Pick<Fields, 'tags' | 'tagText'>): string[] {
  const text = withoutHash(tagText)
  return text === '' ? tags : distinctTags([...tags, text])
}

/** What was kept of a draft: a text that is no tag goes on being typed. */
function splitTags(typed: string[]): Pick<Fields, 'tags' | 'tagText'> {
  const tags = typed.filter(isTag).slice(0, TAGS_MAX)
  return { tags, tagText: typed.find((one) => !tags.includes(one)) ?? '' }
}

function storedTags(post: PostDocument | undefined): string[] {
  return post ? tagsOutsideText(post) : []
}

/** The version to save over, unless it is no longer the newest; undefined for a new post. */
export function findOpenedVersion({ state, live }: OpenForm): StoredVersion | undefined {
  const { post, fields } = state
  if (!post) return undefined
  const $updatedAt = live.basedOn ?? post.$updatedAt
  const { featuredImage, ownImage, status } = post
  if (fields.isImageRemoved) return { featuredImage: '', ownImage: '', $updatedAt, status }
  return { featuredImage, ...(ownImage === undefined ? {} : { ownImage }), $updatedAt, status }
}
