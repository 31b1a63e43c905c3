// What the loaders of a page for all members answered, as it is for the member who reads it.
import { canModerateComments } from './accounts/viewer.tsx'
import type { InitialData } from './api/initial-data.ts'
import type { PageData, ViewerData } from './api/site-settings.ts'
import type { PostPageData } from './reading/post-loader.ts'

/** The user id in what was loaded for all members. */
const ANY_MEMBER = ''

export function asReadBy(
  viewer: ViewerData,
  loaderData: PageData['loaderData'],
): PageData['loaderData'] {
  if (!loaderData) return undefined
  const own = Object.entries(loaderData).map(([id, data]) => [id, ofReader(viewer, data)])
  return Object.fromEntries(own)
}

function ofReader({ account, likesPost }: ViewerData, data: unknown): unknown {
  const list = data as InitialData<unknown>
  if (list?.userId === ANY_MEMBER) return { ...list, userId: account.$id }
  const page = data as Partial<PostPageData> | null
  if (!page?.post || page.post instanceof Promise) return data
  const likeId = likesPost ? [account.$id] : []
  const canModerate = canModerateComments(account, page.post)
  return {
    ...page,
    post: { ...page.post, likeId },
    comments: page.comments && { ...page.comments, canModerate },
  }
}
