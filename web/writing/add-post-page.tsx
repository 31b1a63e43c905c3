// /add-post: the empty form.

import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { PostForm } from './post-form.tsx'

export function AddPostPage() {
  const { settings } = useApi()
  const { userData } = useViewer()
  return (
    <>
      <PageTitle screen={texts.places.newPost} site={settings.siteName} />
      {userData && (
        <PostForm key={userData.$id} name={texts.places.newPost} userId={userData.$id} />
      )}
    </>
  )
}
