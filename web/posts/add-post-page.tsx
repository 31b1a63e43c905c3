// /add-post: the empty form.

import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PostForm } from './post-form.tsx'

export function AddPostPage() {
  const { settings } = useApi()
  const { userData } = useViewer()
  return (
    <>
      <PageTitle screen="New post" site={settings.siteName} />
      <div className="page-head">
        <h1>New post</h1>
      </div>
      {userData && <PostForm name="New post" userId={userData.$id} />}
    </>
  )
}
