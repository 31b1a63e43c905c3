// What happens in the post form: the fields, when they are checked, saving, and the copy on this
// device. Knows nothing of how it looks. In one piece because all of it is about one state: the
// text that must not get lost.

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument, PostStatus } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { type Failure, NO_ANSWER, succeed } from '../api/result.ts'
import type { LocalDraft } from '../drafts/draft-store.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import { forgetFeed, refreshInFeed } from '../feed/feed-pages.ts'
import { type UploadProgress, uploadImage } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { createPost, getPost, updatePost } from '../posts/posts-api.ts'
import { trueReasonOf } from '../posts/true-reason.ts'
import { useToasts } from '../ui/toasts.tsx'
import { type DraftProblems, findProblems, type PostDraft, slugWhileTyping } from './post-values.ts'
import {
  leftFailureText,
  makeSaver,
  type SaveAnswer,
  type SaveCalls,
  type StoredVersion,
  saveFailureText,
} from './save-post.ts'
import { useLocalDraft } from './use-draft.ts'

type Fields = { title: string; slug: string; status: PostStatus; image: File | undefined }

/** Two versions of one post, one of which is to be chosen. */
export type Conflict = { own: PostDraft; saved: PostDocument }

/** @param opened the post being edited; a new one is written without it */
export function usePostForm(opened: PostDocument | undefined, userId: string) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const viewer = useViewer()
  const [post, setPost] = useState(opened)
  const [fields, setFields] = useState<Fields>({
    title: opened?.title ?? '',
    slug: opened?.$id ?? '',
    status: opened?.status ?? 'active',
    image: undefined,
  })
  const [startHtml, setStartHtml] = useState(opened?.content ?? '')
  const [problems, setProblems] = useState<DraftProblems>({})
  const [tries, setTries] = useState(0)
  const [failure, setFailure] = useState<{ text: string; isSignedOut?: boolean } | undefined>()
  const [conflict, setConflict] = useState<Conflict | undefined>()
  const [isSaving, setSaving] = useState(false)
  const { saver, progress, setProgress } = useSaver()
  const editor = useRef<EditorHandle>(null)
  /** The version that the form's text goes back to. */
  const basedOn = useRef(opened?.$updatedAt)
  const isUnsaved = useRef(false)
  const isBusy = useRef(false)
  /** The form is no longer on the screen; saving may still be under way. */
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const local = useLocalDraft({ post: opened, userId, read: readNow })

  function readNow() {
    const { title, slug, status } = fields
    return {
      title,
      slug,
      status,
      content: editor.current?.peek() ?? startHtml,
      basedOn: basedOn.current,
    }
  }
  function noteChange() {
    isUnsaved.current = true
    local.touch()
  }
  function change(changes: Partial<Fields>) {
    if (isBusy.current) return
    const next = { ...fields, ...changes }
    setFields(next)
    noteChange()
    // Once told, a problem goes as soon as it is fixed. A text that is too long is measured only on
    // saving.
    if (tries > 0)
      setProblems({
        ...findProblems({ ...next, content: '' }, hasImage(next)),
        ...(problems.content && { content: problems.content }),
      })
  }
  /** Puts another text into the form. */
  function fill({ title, slug, status, content }: PostDraft) {
    setFields((now) => ({ ...now, title, slug, status }))
    setStartHtml(content)
    editor.current?.write(content)
    setProblems({})
  }
  /** A post that may be there already keeps its id, whatever is typed (product.md §O38). */
  function makeSlug(value: string): string {
    return saver.begunSlug() ?? slugWhileTyping(value, Date.now())
  }
  function hasImage({ image }: Fields): boolean {
    return image !== undefined || Boolean(post?.featuredImage)
  }

  async function save(version: StoredVersion | undefined) {
    const { title, slug, status } = fields
    setTries((before) => before + 1)
    const missing = findProblems({ title, slug, status, content: '' }, hasImage(fields))
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    if (!navigator.onLine) return tellFailure(NO_ANSWER) // at once, not after the retries of an upload
    setSaving(true)
    setProgress(undefined)
    const content = (await editor.current?.read()) ?? succeed(startHtml)
    if (!content.ok) {
      const { code, message } = content.failure
      await tellFailure(
        code === 401
          ? content.failure
          : { code: 400, type: '', message: texts.savingFailures.imageInText(message) },
      )
      return setSaving(false)
    }
    const draft: PostDraft = { title, slug, status, content: content.value }
    const found = findProblems(draft, hasImage(fields))
    setProblems(found)
    if (Object.keys(found).length > 0) return setSaving(false)
    setProgress(fields.image && { sentBytes: 0, totalBytes: fields.image.size })
    const answer = await send(draft, version)
    if ('failure' in answer) await tellFailure(answer.failure)
    setSaving(false)
    if ('conflict' in answer) tellConflict({ own: draft, saved: answer.conflict })
    if ('post' in answer) await leaveTo(answer.post)
  }
  async function send(draft: PostDraft, version: StoredVersion | undefined): Promise<SaveAnswer> {
    const { image } = fields
    if (version) return saver.update(draft, { image, stored: version })
    if (!image) throw new Error('A new post was sent on without its image')
    return saver.create(draft, { image, userId })
  }
  async function tellFailure(answered: Failure) {
    local.flush()
    const told = opened ? await trueReasonOf(answered, userId, () => getAccount(api)) : answered
    const isDeleted = told.type === 'document_not_found' && opened !== undefined
    if (isDeleted) void local.setFree()
    if (isLeft.current) return tellLeft(leftFailureText(told), isDeleted)
    if (!navigator.onLine) toasts.show({ kind: 'error', text: texts.savingFailures.offline })
    setFailure({ text: saveFailureText(told), isSignedOut: told.code === 401 })
  }
  function tellConflict(found: Conflict) {
    if (isLeft.current)
      tellLeft(leftFailureText({ message: texts.conflict.told, code: 400, type: '' }))
    else setConflict(found)
  }
  /** The writer is elsewhere: nothing may happen there but a word, with the way back. */
  function tellLeft(text: string, isDeleted = false) {
    const path = opened && !isDeleted ? `/edit-post/${opened.$id}` : '/add-post'
    toasts.show({
      kind: 'error',
      text,
      action: { label: texts.savingFailures.toText, onPress: () => void navigate(path) },
    })
  }
  async function leaveTo(saved: PostDocument) {
    isUnsaved.current = false
    await local.forget()
    if (opened && opened.status === saved.status) refreshInFeed(saved)
    else forgetFeed()
    const path = `/post/${saved.$id}`
    const text =
      saved.status === 'inactive'
        ? texts.saved.inactive
        : opened
          ? texts.saved.active
          : texts.saved.published
    if (isLeft.current)
      return toasts.show({
        kind: 'ok',
        text,
        action: { label: texts.saved.open, onPress: () => void navigate(path) },
      })
    await navigate(path, { replace: true }) // "Back" must not lead to a form that is done
    toasts.show({ kind: 'ok', text })
  }
  /** Saves once, however often it is asked for meanwhile. */
  function start(version: StoredVersion | undefined) {
    if (isBusy.current) return
    isBusy.current = true
    setFailure(undefined)
    local.flush()
    const letGo = local.holdBack()
    void save(version).finally(() => {
      isBusy.current = false
      letGo()
    })
  }
  /** The version to save over, unless it is no longer the newest. */
  function openedVersion(): StoredVersion | undefined {
    return (
      post && { featuredImage: post.featuredImage, $updatedAt: basedOn.current ?? post.$updatedAt }
    )
  }
  function takeVersion(saved: PostDocument) {
    setPost(saved)
    basedOn.current = saved.$updatedAt
    setConflict(undefined)
  }

  return {
    fields,
    /** The post as it was opened, or as it was found to be meanwhile. */
    post,
    startHtml,
    problems,
    /** How often saving was tried: a new summary takes the focus each time. */
    tries,
    failure,
    isSaving,
    progress: isSaving ? progress : undefined,
    editor,
    local,
    isUnsaved: () => isUnsaved.current,
    handleSubmit(event: FormEvent) {
      event.preventDefault()
      start(openedVersion())
    },
    changeTitle: (title: string) => change(opened ? { title } : { title, slug: makeSlug(title) }),
    changeSlug: (value: string) => change({ slug: makeSlug(value) }),
    changeStatus: (status: PostStatus) => change({ status }),
    changeImage: (image: File | undefined) => change({ image }),
    changeContent: noteChange,
    /** Puts an offered draft into the form. What was in it is offered in turn. */
    restore(draft: LocalDraft) {
      local.takeUp(draft)
      saver.startAnew()
      basedOn.current = draft.basedOn ?? opened?.$updatedAt
      fill({
        ...draft,
        slug: opened?.$id ?? (draft.slug || slugWhileTyping(draft.title, Date.now())),
      })
      isUnsaved.current = true
    },
    conflict,
    /**
     * Saves the own text over the version that came in between. The featured image is the newer
     * one, unless another was chosen.
     */
    keepOwn() {
      if (!conflict) return
      takeVersion(conflict.saved)
      start(conflict.saved)
    },
    /**
     * Goes on with the version that came in between; the own text stays on this device and is
     * offered.
     */
    takeSaved() {
      if (!conflict) return
      noteChange()
      local.setAside()
      takeVersion(conflict.saved)
      fill({ ...conflict.saved, slug: conflict.saved.$id })
      isUnsaved.current = false
    },
    decideLater: () => setConflict(undefined),
    /**
     * Asks who is signed in. Nobody: the page moves to /login and back, and the text waits on this
     * device. Somebody else: it waits there for its writer, and the form begins anew.
     */
    async signInAgain() {
      local.flush()
      const answer = await getAccount(api)
      if (answer.ok && answer.value.$id === userId) {
        setFailure(undefined)
        toasts.show({ kind: 'ok', text: texts.signedInAgain.same })
        return editor.current?.focus()
      }
      if (!answer.ok && answer.failure.code !== 401)
        return toasts.show({ kind: 'error', text: texts.failures.noAnswer })
      isUnsaved.current = false
      if (answer.ok) toasts.show({ kind: 'ok', text: texts.signedInAgain.other(answer.value.name) })
      await viewer.refresh()
    },
  }
}

/** One saver for the life of the form: it remembers what was sent already. */
function useSaver() {
  const api = useApi()
  const [progress, setProgress] = useState<UploadProgress | undefined>()
  const [saver] = useState(() => {
    const { contentBucketId } = api.settings
    const calls: SaveCalls = {
      uploadImage: (file) => uploadImage(api, contentBucketId, { file, onProgress: setProgress }),
      createPost: (slug, values) => createPost(api, slug, values),
      updatePost: (slug, change) => updatePost(api, slug, change),
      getPost: (slug) => getPost(api, slug),
      now: Date.now,
    }
    return makeSaver(calls)
  })
  return { saver, progress, setProgress }
}
