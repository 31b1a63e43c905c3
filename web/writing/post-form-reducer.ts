// The state of the post form, and how each action changes it. Pure: timers, calls and the device
// are in open-form.ts and the files that use it. One file, because each action is read together
// with the part of the state that it changes.
import type { ComponentType } from 'react'
import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagsOutsideText, withoutHash } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure } from '../api/client.ts'
import type { Draft } from '../drafts/draft-store.ts'
import type { EditorMerge } from '../editor/merge-into-editor.ts'
import type { UploadProgress } from '../files/upload-image.ts'
import { texts } from '../locales/texts.ts'
import { detailsOf, type PostDetails } from '../posts/posts-api.ts'
import type { SaveOutcome } from './autosave.ts'
import {
  changedDetails,
  findProblems,
  hasProblems,
  type PostProblems,
  type PostValues,
} from './post-values.ts'
import { saveFailureText } from './save-failure.ts'
import type { StoredVersion } from './save-post.ts'

const MINUTE_MS = 60_000
const CANCELLED_FAILURE = {
  text: texts.savingFailures.cancelled,
  isSignedOut: false,
  isQuiet: false,
}

/** The values of the fields, except the content, which is in the editor. */
export type Fields = Omit<PostValues, 'content' | 'tags' | 'details'> & {
  details: PostDetails
  /** Without the tags in the last line of the text. */
  tags: string[]
  /** The text in the tags field that is not a tag yet. */
  tagText: string
  /** The image that was chosen in this form. */
  image: File | undefined
  /** Saving removes the image of the post. */
  isImageRemoved: boolean
}

/**
 * Two versions of one post, one of which the writer chooses: the form's and the server's.
 * `isFromAutosave`: autosaving found the newer version, not a press of "Submit" or "Update".
 */
export type Conflict = { local: PostValues; stored: PostDocument; isFromAutosave: boolean }

export type MergedField = 'title' | 'tags' | 'status' | 'image' | 'details'

/**
 * A version that was saved elsewhere, merged into the form. `taken` are the fields that only the
 * other side had changed, `kept` those that both had: they stay as the writer has them.
 */
export type MergedVersion = {
  /** Loaded with the code that merges. */
  Notice: ComponentType<{ merged: MergedVersion }>
  text: EditorMerge
  taken: MergedField[]
  kept: MergedField[]
  isFromAutosave: boolean
  savedAt: string
}

/**
 * How far saving a draft has come, and since when: `saving` begins with the first key; a `waiting`
 * draft is on the device and is sent again automatically; an `on-device` one stays there until the
 * writer changes something.
 */
export type DraftStatus = { kind: 'saving' | 'saved' | 'waiting' | 'on-device'; atMs: number }

export type PostFormState = {
  /** A page of the blog, such as "About": without featured image and tags. */
  isPage: boolean
  /** The post as it was opened, or as it was read or saved since; undefined for a new one. */
  post?: PostDocument | undefined
  /** `$updatedAt` of the version on which the form's text is based. */
  basedOn?: string | undefined
  fields: Fields
  /** The text with which the editor begins. */
  startHtml: string
  /** The text when the form, and the editor with it, left the screen. */
  lastContent?: string | undefined

  problems: PostProblems
  /** How often saving was tried: after each attempt a new summary of problems takes the focus. */
  tries: number
  /** The message of a quiet failure does not take the focus, because the writer is typing. */
  failure?: { text: string; isSignedOut: boolean; isQuiet: boolean } | undefined
  conflict?: Conflict | undefined
  /** A version that was saved elsewhere meanwhile; autosaving does not overwrite it. */
  newerPost?: PostDocument | undefined
  /** The last version that was merged into the form. */
  merged?: MergedVersion | undefined
  /** Other drafts on this device, neither restored nor discarded yet, the newest first. */
  otherDrafts: Draft[]
  /** Another tab has this draft open, and is the one that saves it. */
  isOpenElsewhere: boolean
  /** The browser had no room for the last text: it is not stored on the device. */
  isDeviceFull: boolean

  /** The drawer "Publish" is open. */
  isPublishOpen: boolean
  /** "Submit" was pressed, and the save has not ended. */
  isSaving: boolean
  /** "Save draft" was pressed, and the draft is not saved yet. */
  isDraftRequested: boolean
  /** A save that was requested waits for the network. */
  isOffline: boolean
  progress?: UploadProgress | undefined
  draftStatus?: DraftStatus | undefined
  /** When the text was last stored on this device. */
  onDeviceAtMs?: number | undefined

  isUnsaved: boolean
  /** Something was typed since the draft was last sent. */
  isTypedSinceSent: boolean
  /** Identifies the text of this draft that the server has stored. */
  storedTextId?: string | undefined
  /** An image that the server refused. */
  refusedImage?: File | undefined
  /** The form has left the screen, or is about to; saving may still be under way. */
  isLeft: boolean
  /** The window is being closed or reloaded. Typing resets this: the writer has stayed. */
  isUnloading: boolean
}

