// /add-post: the empty form. Once its text is stored as a draft, the address of the window is that
// of the draft, while the form stays as it is: a reload goes on with it.
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useIsReader, useViewer } from '../accounts/viewer.tsx'
import { findStored, store } from '../head/device-storage.ts'
import { texts } from '../locales/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { PostForm } from './post-form.tsx'

export function AddPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with what was typed.
  const userData = viewer.userData ?? viewer.signedOutUser
  const isReader = useIsReader()
  const { formKey, handleStored } = useFormKey(userData?.$id)
  const before = useStoredBefore(userData?.$id)
  if (isReader) return <ReadersOnly />
  if (before !== undefined) return <Navigate to={`/edit-post/${before}`} replace />
  return (
    <>
      <PageTitle screen={texts.places.newPost} />
      {userData && (
        <PostForm
          key={`${userData.$id} ${formKey}`}
          name={texts.places.newPost}
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

/** "addPost", pressed where a draft was stored, begins another post. */
function useFormKey(userId: string | undefined) {
  const { key } = useLocation()
  const [formKey, setFormKey] = useState('')
  const [storedAt, setStoredAt] = useState<string | undefined>()
  if (storedAt !== undefined && storedAt !== key) {
    setStoredAt(undefined)
    setFormKey(key)
  }
  useEffect(() => forgetStoredDraft, [formKey])
  return {
    formKey,
    handleStored(slug: string) {
      window.history.replaceState(window.history.state, '', `/edit-post/${slug}`)
      setStoredAt(key)
      if (userId) rememberStoredDraft({ userId, slug })
    },
  }
}

let isFollowed = false

/** Once in a document: the next press of "addPost" begins another post. */
function useStoredBefore(userId: string | undefined): string | undefined {
  const isHydrated = useIsHydrated()
  const before = isHydrated && !isFollowed ? findStoredAtLast(userId) : undefined
  useEffect(() => {
    if (before !== undefined) isFollowed = true
  }, [before])
  return before
}

// A new draft may be stored in the moment in which its window is reloaded: the answer still comes,
// and the address of the draft does not, because a reload goes to the address where it began. The
// tab remembers the draft, so that the form which opens instead leads to it.

const STORAGE_KEY = 'stored-draft'
const PATH = '/add-post'

type Stored = { userId: string; slug: string }

/** What this document was opened in place of. */
const atOpening = typeof window === 'undefined' ? undefined : takeAtOpening()

/** @returns the draft that the reloaded form had become, if this person wrote it */
function findStoredAtLast(userId: string | undefined): string | undefined {
  return atOpening && atOpening.userId === userId ? atOpening.slug : undefined
}

/** As long as the form that was stored is on the screen. */
function rememberStoredDraft(stored: Stored): void {
  // Where site data is blocked, the draft is on the dashboard.
  store(STORAGE_KEY, JSON.stringify(stored), 'sessionStorage')
}

function forgetStoredDraft(): void {
  store(STORAGE_KEY, undefined, 'sessionStorage')
}

function takeAtOpening(): Stored | undefined {
  try {
    const text = findStored(STORAGE_KEY, 'sessionStorage')
    forgetStoredDraft()
    const [opening] = performance.getEntriesByType('navigation')
    const isReload = opening instanceof PerformanceNavigationTiming && opening.type === 'reload'
    if (!text || !isReload || new URL(opening.name).pathname !== PATH) return undefined
    const { userId, slug } = JSON.parse(text) as Partial<Stored>
    return userId && slug ? { userId, slug } : undefined
  } catch {
    return undefined
  }
}
