// What the post form holds, and how typing changes it. Knows nothing of saving.

import type { RefObject } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import type { UploadProgress } from '../files/files-api.ts'
import { type FormDraft, scheduleWrite } from './form-draft.ts'
import { findProblems, type PostProblems, type PostValues, slugWhileTyping } from './post-values.ts'
import { type Saver, slugToKeep } from './save-post.ts'

/** The content is in the editor. */
type Fields = Omit<PostValues, 'content'> & { image: File | undefined }

/** Two versions of one post, one of which is to be chosen. */
export type Conflict = { own: PostValues; saved: PostDocument }

/** What the screen shows. */
export type FormState = {
  /** The post as it was opened, or as it was found to be since. */
  post: PostDocument | undefined
  fields: Fields
  /** The text with which the editor begins. */
  startHtml: string
  problems: PostProblems
  /** How often saving was tried: a new summary takes the focus each time. */
  tries: number
  failure: { text: string; isSignedOut: boolean } | undefined
  conflict: Conflict | undefined
  isSaving: boolean
  progress: UploadProgress | undefined
}

/** What must be known at once, before the screen is rendered again. */
type LiveState = {
  isUnsaved: boolean
  isSaving: boolean
  /** The form is no longer on the screen, or will soon be; saving may still be under way. */
  isLeft: boolean
  /** `$updatedAt` of the version that the form's text goes back to. */
  basedOn: string | undefined
}

export type FormParts = {
  /** The post that is being changed; undefined for a new one. */
  opened: PostDocument | undefined
  state: FormState
  update: (change: (now: FormState) => Partial<FormState>) => void
  live: LiveState
  editor: RefObject<EditorHandle | null>
  draft: FormDraft
  saver: Saver
}

export function makeFormState(opened: PostDocument | undefined): FormState {
  return {
    post: opened,
    fields: {
      title: opened?.title ?? '',
      slug: opened?.$id ?? '',
      status: opened?.status ?? 'active',
      image: undefined,
    },
    startHtml: opened?.content ?? '',
    problems: {},
    tries: 0,
    failure: undefined,
    conflict: undefined,
    isSaving: false,
    progress: undefined,
  }
}

export function makeLiveState(opened: PostDocument | undefined): LiveState {
  return { isUnsaved: false, isSaving: false, isLeft: false, basedOn: opened?.$updatedAt }
}

export function noteChange({ live, draft }: Pick<FormParts, 'live' | 'draft'>): void {
  live.isUnsaved = true
  scheduleWrite(draft)
}

export function changeFields(form: FormParts, changes: Partial<Fields>): void {
  if (form.live.isSaving) return
  const fields = { ...form.state.fields, ...changes }
  form.update(() => ({ fields }))
  noteChange(form)
  // Once shown, a problem goes as soon as it is fixed. A text that is too long is measured only on
  // saving.
  if (form.state.tries === 0) return
  const { content } = form.state.problems
  const problems = findProblems({ ...fields, content: '' }, hasImage({ ...form.state, fields }))
  form.update(() => ({ problems: content ? { ...problems, content } : problems }))
}

export function changeTitle(form: FormParts, title: string): void {
  changeFields(form, form.opened ? { title } : { title, slug: makeSlug(form, title) })
}

/** A new post that may be stored already keeps its slug, whatever is typed (product.md §O38). */
export function makeSlug({ saver }: Pick<FormParts, 'saver'>, typed: string): string {
  return slugToKeep(saver) ?? slugWhileTyping(typed, Date.now())
}

/** Puts another text into the form. */
export function replaceText(
  { update, editor }: Pick<FormParts, 'update' | 'editor'>,
  { title, slug, status, content }: PostValues,
): void {
  update(({ fields }) => ({
    fields: { ...fields, title, slug, status },
    startHtml: content,
    problems: {},
  }))
  editor.current?.write(content)
}

export function hasImage({ post, fields }: Pick<FormState, 'post' | 'fields'>): boolean {
  return fields.image !== undefined || Boolean(post?.featuredImage)
}
