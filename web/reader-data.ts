// What the loaders of a page for all members answered, as it is for the member who reads it.
import { roleOf } from '#contract/permissions.ts'
import type { InitialData } from './api/initial-data.ts'
import type { PageData, ViewerData } from './api/site-settings.ts'
import type { FirstComments } from './comments/use-comments.ts'
import type { PagePost } from './posts/posts-api.ts'

/** Of a post page that the server has made. */
type ServedPost = { post?: PagePost | null; comments?: FirstComments }

/** The user id in what was loaded for all members. */
const ANY_USER_ID = ''

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
  if (list?.userId === ANY_USER_ID) return { ...list, userId: account.$id }
  const page = data as ServedPost | null
  if (!page?.post) return data
  const likeId = likesPost ? [account.$id] : []
  const post = { ...page.post, likeId }
  const canModerate = roleOf(account.labels) === 'operator' || post.userid === account.$id
  const comments = page.comments && { ...page.comments, canModerate }
  return { ...page, post, comments }
}
