// Loads a post for its author, or the screen that stands in place of it.
import type { Account } from '#contract/accounts.ts'
import type { PostDocument } from '#contract/posts.ts'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { useInitialData } from '../api/initial-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { getPost } from '../posts/posts-api.ts'
import { SessionEnded } from '../shell/session-ended.tsx'
import { ForeignPost, PostNotFound, useOwnerData } from './post-states.tsx'

/**
 * @returns `post` once it is loaded; `refusal`, the screen for a post that cannot be shown;
 *   `loadFailure`, a message with a button that tries again
 */
export function useOwnPost(slug: string, author: Account | null | undefined) {
  const userId = author?.$id ?? ''
  const { wasSignedOut } = useViewer()
  const initial = useInitialData<PostDocument>(userId)
  const { result, retry } = useOwnerData(userId, {
    key: slug,
    load: (api) => getPost(api, slug),
    initial,
  })
  const post = result?.ok ? result.value : undefined
  const code = result?.ok === false ? result.failure.code : undefined
  function findRefusal() {
    // The server answers 400 to an address that no post can have.
    if (code === 404 || code === 400) return <PostNotFound />
    // Without a form on the page, no text can be lost.
    if (wasSignedOut && !post) return <SessionEnded />
    const isForeign = post && post.userid !== userId && !(post.page && isOperator(author))
    return (code === 403 || isForeign) && <ForeignPost />
  }
  return {
    post,
    isGone: code === 404,
    isLoading: !result,
    refusal: findRefusal(),
    loadFailure: code !== undefined && (
      <LoadFailure isInline text={texts.editPost.failed} onRetry={retry} />
    ),
  }
}
