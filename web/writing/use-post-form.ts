// The live post form: its state, its draft, its saver, and what each control does. Knows nothing of
// how it looks.

import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument, PostStatus } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { useViewer, type Viewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import type { Draft } from '../drafts/draft.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import type { UploadProgress } from '../files/files-api.ts'
import { uploadChosen } from '../files/upload-chosen.ts'
import { texts } from '../locales/texts.ts'
import { createPost, getPost, updatePost } from '../posts/posts-api.ts'
import type { PreviewPost } from '../reading/post-preview.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { discardOther, type FormDraft, restoreDraft, setAside, writeDraft } from './form-draft.ts'
import { CONTENT_IMAGE_LIMIT } from './image-limit.ts'
import {
  changeFields,
  changeTitle,
  type FormParts,
  makeFormState,
  makeLiveState,
  makeSlug,
  noteChange,
  replaceText,
} from './post-form-state.ts'
import { slugWhileTyping } from './post-values.ts'
import { forgetUnansweredCreate, makeSaver, type Saver, type StoredVersion } from './save-post.ts'
import { type SubmitNeeds, submit } from './submit-post.ts'
import { restoreTextImages } from './text-images.ts'
import { useDraft } from './use-draft.ts'

/** @param opened the post being edited; a new one is written without it */
export function usePostForm(opened: PostDocument | undefined, userId: string) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const viewer = useViewer()
  const editor = useRef<EditorHandle>(null)
  const [state, setState] = useState(() => makeFormState(opened))
  const [live] = useState(() => makeLiveState(opened))
  const update = useCallback<FormParts['update']>(
    (change) => setState((now) => ({ ...now, ...change(now) })),
    [],
  )
  const [saver] = useState(() => makeApiSaver(api, (progress) => update(() => ({ progress }))))
  const drafts = useDraft({
    post: opened,
    userId,
    read: () => readValues({ state, live, editor }),
  })
  const draft = drafts.own
  useEffect(() => {
    live.isLeft = false
    return () => {
      live.isLeft = true
    }
  }, [live])
  const form: SubmitNeeds = {
    opened,
    userId,
    api,
    navigate,
    toasts,
    editor,
    state,
    update,
    live,
    saver,
    draft,
  }
  return {
    ...state,
    editor,
    otherDrafts: drafts.others,
    hasNoRoom: drafts.hasNoRoom,
    isUnsaved: () => live.isUnsaved,
    preview: () => readPreview(state, editor.current),
    handleLeave() {
      live.isLeft = true
    },
    handleSubmit(event: FormEvent) {
      event.preventDefault()
      submit(form, findOpenedVersion(form))
    },
    changeTitle: (title: string) => changeTitle(form, title),
    changeSlug: (typed: string) => changeFields(form, { slug: makeSlug(form, typed) }),
    changeStatus: (status: PostStatus) => changeFields(form, { status }),
    changeImage: (image: File | undefined) => changeFields(form, { image }),
    changeContent: () => noteChange(form),
    restore: (other: Draft) => restore(form, other),
    discard: (other: Draft) => discardOther(draft, other),
    keepOwn: () => keepOwn(form),
    takeSaved: () => takeSaved(form),
    decideLater: () => update(() => ({ conflict: undefined })),
    signInAgain: () => signInAgain(form, viewer),
  }
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
function readPreview(
  { fields, post, startHtml }: FormParts['state'],
  editor: EditorHandle | null,
): Omit<PreviewPost, 'userName' | 'userAvatar'> {
  return {
    slug: fields.slug,
    title: fields.title,
    content: editor?.peek() ?? startHtml,
    cover: fields.image ?? post?.featuredImage,
    createdAt: post?.$createdAt,
  }
}

function readValues({
  state: { fields, startHtml },
  live,
  editor,
}: Pick<FormParts, 'state' | 'live' | 'editor'>): ReturnType<FormDraft['read']> {
  const { title, slug, status } = fields
  const content = editor.current?.peek() ?? startHtml
  return { title, slug, status, content, basedOn: live.basedOn }
}

/** The version to save over, unless it is no longer the newest. */
function findOpenedVersion({ state: { post }, live }: FormParts): StoredVersion | undefined {
  return post && { featuredImage: post.featuredImage, $updatedAt: live.basedOn ?? post.$updatedAt }
}

/** Puts another draft into the form. What was in the form becomes one of the other drafts. */
function restore(form: SubmitNeeds, other: Draft): void {
  const { opened, live, api, userId, editor } = form
  restoreDraft(form.draft, other)
  forgetUnansweredCreate(form.saver)
  live.basedOn = other.basedOn ?? opened?.$updatedAt
  const slug = opened?.$id ?? (other.slug || slugWhileTyping(other.title, Date.now()))
  replaceText(form, { ...other, slug })
  live.isUnsaved = true
  void restoreTextImages(api, { userId, html: other.content }).then((hasRestored) => {
    if (hasRestored) editor.current?.reloadImages()
  })
}

/**
 * Saves the own text over the version that came in between. The featured image is the newer one,
 * unless another was chosen.
 */
function keepOwn(form: SubmitNeeds): void {
  const { conflict } = form.state
  if (!conflict) return
  continueFrom(form, conflict.saved)
  submit(form, conflict.saved)
}

/**
 * Continues with the version that came in between; the own text becomes one of the other drafts.
 */
function takeSaved(form: FormParts): void {
  const { conflict } = form.state
  if (!conflict) return
  noteChange(form)
  setAside(form.draft)
  continueFrom(form, conflict.saved)
  replaceText(form, { ...conflict.saved, slug: conflict.saved.$id })
  form.live.isUnsaved = false
}

function continueFrom({ live, update }: FormParts, post: PostDocument): void {
  live.basedOn = post.$updatedAt
  update(() => ({ post, conflict: undefined }))
}

/**
 * Asks who is signed in. If it is nobody, the page goes to /login and back, and the draft waits on
 * this device. If it is somebody else, the draft waits there for its writer, and the form is empty.
 */
async function signInAgain(form: SubmitNeeds, viewer: Pick<Viewer, 'refresh'>): Promise<void> {
  const { api, userId, toasts, live, editor } = form
  writeDraft(form.draft)
  const account = await getAccount(api)
  if (account.ok && account.value.$id === userId) {
    form.update(() => ({ failure: undefined }))
    toasts.show({ kind: 'ok', text: texts.signedInAgain.same })
    return editor.current?.focus()
  }
  if (!account.ok && account.failure.code !== 401)
    return toasts.show({ kind: 'error', text: texts.failures.noAnswer })
  live.isUnsaved = false
  if (account.ok) toasts.show({ kind: 'ok', text: texts.signedInAgain.other(account.value.name) })
  await viewer.refresh()
}
