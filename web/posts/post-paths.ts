// The paths of posts and of authors' pages.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { publicPath } from '#contract/post-url.ts'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'

export function authorPath(userId: string): string {
  return `/author/${userId}`
}

type Written = Pick<PostDocument, 'userid' | 'userName'>

/** Undefined for an unknown author, and for a guest where lists are for members. */
export function useAuthorPath(): (post: Written) => string | undefined {
  const { status } = useViewer()
  const publicPath = usePublicAuthorPath()
  return status ? pathOf : publicPath
}

/** Undefined unless guests may open it. */
export function usePublicAuthorPath(): (post: Written) => string | undefined {
  const { settings } = useApi()
  return settings.reading === 'everyone' ? pathOf : () => undefined
}

function pathOf({ userid, userName }: Written): string | undefined {
  return userid && userName !== UNKNOWN_USER_NAME ? authorPath(userid) : undefined
}

// The addresses of a post. Where everybody may read the blog it has one that people can read, which
// visitors' links lead to and which is passed on; the app itself goes to the id.

type Addressed = Pick<PostDocument, '$id' | 'title'>

/** Where a link to a post leads. */
export function usePostPath(): (post: Addressed) => string {
  const { status } = useViewer()
  const pathForAll = usePublicPath()
  return status ? pathOfId : pathForAll
}

/** The canonical address, for sharing. */
export function usePublicPath(): (post: Addressed) => string {
  const { settings } = useApi()
  return (post) => publicPath(settings, post)
}

function pathOfId({ $id }: Addressed): string {
  return `/post/${$id}`
}

export function versionsPath(slug: string): string {
  return `/edit-post/${slug}/versions`
}
