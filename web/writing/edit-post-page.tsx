// /edit-post/:slug: the form for changing a post, for its author only.
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { draftStore } from '../drafts/draft-store.ts'
import { texts } from '../locales/texts.ts'
import { useOwnPost } from '../reading/use-own-post.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { PostForm } from './post-form.tsx'

export function EditPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with the typed text.
  const userData = viewer.userData ?? viewer.signedOutUser
  const userId = userData?.$id ?? ''
  const { slug = '' } = useParams()
  const { post, isGone, isLoading, refusal, loadFailure } = useOwnPost(slug, userData)
  useEffect(() => {
    if (isGone && userId) void draftStore.detachAll({ userId, postId: slug })
  }, [isGone, userId, slug])
  if (refusal) return refusal
  const title = post?.page ? texts.pageForm.edit : texts.editPost.title
  return (
    <>
      <PageTitle screen={title} />
      {!post && (
        <div className="apart page-head">
          <h1>{texts.editPost.title}</h1>
          {isLoading && <LoadingText>{texts.loading.post}</LoadingText>}
        </div>
      )}
      {loadFailure}
      {post && <PostForm key={`${userId} ${post.$id}`} name={title} post={post} userId={userId} />}
    </>
  )
}
