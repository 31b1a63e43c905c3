// What the loaders of a page for all members answered, as it is for the member who reads it.
import { roleOf } from '#contract/permissions.ts'
import type { InitialData } from './api/initial-data.ts'
import type { PageData, ViewerData } from './api/page-data.ts'
import type { FirstComments } from './comments/use-comments.ts'
import type { PagePost } from './posts/posts-api.ts'

/** Of a post page that the server has made. */
type PostPage = { post?: PagePost | null; comments?: FirstComments }

/** The user id in what was loaded for all members. */
const ANY_USER_ID = ''

export function personaliseLoaderData(
  viewer: ViewerData,
  loaderData: PageData['loaderData'],
): PageData['loaderData'] {
  if (!loaderData) return undefined
  const own = Object.entries(loaderData).map(([id, data]) => [
    id,
    personaliseRouteData(viewer, data),
  ])
  return Object.fromEntries(own)
}

function personaliseRouteData({ account, likesPost }: ViewerData, data: unknown): unknown {
  const list = data as InitialData<unknown>
  if (list?.userId === ANY_USER_ID) return { ...list, userId: account.$id }
  const page = data as PostPage | null
  if (!page?.post) return data
  const likeId = likesPost ? [account.$id] : []
  const post = { ...page.post, likeId }
  const canModerate = roleOf(account.labels) === 'operator' || post.userid === account.$id
  const comments = page.comments && { ...page.comments, canModerate }
  return { ...page, post, comments }
}
