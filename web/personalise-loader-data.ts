// Adds the viewer's own data to what the server loaded for all members.
import { roleOf } from '#contract/permissions.ts'
import type { InitialData } from './api/initial-data.ts'
import type { PageData, ViewerData } from './api/page-data.ts'
import type { InitialComments } from './comments/use-comments.ts'
import type { PagePost } from './posts/posts-api.ts'

/** The loader data of a post page that the server rendered. */
type PostPage = { post?: PagePost | null; comments?: InitialComments }

/** The user id in data that were loaded for all members. */
const ANY_USER_ID = ''

export function personaliseLoaderData(
  viewer: ViewerData,
  loaderData: PageData['loaderData'],
): PageData['loaderData'] {
  if (!loaderData) return undefined
  const entries = Object.entries(loaderData).map(([id, data]) => [
    id,
    personaliseRouteData(viewer, data),
  ])
  return Object.fromEntries(entries)
}

function personaliseRouteData({ account, likesPost }: ViewerData, data: unknown): unknown {
  const initialData = data as InitialData<unknown>
  if (initialData?.userId === ANY_USER_ID) return { ...initialData, userId: account.$id }
  const page = data as PostPage | null
  if (!page?.post) return data
  const likeId = likesPost ? [account.$id] : []
  const post = { ...page.post, likeId }
  const canModerate = roleOf(account.labels) === 'operator' || post.userid === account.$id
  const comments = page.comments && { ...page.comments, canModerate }
  return { ...page, post, comments }
}
