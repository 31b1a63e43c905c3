// /edit-post/:slug: the form for changing a post, for its author only.
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import type { Result } from '../api/result.ts'
import { detachDrafts } from '../drafts/drafts.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'
import { getPost } from '../posts/posts-api.ts'
import { ForeignPost, PostNotFound } from '../reading/post-states.tsx'
import { SessionEnded } from '../shell/session-ended.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PostForm } from './post-form.tsx'

/** `impossible` is an address that no post can have. */
type Found = { post: PostDocument } | 'pending' | 'gone' | 'impossible' | 'foreign' | 'failed'

export function EditPostPage() {
  const viewer = useViewer()
  // When the session ends, the form stays with what was typed.
  const userData = viewer.userData ?? viewer.signedOutUser
  const { slug = '' } = useParams()
  const { found, retry } = useStoredPost(slug, userData?.$id)
  const isGone = found === 'gone'
  useEffect(() => {
    if (isGone && userData) void detachDrafts({ userId: userData.$id, postId: slug })
  }, [isGone, userData, slug])
  if (isGone || found === 'impossible') return <PostNotFound />
  // Before there is a form, nothing can be lost with it.
  if (viewer.wasSignedOut && typeof found !== 'object') return <SessionEnded />
  const isForeign =
    found === 'foreign' || (typeof found === 'object' && found.post.userid !== userData?.$id)
  if (isForeign) return <ForeignPost />
  return (
    <>
      <PageTitle screen={texts.editPost.title} />
      {typeof found !== 'object' && (
        <div className="page-head">
          <h1>{texts.editPost.title}</h1>
          {found === 'pending' && <LoadingText>{texts.waiting.post}</LoadingText>}
        </div>
      )}
      {found === 'failed' && <LoadFailure isPart text={texts.editPost.failed} onRetry={retry} />}
      {typeof found === 'object' && userData && (
        <PostForm
          key={`${userData.$id} ${found.post.$id}`}
          name={texts.editPost.title}
          post={found.post}
          userId={userData.$id}
        />
      )}
    </>
  )
}

function useStoredPost(slug: string, userId: string | undefined) {
  const api = useApi()
  const { refresh } = useViewer()
  const first = useFirstData<PostDocument>(userId)
  const [answer, setAnswer] = useState<{ slug: string; found: Found }>({
    slug,
    found: first ? foundAtFirst(first) : 'pending',
  })
  const [attempt, setAttempt] = useState(0)
  const isFirst = useRef(first !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    const isAnswered = isFirst.current
    isFirst.current = false
    if (isAnswered) return
    let isCurrent = true
    async function ask(): Promise<Found> {
      const answer = await getPost(api, slug)
      if (answer.ok) return { post: answer.value }
      const reason = await causeOf(answer.failure, userId ?? '', () => getAccount(api))
      // The session has ended, or another person is signed in: the page must know it.
      if (reason.code === 401 && isCurrent) await refresh()
      if (reason.code === 404) return 'gone'
      return reason.code === 400 ? 'impossible' : 'failed'
    }
    setAnswer({ slug, found: 'pending' })
    void ask().then((found) => {
      if (isCurrent) setAnswer({ slug, found })
    })
    return () => {
      isCurrent = false
    }
  }, [api, slug, attempt, userId])
  return {
    found: answer.slug === slug ? answer.found : 'pending',
    retry: () => setAttempt(attempt + 1),
  } as const
}

/** What the server got, with the session that it had looked up just before. */
function foundAtFirst(first: Result<PostDocument>): Found {
  if (first.ok) return { post: first.value }
  if (first.failure.code === 403) return 'foreign'
  if (first.failure.code === 404) return 'gone'
  return first.failure.code === 400 ? 'impossible' : 'failed'
}
