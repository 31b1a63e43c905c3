// The live post form: its state, its draft, its saver, and what each control does.
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, useApi } from '../api/client.ts'
import type { Draft } from '../drafts/draft.ts'
import { hiddenDrafts } from '../drafts/drafts.ts'
import { uploadChosenImage } from '../files/prepare-image.ts'
import type { UploadProgress } from '../files/upload-image.ts'
import { createPost, getPost, updatePost } from '../posts/posts-api.ts'
import type { PreviewPost } from '../reading/post-preview.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { Autosave } from './autosave.ts'
import { focusText } from './content-field.tsx'
import { compare, discard, keepOwn, restore, signInAgain, takeSaved } from './form-actions.ts'
import { FormDraft } from './form-draft.ts'
import { isFlushable, useOtherDrafts, useSaving, useSoleWriter } from './form-effects.ts'
import {
  changeFields,
  changeTitle,
  isSavedByItself,
  makeFormState,
  makeFormStore,
  makeLiveState,
  makeSlug,
  noteChange,
  type OpenForm,
  readContentNow,
  readValues,
} from './post-form-state.ts'
import { CONTENT_IMAGE_LIMIT } from './post-values.ts'
import { cancelDraft, pressSave, pressSaveDraft, saveDraft } from './save-draft.ts'
import { makeSaver, type Saver } from './save-post.ts'
import { cancelSaving, submit } from './submit-post.ts'

/** What the parts of the form show and do. */
export type ShownForm = ReturnType<typeof usePostForm>

/**
 * @param opened the post being edited; a new one is written without it
 * @param noteStored hears when a new one is on the server
 */
export function usePostForm(
  opened: PostDocument | undefined,
  userId: string,
  noteStored: OpenForm['noteStored'],
) {
  const viewer = useViewer()
  const around = { api: useApi(), navigate: useNavigate(), toasts: useToasts(), noteStored }
  const [{ form, store }] = useState(() => makePostForm(opened, { ...around, userId }))
  useLayoutEffect(() => {
    Object.assign(form, around)
  })
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const hidden = useSyncExternalStore(hiddenDrafts.subscribe, hiddenDrafts.get, hiddenDrafts.get)
  useOtherDrafts(form)
  useSaving(form)
  const writeHere = useSoleWriter(form)
  const { live } = form
  return {
    ...state,
    editor: form.editor,
    // Those of new posts are no versions of the one that this form has become.
    otherDrafts: opened || !state.post ? state.otherDrafts.filter(({ id }) => !hidden.has(id)) : [],
    isUnsaved: () => live.isUnsaved && (live.isSaving || state.hasNoRoom || !isFlushable(form)),
    preview: () => readPreview(form),
    writeHere,
    signInAgain: () => signInAgain(form, viewer),
    ...actionsOf(form, writeHere),
  }
}

/** What each control does. */
function actionsOf(form: OpenForm, writeHere: () => void) {
  const { live, update } = form
  /** Saving in this tab makes it the tab that writes. */
  const here = (work: (form: OpenForm) => void) => () => {
    if (form.state.isElsewhere) writeHere()
    work(form)
  }
  return {
    handleLeave() {
      live.isLeft = true
    },
    submit: here(submit),
    saveDraft: here(pressSaveDraft),
    save: here(pressSave),
    cancelSaving: () => (live.isSaving ? cancelSaving(form) : cancelDraft(form)),
    changeTitle: (title: string) => changeTitle(form, title),
    changeSlug: (typed: string) => changeFields(form, { slug: makeSlug(form, typed) }),
    changeTags: (typed: { tags: string[]; tagText: string }) => changeFields(form, typed),
    changeStatus: (status: string) => changeFields(form, { status }),
    changeImage: (image: File | undefined) => changeFields(form, { image }),
    removeImage: () => changeFields(form, { image: undefined, isImageRemoved: true }),
    changeContent: () => noteChange(form),
    focusText: () => focusText(form.editor),
    restore: (other: Draft) => restore(form, other),
    discard: (other: Draft) => discard(form, other),
    compare: () => compare(form),
    keepOwn: () => keepOwn(form),
    takeSaved: () => takeSaved(form),
    decideLater: () => update(() => ({ conflict: undefined })),
  }
}

type Around = Pick<OpenForm, 'api' | 'userId' | 'navigate' | 'toasts' | 'noteStored'>

/**
 * What lives as long as the form. Its state is that of the moment: work that takes a while must see
 * what was typed since.
 */
function makePostForm(opened: PostDocument | undefined, around: Around) {
  const store = makeFormStore(makeFormState(opened))
  const { update } = store
  const live = makeLiveState(opened)
  const saver = makeApiSaver(around.api, (progress) => {
    live.heard?.()
    update(() => ({ progress }))
  })
  const draft = new FormDraft({
    post: opened,
    userId: around.userId,
    read: () => ({
      ...readValues(form),
      basedOn: live.basedOn,
      sent: saver.unansweredCreate,
      image: imageToKeep(form),
    }),
    onWritten: (isKept) =>
      update(({ keptAtMs }) => ({
        hasNoRoom: !isKept,
        keptAtMs: isKept ? startOfMinute(Date.now()) : keptAtMs,
      })),
    changeOthers: (change) => update(({ otherDrafts }) => ({ otherDrafts: change(otherDrafts) })),
  })
  saver.noteCreate = () => {
    draft.isChanged = true
    draft.write({ isLate: true })
  }
  const autosave = new Autosave({
    isOn: () => isSavedByItself(form.state),
    save: () => saveDraft(form),
  })
  const form: OpenForm = {
    ...around,
    opened,
    update,
    live,
    saver,
    draft,
    autosave,
    editor: { current: null },
    get state() {
      return store.get()
    },
  }
  return { form, store }
}

function makeApiSaver(api: Api, onProgress: (progress: UploadProgress) => void): Saver {
  const { contentBucketId } = api.settings
  return makeSaver({
    uploadImage: (file) =>
      uploadChosenImage(api, contentBucketId, { file, limit: CONTENT_IMAGE_LIMIT, onProgress }),
    createPost: (slug, data) => createPost(api, slug, data),
    updatePost: (slug, change) => updatePost(api, slug, change),
    getPost: (slug) => getPost(api, slug),
    now: Date.now,
  })
}

/** What the text in the form looks like now. */
function readPreview(form: OpenForm): Omit<PreviewPost, 'userName' | 'userAvatar'> {
  const { fields, post } = form.state
  const stored = fields.isImageRemoved ? undefined : post?.ownImage
  return {
    slug: fields.slug,
    title: fields.title,
    content: readContentNow(form),
    cover: fields.image ?? stored,
    // A program may keep something else as `publishedAt`.
    publishedAt: post?.publishedAt ? post.$createdAt : undefined,
  }
}

/** The line under the buttons tells minutes: once in each it changes. */
function startOfMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000
}

/** The chosen image, unless the post has it already. */
function imageToKeep({ state, saver }: Pick<OpenForm, 'state' | 'saver'>): File | undefined {
  const { fields, post } = state
  const { uploaded } = saver
  const isStored = uploaded?.file === fields.image && uploaded?.fileId === post?.featuredImage
  return isStored ? undefined : fields.image
}
