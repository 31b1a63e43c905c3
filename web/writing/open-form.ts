// A post form on the screen: its state, and the parts that read the state and dispatch actions,
// such as the copy on the device, autosaving and the calls of a save.
import type { RefObject } from 'react'
import type { NavigateFunction } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import type { WriterLock } from '../drafts/draft-locks.ts'
import type { OpenDraft } from '../drafts/open-draft.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import { NEW_PAGE_PATH } from '../posts/post-paths.ts'
import type { useToasts } from '../ui/toasts.tsx'
import type { Autosave } from './autosave.ts'
import {
  type Fields,
  formValues,
  type PostFormAction,
  type PostFormState,
} from './post-form-reducer.ts'
import { type PostValues, slugWhileTyping } from './post-values.ts'
import type { Saver } from './save-post.ts'

export type FormContext = {
  api: Api
  userId: string
  /** A new page of the blog is written, not a post. */
  isNewPage?: boolean
  toasts: ReturnType<typeof useToasts>
  navigate: NavigateFunction
  /** Called when a new post is stored as a draft, with which the form continues. */
  onStored: (slug: string) => void
}

export type OpenForm = FormContext & {
  /** The post that is being changed; undefined for a new one. */
  opened: PostDocument | undefined
  getState: () => PostFormState
  dispatch: (action: PostFormAction) => void
  subscribe: (listener: () => void) => () => void
  editor: RefObject<EditorHandle | null>
  draft: OpenDraft
  saver: Saver
  autosave: Autosave
  /** Cancels the save that "Submit" has started. */
  abort?: AbortController | undefined
  /** The save under way leads to the page "Published". */
  showsPublished?: boolean
  writerLock?: WriterLock | undefined
}

/** The text with all images, stored or not; after the form was left, the text at that moment. */
export function readContent({ getState, editor }: OpenForm): string {
  return getState().lastContent ?? editor.current?.peek() ?? getState().startHtml
}

export function readValues(form: OpenForm): PostValues {
  return formValues(form.getState(), readContent(form))
}

/** Where a new post, or a new page of the blog, is written. */
export function newPostPath({ getState }: Pick<OpenForm, 'getState'>): string {
  return getState().isPage ? NEW_PAGE_PATH : '/add-post'
}

/** Call it when something was typed in the editor. */
export function handleTyping(form: OpenForm): void {
  // The editor reports a change when it is removed.
  if (form.getState().lastContent !== undefined) return
  form.dispatch({ type: 'typed', atMs: Date.now() })
  form.draft.scheduleWrite()
  form.autosave.markDirty()
}

export function changeFields(form: OpenForm, changes: Partial<Fields>): void {
  if (form.getState().isSaving) return
  form.dispatch({ type: 'fieldsChanged', changes, atMs: Date.now() })
  form.draft.scheduleWrite()
  form.autosave.markDirty()
}

export function changeTitle(form: OpenForm, title: string): void {
  changeFields(form, form.getState().post ? { title } : { title, slug: createSlug(form, title) })
}

export function changeSlug(form: OpenForm, typed: string): void {
  changeFields(form, { slug: createSlug(form, typed) })
}

/** A new post that may be stored already keeps its slug, whatever is typed (product.md §O38). */
function createSlug({ saver }: OpenForm, typed: string): string {
  return saver.unansweredCreate?.slug ?? slugWhileTyping(typed, Date.now())
}

/** Saving in this tab makes it the tab that saves automatically. */
export function takeOver({ getState, writerLock }: OpenForm): void {
  if (getState().isOpenElsewhere) writerLock?.takeOver()
}
