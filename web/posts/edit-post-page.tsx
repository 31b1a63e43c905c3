// /edit-post/:slug: the form with a post in it, for its author only.

import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { adoptDrafts } from './local-drafts.ts'
import { PostForm } from './post-form.tsx'
import { PostNotHere } from './post-states.tsx'
import { findPost } from './posts-api.ts'

type Found = { post: PostDocument } | 'pending' | 'missing' | 'failed'

export function EditPostPage() {
  const { settings } = useApi()
  const { userData } = useViewer()
  const { slug = '' } = useParams()
  const { found, retry } = useStoredPost(slug)
  const isMissing = found === 'missing'
  useEffect(() => {
    if (isMissing && userData) void adoptDrafts({ userId: userData.$id, postId: slug })
  }, [isMissing, userData, slug])
  if (isMissing) return <PostNotHere />
  const isForeign = typeof found === 'object' && found.post.userid !== userData?.$id
  if (isForeign) return <NotYours site={settings.siteName} />
  return (
    <>
      <PageTitle screen={texts.editPost.title} site={settings.siteName} />
      <div className="page-head">
        <h1>{texts.editPost.title}</h1>
        {found === 'pending' && <LoadingText>{texts.waiting.post}</LoadingText>}
      </div>
      {found === 'failed' && <LoadFailed onRetry={retry} />}
      {typeof found === 'object' && userData && <PostForm key={found.post.$id} name={texts.editPost.title} post={found.post} userId={userData.$id} />}
    </>
  )
}

function useStoredPost(slug: string) {
  const api = useApi()
  const [answer, setAnswer] = useState<{ slug: string; found: Found }>({ slug, found: 'pending' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    let isCurrent = true
    let isMissing = false
    setAnswer({ slug, found: 'pending' })
    const asked = findPost(api, slug, ({ code }) => {
      isMissing = code === 404 || code === 400
    })
    void asked.then((post) => {
      if (isCurrent) setAnswer({ slug, found: post ? { post } : isMissing ? 'missing' : 'failed' })
    })
    return () => {
      isCurrent = false
    }
  }, [api, slug, attempt])
  return { found: answer.slug === slug ? answer.found : 'pending', retry: () => setAttempt(attempt + 1) } as const
}

/** Says so without showing the text (ruling O24). */
function NotYours({ site }: { site: string }) {
  return (
    <>
      <PageTitle screen={texts.foreignPost.screen} site={site} />
      <MessageScreen
        art="searching"
        title={texts.foreignPost.title}
        actions={
          <Link className={buttonClass('primary')} to="/post">
            {texts.places.allPosts}
          </Link>
        }
      >
        <p>{texts.foreignPost.text}</p>
      </MessageScreen>
    </>
  )
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <MessageScreen
      art="off"
      title={texts.failures.titleAgain}
      titleLevel={2}
      isCalm
      isAlert
      actions={
        <Button kind="primary" onClick={onRetry}>
          {texts.actions.tryAgain}
        </Button>
      }
    >
      <p>{texts.editPost.failed}</p>
    </MessageScreen>
  )
}
