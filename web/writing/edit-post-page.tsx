// /edit-post/:slug: the form for changing a post, for its author only.
import { useEffect } from 'react'
import { useParams } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import type { Api } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import { draftStore } from '../drafts/draft-store.ts'
import { texts } from '../locales/texts.ts'
import { getPost } from '../posts/posts-api.ts'
import { ForeignPost, PostNotFound, useOwnerData } from '../reading/post-states.tsx'
import { SessionEnded } from '../shell/session-ended.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { PostForm } from './post-form.tsx'

export function EditPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with the typed text.
  const userData = viewer.userData ?? viewer.signedOutUser
  const userId = userData?.$id ?? ''
  const { slug = '' } = useParams()
  const initial = useInitialData<PostDocument>(userId)
  const load = (api: Api) => getPost(api, slug)
  const { result, retry } = useOwnerData(userId, { key: slug, load, initial })
  const post = result?.ok ? result.value : undefined
  const failureCode = result?.ok === false ? result.failure.code : undefined
  const isGone = failureCode === 404
  useEffect(() => {
    if (isGone && userId) void draftStore.detachAll({ userId, postId: slug })
  }, [isGone, userId, slug])
  // The server answers 400 to an address that no post can have.
  if (isGone || failureCode === 400) return <PostNotFound />
  // Without a form on the page, no text can be lost.
  if (viewer.wasSignedOut && !post) return <SessionEnded />
  const isForeign = post && post.userid !== userId && !(post.page && isOperator(userData))
  if (failureCode === 403 || isForeign) return <ForeignPost />
  const title = post?.page ? texts.pageForm.edit : texts.editPost.title
  return (
    <>
      <PageTitle screen={title} />
      {!post && (
        <div className="apart page-head">
          <h1>{texts.editPost.title}</h1>
          {!result && <LoadingText>{texts.loading.post}</LoadingText>}
        </div>
      )}
      {failureCode !== undefined && (
        <LoadFailure isInline text={texts.editPost.failed} onRetry={retry} />
      )}
      {post && <PostForm key={`${userId} ${post.$id}`} name={title} post={post} userId={userId} />}
    </>
  )
}
