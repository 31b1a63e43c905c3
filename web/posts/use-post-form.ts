// What happens in the post form: the fields, when they are checked, and saving. Knows nothing of how it looks.

import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument, PostStatus } from '#contract/posts.ts'
import { useApi } from '../api/api-context.tsx'
import { type UploadProgress, uploadImage } from '../files/files-api.ts'
import { useToasts } from '../ui/toasts.tsx'
import type { EditorHandle } from './editor.tsx'
import { forgetFeed, refreshInFeed } from './feed-pages.ts'
import { type DraftProblems, findProblems, type PostDraft, slugWhileTyping } from './post-draft.ts'
import { createPost, findPost, updatePost } from './posts-api.ts'
import { makeSaver, type SaveAnswer, type SaveCalls, saveFailureText } from './save-post.ts'

type Fields = { title: string; slug: string; status: PostStatus; image: File | undefined }

/** @param post the one being edited; a new one is written without it */
export function usePostForm(post: PostDocument | undefined, userId: string) {
  const navigate = useNavigate()
  const toasts = useToasts()
  const [fields, setFields] = useState<Fields>({
    title: post?.title ?? '',
    slug: post?.$id ?? '',
    status: post?.status ?? 'active',
    image: undefined,
  })
  const [problems, setProblems] = useState<DraftProblems>({})
  const [tries, setTries] = useState(0)
  const [failureText, setFailureText] = useState<string | undefined>()
  const [isSaving, setSaving] = useState(false)
  const { saver, progress, setProgress } = useSaver()
  const editor = useRef<EditorHandle>(null)
  const isUnsaved = useRef(false)
  const isBusy = useRef(false)

  function change(changes: Partial<Fields>) {
    if (isBusy.current) return
    isUnsaved.current = true
    const next = { ...fields, ...changes }
    setFields(next)
    // Once told, a problem goes as soon as it is fixed (design §4). A text that is too long is measured only on saving.
    if (tries > 0) setProblems({ ...findProblems({ ...next, content: '' }, hasImage(next)), ...(problems.content && { content: problems.content }) })
  }
  function hasImage({ image }: Fields): boolean {
    return image !== undefined || Boolean(post?.featuredImage)
  }

  async function save() {
    const content = await readContent()
    if (content === false) return setFailureText('This could not be saved. An image in the text could not be stored. Your text is still here.')
    const draft: PostDraft = { title: fields.title, slug: fields.slug, status: fields.status, content }
    const found = findProblems(draft, hasImage(fields))
    setProblems(found)
    setTries((before) => before + 1)
    if (Object.keys(found).length > 0) return
    setSaving(true)
    setProgress(fields.image && { sentBytes: 0, totalBytes: fields.image.size })
    const answer = await send(draft)
    setSaving(false)
    if ('failure' in answer) return setFailureText(saveFailureText(answer.failure))
    await leaveTo(answer.post)
  }
  async function readContent(): Promise<string | false> {
    return (await editor.current?.read()) ?? post?.content ?? ''
  }
  async function send(draft: PostDraft): Promise<SaveAnswer> {
    const { image } = fields
    if (post) return saver.update(draft, { image, currentImage: post.featuredImage })
    if (!image) throw new Error('A new post was sent on without its image')
    return saver.create(draft, { image, userId })
  }
  async function leaveTo(saved: PostDocument) {
    isUnsaved.current = false
    if (post && post.status === saved.status) refreshInFeed(saved)
    else forgetFeed()
    await navigate(`/post/${saved.$id}`, { replace: true }) // "Back" must not lead to a form that is done
    toasts.show({ kind: 'ok', text: saved.status === 'inactive' ? 'Saved as inactive.' : post ? 'Post saved.' : 'Post published.' })
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    setFailureText(undefined)
    void save().finally(() => {
      isBusy.current = false
    })
  }

  return {
    fields,
    problems,
    /** How often saving was tried: a new summary takes the focus each time. */
    tries,
    failureText,
    isSaving,
    progress: isSaving ? progress : undefined,
    editor,
    isUnsaved: () => isUnsaved.current,
    handleSubmit,
    changeTitle: (title: string) => change(post ? { title } : { title, slug: slugWhileTyping(title, Date.now()) }),
    changeSlug: (value: string) => change({ slug: slugWhileTyping(value, Date.now()) }),
    changeStatus: (status: PostStatus) => change({ status }),
    changeImage: (image: File | undefined) => change({ image }),
    changeContent: () => {
      isUnsaved.current = true
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
      uploadImage: (file, report) => uploadImage(api, contentBucketId, { file, report, onProgress: setProgress }),
      createPost: (slug, values, report) => createPost(api, slug, { values, report }),
      updatePost: (slug, values, report) => updatePost(api, slug, { values, report }),
      findPost: (slug) => findPost(api, slug),
      now: Date.now,
    }
    return makeSaver(calls)
  })
  return { saver, progress, setProgress }
}