export type PostFormAction =
  | { type: 'typed'; atMs: number }
  | { type: 'fieldsChanged'; changes: Partial<Fields>; atMs: number }
  | { type: 'writtenToDevice'; isStored: boolean; atMs: number }
  | { type: 'writerChanged'; isOpenElsewhere: boolean }
  | { type: 'signedInAgain' | 'leftForSignIn' }
  | { type: 'shown' | 'leaving' | 'unloading' }
  | { type: 'unmounted'; content: string }
  | { type: 'publishOpened' | 'publishClosed' }
  // "Submit", and "Update"
  | { type: 'submitted' }
  | { type: 'contentRead'; content: string }
  | { type: 'uploadProgressed'; progress: UploadProgress }
  | { type: 'connectionLost' | 'connectionRestored' }
  | { type: 'saveFailed'; failure: Failure; isQuiet: boolean }
  | { type: 'saveCancelled'; atMs: number }
  | { type: 'conflictFound'; post: PostDocument; content: string; isFromAutosave: boolean }
  | { type: 'saveSucceeded' | 'saveEnded' }
  // Autosaving, and "Save draft"
  | { type: 'draftRequested'; content: string }
  | { type: 'draftRequestCancelled' | 'draftSent' | 'draftFullyStored' }
  | { type: 'draftStored'; post: PostDocument; textId: string }
  | { type: 'draftSaveEnded'; outcome: SaveOutcome; atMs: number }
  | { type: 'imageRefused'; image: File; failure: Failure }
  // Newer versions of the post, and other drafts on this device
  | { type: 'newerFound' | 'basedOnNewer' | 'replacedByNewer'; post: PostDocument }
  | { type: 'publishedMeanwhile'; post: PostDocument }
  | { type: 'merged'; post: PostDocument; fields: Fields; merged: MergedVersion }
  | { type: 'decisionPostponed' }
  | { type: 'draftsFound'; drafts: Draft[] }
  | { type: 'draftStashed'; draft: Draft }
  | { type: 'draftRestored'; draft: Draft; slug: string; basedOn: string | undefined }
  | { type: 'draftDiscarded'; id: string }

type Action<Type> = Extract<PostFormAction, { type: Type }>
type Changes = Partial<PostFormState>

/** @param isNewPage a new page of the blog is written, not a post */
export function initialPostFormState(
  opened: PostDocument | undefined,
  isNewPage = false,
): PostFormState {
  return {
    isPage: opened?.page ?? isNewPage,
    post: opened,
    basedOn: opened?.$updatedAt,
    fields: {
      title: opened?.title ?? '',
      slug: opened?.$id ?? '',
      status: opened?.status ?? 'active',
      tags: storedTags(opened),
      tagText: '',
      image: undefined,
      isImageRemoved: false,
      details: detailsOf(opened),
    },
    startHtml: opened?.content ?? '',
    problems: {},
    tries: 0,
    otherDrafts: [],
    isOpenElsewhere: false,
    isDeviceFull: false,
    isPublishOpen: false,
    isSaving: false,
    isDraftRequested: false,
    isOffline: false,
    isUnsaved: false,
    isTypedSinceSent: false,
    isLeft: false,
    isUnloading: false,
  }
}

