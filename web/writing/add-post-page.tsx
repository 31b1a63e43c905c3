// /add-post: the empty form. Once its text is stored as a draft, the address of the window is that
// of the draft, while the form stays as it is: a reload goes on with it.

import { useState } from 'react'
import { useLocation } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { PostForm } from './post-form.tsx'

export function AddPostPage() {
  const { settings } = useApi()
  const viewer = useViewer()
  // When the session ends, the form stays with what was typed.
  const userData = viewer.userData ?? viewer.signedOutUser
  const { formKey, handleStored } = useFormKey()
  return (
    <>
      <PageTitle screen={texts.places.newPost} site={settings.siteName} />
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
function useFormKey() {
  const { key } = useLocation()
  const [formKey, setFormKey] = useState('')
  const [storedAt, setStoredAt] = useState<string | undefined>()
  if (storedAt !== undefined && storedAt !== key) {
    setStoredAt(undefined)
    setFormKey(key)
  }
  return {
    formKey,
    handleStored(slug: string) {
      window.history.replaceState(window.history.state, '', `/edit-post/${slug}`)
      setStoredAt(key)
    },
  }
}
