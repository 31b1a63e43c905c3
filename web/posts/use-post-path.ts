// The addresses of a post. Where everybody may read the blog it has one that people can read, which
// visitors' links lead to and which is passed on; the app itself goes to the id.
import { publicPath } from '#contract/post-address.ts'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'

type Addressed = Pick<PostDocument, '$id' | 'title'>

/** Where a link to a post leads. */
export function usePostPath(): (post: Addressed) => string {
  const { status } = useViewer()
  const pathForAll = usePublicPath()
  return status ? pathOfId : pathForAll
}

/** The address that is passed on, whoever does: the canonical one. */
export function usePublicPath(): (post: Addressed) => string {
  const { settings } = useApi()
  return (post) => publicPath(settings, post)
}

function pathOfId({ $id }: Addressed): string {
  return `/post/${$id}`
}