/** @returns the same state when nothing changes, so that the form is not rendered again */
export function postFormReducer(state: PostFormState, action: PostFormAction): PostFormState {
  const changes = changesOf(state, action)
  const isSame = Object.entries(changes).every(
    ([key, value]) => state[key as keyof PostFormState] === value,
  )
  return isSame ? state : { ...state, ...changes }
}

function changesOf(state: PostFormState, action: PostFormAction): Changes {
  switch (action.type) {
    case 'typed':
      return afterTyping(state, action.atMs)
    case 'fieldsChanged':
      return afterFieldChange(state, action)
    case 'writtenToDevice':
      return afterWriteToDevice(action)
    case 'writerChanged':
      return { isOpenElsewhere: action.isOpenElsewhere }
    case 'signedInAgain':
      return { failure: undefined }
    case 'shown':
      return { isLeft: false, lastContent: undefined }
    case 'leaving':
      return { isLeft: true }
    case 'unloading':
      return { isUnloading: true }
    case 'unmounted':
      return { isLeft: true, lastContent: action.content }
    case 'publishOpened':
      return { isPublishOpen: true, failure: undefined }
    case 'publishClosed':
      return { isPublishOpen: false }
    case 'submitted':
      return afterSubmit(state)
    case 'contentRead':
      return afterContentRead(state, action.content)
    case 'uploadProgressed':
      return { progress: action.progress }
    case 'connectionLost':
    case 'connectionRestored':
      return { isOffline: action.type === 'connectionLost' }
    case 'saveFailed':
      return { failure: describeFailure(action) }
    case 'saveCancelled':
      return { failure: CANCELLED_FAILURE, onDeviceAtMs: action.atMs }
    case 'conflictFound':
      return { conflict: createConflict(state, action) }
    case 'saveSucceeded':
    case 'leftForSignIn':
      return { isUnsaved: false }
    case 'saveEnded':
      return { isSaving: false, isOffline: false }
    case 'draftRequested':
      return afterDraftRequest(state, action.content)
    case 'draftRequestCancelled':
      return { isDraftRequested: false, isOffline: false }
    case 'draftSent':
      return { isTypedSinceSent: false }
    case 'draftStored':
      return afterDraftStored(state, action)
    case 'draftFullyStored':
      return state.isTypedSinceSent ? {} : { isUnsaved: false }
    case 'draftSaveEnded':
      return afterDraftSave(state, action)
    case 'imageRefused':
      return { refusedImage: action.image, problems: withImageProblem(state, action.failure) }
    case 'newerFound':
      return { newerPost: action.post }
    case 'basedOnNewer':
      return baseOn(action.post)
    case 'replacedByNewer':
      return afterReplacement(state, action.post)
    case 'publishedMeanwhile':
      return afterPublication(state, action.post)
    case 'merged':
      return { ...baseOn(action.post), fields: action.fields, merged: action.merged }
    case 'decisionPostponed':
      return { conflict: undefined }
    case 'draftsFound':
      return { otherDrafts: action.drafts }
    case 'draftStashed':
      return { otherDrafts: [action.draft, ...state.otherDrafts] }
    case 'draftRestored':
      return afterRestore(state, action)
    case 'draftDiscarded':
      return { otherDrafts: withoutDraft(state, action.id) }
  }
}

function afterTyping(state: PostFormState, atMs: number): Changes {
  const { draftStatus } = state
  const isPending = draftStatus?.kind === 'saving' || draftStatus?.kind === 'waiting'
  const startsSaving = isSavedAutomatically(state) && !isPending
  return {
    isUnsaved: true,
    isTypedSinceSent: true,
    isUnloading: false,
    draftStatus: startsSaving ? { kind: 'saving', atMs } : draftStatus,
  }
}

function afterFieldChange(state: PostFormState, action: Action<'fieldsChanged'>): Changes {
  if (state.isSaving) return {}
  const fields = { ...state.fields, ...action.changes }
  const next = { ...state, fields }
  return { fields, problems: remainingProblems(next), ...afterTyping(next, action.atMs) }
}

/**
 * Once shown, a problem disappears as soon as it is fixed. The length of the text is measured only
 * on saving.
 */
