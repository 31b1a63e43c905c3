// The live post form: its state, its draft, its saver, and what each control does. Knows nothing of
// how it looks.
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import type { Draft } from '../drafts/draft.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import type { UploadProgress } from '../files/files-api.ts'
import { uploadChosen } from '../files/upload-chosen.ts'
import { createPost, getPost, updatePost } from '../posts/posts-api.ts'
import { shownBody } from '../posts/text-bodies.ts'
import type { PreviewPost } from '../reading/post-preview.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { makeAutosave, type SaveOutcome } from './autosave.ts'
import { compare, keepOwn, restore, signInAgain, takeSaved } from './form-choices.ts'
import { discardOther, writeDraft } from './form-draft.ts'
import { CONTENT_IMAGE_LIMIT } from './image-limit.ts'
import {
  changeFields,
  changeTitle,
  type FormParts,
  type FormStore,
  makeFormState,
  makeFormStore,
  makeLiveState,
  makeSlug,
  noteChange,
  readContentNow,
  readValues,
} from './post-form-state.ts'
import { cancelDraft, pressSave, pressSaveDraft, saveDraft } from './save-draft.ts'
import { makeSaver, type Saver } from './save-post.ts'
import { cancelSaving, type SubmitNeeds, submit } from './submit-post.ts'
import { isFlushable, useAutosave } from './use-autosave.ts'
import { useDraft } from './use-draft.ts'
import { useSoleWriter } from './use-sole-writer.ts'

/**
 * @param opened the post being edited; a new one is written without it
 * @param noteStored hears when a new one is on the server
 */
export function usePostForm(
  opened: PostDocument | undefined,
  userId: string,
  noteStored: SubmitNeeds['noteStored'],
) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const viewer = useViewer()
  const { parts, state, work } = useParts(opened, api)
  const { live, saver, update, editor } = parts
  const drafts = useDraft({
    post: opened,
    userId,
    read: () => ({
      ...readValues(parts),
      basedOn: live.basedOn,
      sent: saver.unansweredCreate,
      image: imageToKeep(parts),
    }),
    onKept: () => noteKept(update),
  })
  const draft = drafts.own
  const form: SubmitNeeds = withState({
    ...parts,
    userId,
    api,
    navigate,
    toasts,
    draft,
    noteStored,
  })
  useEffect(() => {
    saver.noteCreate = () => {
      draft.isChanged = true
      writeDraft(draft, { isLate: true })
    }
  }, [saver, draft])
  useAutosave(form, work, () => saveDraft(form))
  const writeHere = useSoleWriter(form)
  return {
    ...state,
    editor,
    // Those of new posts are no versions of the one that this form has become.
    otherDrafts: opened || !state.post ? drafts.others : [],
    hasNoRoom: drafts.hasNoRoom,
    isUnsaved: () => live.isUnsaved && (live.isSaving || drafts.hasNoRoom || !isFlushable(form)),
    preview: () => readPreview(form),
    writeHere,
    signInAgain: () => signInAgain(form, viewer),
    ...actionsOf(form, writeHere),
  }
}

/** What each control does. */
function actionsOf(form: SubmitNeeds, writeHere: () => void) {
  const { live, update, draft } = form
  /** Whoever saves here has chosen to write here. */
  const here = (work: (form: SubmitNeeds) => void) => () => {
    if (form.state.isElsewhere) writeHere()
    work(form)
  }
  return {
    handleLeave() {
      live.isLeft = true
    },
    handleSubmit(event: FormEvent) {
      event.preventDefault()
      here(submit)()
    },
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
    restore: (other: Draft) => restore(form, other),
    discard: (other: Draft) => discardOther(draft, other),
    compare: () => compare(form),
    keepOwn: () => keepOwn(form),
    takeSaved: () => takeSaved(form),
    decideLater: () => update(() => ({ conflict: undefined })),
  }
}

type Parts = Omit<FormParts, 'draft' | 'state'>

/** What lives as long as the form. */
function useParts(opened: PostDocument | undefined, api: Api) {
  const editor = useRef<EditorHandle>(null)
  const [work] = useState(makeLateWork)
  const [made] = useState(() => {
    const store = makeFormStore(makeFormState(opened))
    const { update } = store
    const live = makeLiveState(opened)
    const saver = makeApiSaver(api, (progress) => {
      live.heard?.()
      update(() => ({ progress }))
    })
    const autosave = makeAutosave({ isOn: () => work.isOn(), save: () => work.save() })
    return { store, update, live, saver, autosave }
  })
  const { store, ...rest } = made
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const parts = { ...rest, opened, editor, get: store.get }
  return { parts: withState(parts), state, work }
}

/** Adds the state as it is at the moment: work that takes a while must see what was typed since. */
function withState<Given extends Parts & Pick<FormStore, 'get'>>(given: Given) {
  return Object.defineProperty(given, 'state', { get: given.get }) as Given &
    Pick<FormParts, 'state'>
}

/** What the autosave calls: always the form as it was rendered last. */
export type LateWork = { isOn: () => boolean; save: () => Promise<SaveOutcome> }

function makeLateWork(): LateWork {
  return { isOn: () => false, save: async () => 'refused' }
}

function makeApiSaver(api: Api, onProgress: (progress: UploadProgress) => void): Saver {
  const { contentBucketId } = api.settings
  return makeSaver({
    uploadImage: (file) =>
      uploadChosen(api, contentBucketId, { file, limit: CONTENT_IMAGE_LIMIT, onProgress }),
    createPost: (slug, data) => createPost(api, slug, data),
    updatePost: (slug, change) => updatePost(api, slug, change),
    getPost: (slug) => getPost(api, slug),
    now: Date.now,
  })
}

/** What the text in the form looks like now. */
function readPreview(form: SubmitNeeds): Omit<PreviewPost, 'userName' | 'userAvatar'> {
  const { fields, post } = form.state
  const stored = fields.isImageRemoved ? undefined : post?.ownImage
  return {
    slug: fields.slug,
    title: fields.title,
    content: shownBody(form.api.settings, readContentNow(form)),
    cover: fields.image ?? stored,
    createdAt: post?.$createdAt,
  }
}

/** The line under the buttons tells minutes: once in each it changes. */
function noteKept(update: FormStore['update']): void {
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000
  update(({ keptAtMs }) => (keptAtMs === minuteMs ? {} : { keptAtMs: minuteMs }))
}

/** The chosen image, unless the post has it already. */
function imageToKeep({ state, saver }: Pick<FormParts, 'state' | 'saver'>): File | undefined {
  const { fields, post } = state
  const { uploaded } = saver
  const isStored = uploaded?.file === fields.image && uploaded?.fileId === post?.featuredImage
  return isStored ? undefined : fields.image
}
