// /add-post: the empty form. Once its text is stored as a draft, the address of the window is that
// of the draft, while the form stays as it is: a reload goes on with it.
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { PostForm } from './post-form.tsx'
import { findStoredAtLast, forgetStoredDraft, noteStoredDraft } from './stored-at-last.ts'

export function AddPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with what was typed.
  const userData = viewer.userData ?? viewer.signedOutUser
  const { formKey, handleStored } = useFormKey(userData?.$id)
  const before = useStoredBefore(userData?.$id)
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

/** "addPost", pressed where a draft was stored, begins another post. */
function useFormKey(userId: string | undefined) {
  const { key } = useLocation()
  const [formKey, setFormKey] = useState('')
  const [storedAt, setStoredAt] = useState<string | undefined>()
  if (storedAt !== undefined && storedAt !== key) {
    setStoredAt(undefined)
    setFormKey(key)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each form begins without one
  useEffect(() => forgetStoredDraft, [formKey])
  return {
    formKey,
    handleStored(slug: string) {
      window.history.replaceState(window.history.state, '', `/edit-post/${slug}`)
      setStoredAt(key)
      if (userId) noteStoredDraft({ userId, slug })
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