function remainingProblems(state: PostFormState): PostProblems {
  const { problems, tries } = state
  if (tries === 0) return problems
  const remaining = findProblems(allFormValues(state, ''), needsNoImage(state))
  return problems.content ? { ...remaining, content: problems.content } : remaining
}

/** Rounds the time down to minutes: the line under the buttons shows no seconds. */
function afterWriteToDevice({ isStored, atMs }: Action<'writtenToDevice'>): Changes {
  if (!isStored) return { isDeviceFull: true }
  return { isDeviceFull: false, onDeviceAtMs: Math.floor(atMs / MINUTE_MS) * MINUTE_MS }
}

function afterSubmit(state: PostFormState): Changes {
  const problems = findProblems(formValues(state, ''), needsNoImage(state))
  const attempt = { problems, tries: state.tries + 1, failure: undefined, newerPost: undefined }
  if (hasProblems(problems)) return attempt
  return {
    ...attempt,
    isSaving: true,
    progress: undefined,
    draftStatus: undefined,
    // Until the server answers, the form does not know which text the server has.
    storedTextId: undefined,
  }
}

function afterContentRead(state: PostFormState, content: string): Changes {
  const { image } = state.fields
  return {
    problems: findProblems(formValues(state, content), needsNoImage(state)),
    progress: image && { sentBytes: 0, totalBytes: image.size },
  }
}

function describeFailure({ failure, isQuiet }: Action<'saveFailed'>): PostFormState['failure'] {
  return { text: saveFailureText(failure), isSignedOut: failure.code === 401, isQuiet }
}

function withImageProblem({ problems }: PostFormState, failure: Failure): PostProblems {
  return { ...problems, image: saveFailureText(failure) }
}

/** From now on the post is a draft, which is saved automatically. */
function afterDraftRequest(state: PostFormState, content: string): Changes {
  const fields = { ...state.fields, status: 'inactive' }
  const problems = findProblems(formValues({ ...state, fields }, content), true)
  const attempt = { fields, problems, tries: state.tries + 1, failure: undefined }
  if (hasProblems(problems)) return attempt
  return { ...attempt, isDraftRequested: true, newerPost: undefined, isOpenElsewhere: false }
}

/** The form continues with the post as the server has it; the text in the editor stays. */
function afterDraftStored(state: PostFormState, action: Action<'draftStored'>): Changes {
  const { fields, failure } = state
  const { post, textId } = action
  const isImageRemoved = fields.isImageRemoved && post.featuredImage !== ''
  return {
    post,
    basedOn: post.$updatedAt,
    fields: { ...fields, slug: post.$id, isImageRemoved },
    failure: failure?.isSignedOut ? failure : undefined,
    storedTextId: textId,
  }
}

function afterDraftSave(state: PostFormState, action: Action<'draftSaveEnded'>): Changes {
  const { isUnsaved, isDraftRequested } = state
  const { outcome, atMs } = action
  const kinds = {
    saved: isUnsaved ? 'saving' : 'saved',
    partly: 'saving',
    unanswered: 'waiting',
    refused: 'on-device',
  } as const
  const isWaiting = outcome === 'unanswered'
  return {
    draftStatus: { kind: kinds[outcome], atMs },
    isOffline: isDraftRequested && isWaiting,
    isDraftRequested: isDraftRequested && (isWaiting || outcome === 'partly'),
  }
}

function baseOn(post: PostDocument): Changes {
  return {
    post,
    basedOn: post.$updatedAt,
    storedTextId: undefined,
    conflict: undefined,
    newerPost: undefined,
  }
}

/**
 * The scheduled post turned active while the form was open. The text of the form is no draft any
 * longer, and an update leaves the post active, unless the writer has just ended the schedule.
 */
function afterPublication(state: PostFormState, post: PostDocument): Changes {
  const { fields } = state
  const isSchedule = fields.publishedAt !== null
  const changes = { status: isSchedule ? 'active' : fields.status, publishedAt: undefined }
  return {
    ...baseOn(post),
    fields: { ...fields, ...changes },
    draftStatus: undefined,
    isDraftRequested: false,
  }
}

