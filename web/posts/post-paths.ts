// The paths of posts and of authors' pages.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { type PostAddress, publicPath } from '#contract/post-url.ts'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'

export function authorPath(userId: string): string {
  return `/author/${userId}`
}

type AuthoredPost = Pick<PostDocument, 'userid' | 'userName'>

/** Undefined for an unknown author, and for a guest of a blog whose lists are for members. */
export function useAuthorPath(): (post: AuthoredPost) => string | undefined {
  const { status } = useViewer()
  const publicPath = usePublicAuthorPath()
  return status ? pathOf : publicPath
}

/** Undefined unless guests may open the author's page. */
export function usePublicAuthorPath(): (post: AuthoredPost) => string | undefined {
  const { settings } = useApi()
  return settings.reading === 'everyone' ? pathOf : () => undefined
}

function pathOf({ userid, userName }: AuthoredPost): string | undefined {
  return userid && userName !== UNKNOWN_USER_NAME ? authorPath(userid) : undefined
}

// The addresses of a post. If everybody may read the blog, a post has a readable address, which is
// used in links for visitors and for sharing; links for signed-in users use the id.

/** The path for links to a post. */
export function usePostPath(): (post: PostAddress) => string {
  const { status } = useViewer()
  const pathForAll = usePublicPath()
  return status ? pathOfId : pathForAll
}

/** The canonical address, for sharing. */
export function usePublicPath(): (post: PostAddress) => string {
  const { settings } = useApi()
  return (post) => publicPath(settings, post)
}

function pathOfId({ $id }: PostAddress): string {
  return `/post/${$id}`
}

/** Where a new page of the blog, such as "About", is written. */
export const NEW_PAGE_PATH = '/add-post?page'

export function versionsPath(slug: string): string {
  return `/edit-post/${slug}/versions`
}

/** The page that an author sees after publishing or scheduling a post. */
export function publishedPath(slug: string): string {
  return `/edit-post/${slug}/published`
}

/** At the end of the path of a post's form: opens the drawer "Publish". */
export const PUBLISH_HASH = '#publish'
