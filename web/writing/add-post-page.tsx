// /add-post: the empty form. Once its text is stored as a draft, the form stays, and the window
// shows the address of the draft, so that a reload opens it.
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { isOperator, useIsReader, useViewer } from '../accounts/viewer.tsx'
import { findStored, store } from '../head/device-storage.ts'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { PostForm } from './post-form.tsx'

export function AddPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with the typed text.
  const userData = viewer.userData ?? viewer.signedOutUser
  const isReader = useIsReader()
  const { formKey, handleStored } = useFormKey(userData?.$id)
  const reloadedSlug = useReloadedDraft(userData?.$id)
  const { search } = useLocation()
  const isNewPage = isOperator(userData) && new URLSearchParams(search).has('page')
  const title = isNewPage ? texts.pageForm.add : texts.places.newPost
  if (isReader) return <ReadersOnly />
  if (reloadedSlug !== undefined) return <Navigate to={`/edit-post/${reloadedSlug}`} replace />
  return (
    <>
      <PageTitle screen={title} />
      {userData && (
        <PostForm
          key={`${userData.$id} ${formKey} ${isNewPage}`}
          name={title}
          isNewPage={isNewPage}
          userId={userData.$id}
          onStored={handleStored}
        />
      )}
    </>
  )
}

function ReadersOnly() {
  const { title, text } = texts.readersOnly
  return (
    <MessageScreen
      screen={texts.places.newPost}
      art="off"
      title={title}
      actions={<ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
    >
      <p>{text}</p>
    </MessageScreen>
  )
}

/** "addPost" begins another post, also when the form on the page was stored as a draft. */
function useFormKey(userId: string | undefined) {
  const { key } = useLocation()
  const [formKey, setFormKey] = useState('')
  const [storedKey, setStoredKey] = useState<string | undefined>()
  if (storedKey !== undefined && storedKey !== key) {
    setStoredKey(undefined)
    setFormKey(key)
  }
  useEffect(() => forgetStoredDraft, [formKey])
  return {
    formKey,
    handleStored(slug: string) {
      window.history.replaceState(window.history.state, '', `/edit-post/${slug}`)
      setStoredKey(key)
      // If site data is blocked, a reload shows an empty form; the draft is on the dashboard.
      if (userId) store(STORAGE_KEY, JSON.stringify({ userId, slug }), 'sessionStorage')
    },
  }
}

let isReloadedDraftOpened = false

/** Once per document: the next press of "addPost" begins another post. */
function useReloadedDraft(userId: string | undefined): string | undefined {
  const isHydrated = useIsHydrated()
  const isOwn = reloadedDraft?.userId === userId
  const slug = isHydrated && isOwn && !isReloadedDraftOpened ? reloadedDraft?.slug : undefined
  useEffect(() => {
    if (slug !== undefined) isReloadedDraftOpened = true
  }, [slug])
  return slug
}

// A new draft may be stored while its window is being reloaded: the reload opens /add-post, not the
// address of the draft. The tab remembers the draft, so that the new form leads to it.

const STORAGE_KEY = 'stored-draft'
const PATH = '/add-post'

type StoredDraft = { userId: string; slug: string }

/** The draft that the document before the reload had stored. */
const reloadedDraft = typeof window === 'undefined' ? undefined : takeReloadedDraft()

function forgetStoredDraft(): void {
  store(STORAGE_KEY, undefined, 'sessionStorage')
}

function takeReloadedDraft(): StoredDraft | undefined {
  try {
    const text = findStored(STORAGE_KEY, 'sessionStorage')
    forgetStoredDraft()
    const [entry] = performance.getEntriesByType('navigation')
    const isReload = entry instanceof PerformanceNavigationTiming && entry.type === 'reload'
    if (!text || !isReload || new URL(entry.name).pathname !== PATH) return undefined
    const { userId, slug } = JSON.parse(text) as Partial<StoredDraft>
    return userId && slug ? { userId, slug } : undefined
  } catch {
    return undefined
  }
}