/** The stored post replaces the text of the form. */
function afterReplacement(state: PostFormState, post: PostDocument): Changes {
  return {
    ...baseOn(post),
    ...replaceText(state, {
      ...post,
      slug: post.$id,
      tags: tagsOutsideText(post),
      details: detailsOf(post),
    }),
    isUnsaved: false,
    draftStatus: undefined,
    onDeviceAtMs: undefined,
  }
}

function createConflict(state: PostFormState, action: Action<'conflictFound'>): Conflict {
  const { post, content, isFromAutosave } = action
  return { local: allFormValues(state, content), stored: post, isFromAutosave }
}

function afterRestore(state: PostFormState, action: Action<'draftRestored'>): Changes {
  const { draft, slug, basedOn } = action
  const changes = replaceText(state, { ...draft, slug })
  return {
    ...changes,
    fields: { ...changes.fields, image: undefined, isImageRemoved: false },
    basedOn,
    storedTextId: undefined,
    otherDrafts: withoutDraft(state, draft.id),
  }
}

function withoutDraft({ otherDrafts }: PostFormState, id: string): Draft[] {
  return otherDrafts.filter((draft) => draft.id !== id)
}

function replaceText({ fields, post }: PostFormState, values: PostValues) {
  const { title, slug, status, content, tags } = values
  const details = { ...detailsOf(post), ...values.details }
  const text = {
    title,
    slug,
    status,
    details,
    publishedAt: undefined,
    ...splitTags(tags ?? storedTags(post)),
  }
  return { fields: { ...fields, ...text }, startHtml: content, problems: {}, merged: undefined }
}

/** The first draft tag that is invalid, or one too many, becomes the text of the tags field. */
function splitTags(draftTags: string[]): Pick<Fields, 'tags' | 'tagText'> {
  const tags = draftTags.filter(isTag).slice(0, TAGS_MAX)
  return { tags, tagText: draftTags.find((tag) => !tags.includes(tag)) ?? '' }
}

function storedTags(post: PostDocument | undefined): string[] {
  return post ? tagsOutsideText(post) : []
}

// Selectors for the rest of the form.

/**
 * Whether the form holds a draft, which is saved automatically. A published post, and a new one
 * that is to be published, are saved only when the writer presses the button.
 */
export function isDraft({ post, fields }: Pick<PostFormState, 'post' | 'fields'>): boolean {
  return (post ?? fields).status !== 'active'
}

/** Whether the text may be sent automatically now. */
export function isSavedAutomatically(state: PostFormState): boolean {
  const { isSaving, isOpenElsewhere, newerPost, failure } = state
  return isDraft(state) && !isSaving && !isOpenElsewhere && !newerPost && !failure?.isSignedOut
}

export function hasImage({ post, fields }: Pick<PostFormState, 'post' | 'fields'>): boolean {
  return fields.image !== undefined || (!fields.isImageRemoved && Boolean(post?.featuredImage))
}

function needsNoImage(state: PostFormState): boolean {
  return state.isPage || hasImage(state)
}

/** The values to save; without tags and details that are still those of the post. */
export function formValues(state: PostFormState, content: string): PostValues {
  const { tags, details: allDetails, ...rest } = allFormValues(state, content)
  const details = changedDetails(allDetails, state.post)
  const values = details ? { ...rest, details } : rest
  return tags.join() === storedTags(state.post).join() ? values : { ...values, tags }
}

/** The values with all tags, including one that is still being typed. */
export function allFormValues({ fields }: PostFormState, content: string) {
  const { title, slug, status, tags, tagText, details } = fields
  const typedTag = withoutHash(tagText)
  const allTags = typedTag === '' ? tags : distinctTags([...tags, typedTag])
  return { title, slug, status, content, tags: allTags, details }
}

/** The version to save over, unless it is no longer the newest; undefined for a new post. */
export function openedVersion({ post, fields, basedOn }: PostFormState): StoredVersion | undefined {
  if (!post) return undefined
  const { featuredImage, ownImage, status } = post
  const $updatedAt = basedOn ?? post.$updatedAt
  const version = { ...detailsOf(post), $updatedAt, status }
  if (fields.isImageRemoved) return { featuredImage: '', ownImage: '', ...version }
  return { featuredImage, ...(ownImage === undefined ? {} : { ownImage }), ...version }
}
