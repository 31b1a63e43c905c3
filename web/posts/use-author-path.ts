// The address of a person's page, where there is one to be opened.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'

export function authorPath(userId: string): string {
  return `/author/${userId}`
}

type Written = Pick<PostDocument, 'userid' | 'userName'>

/** Undefined for an author who is unknown, and for a visitor where the list is for members. */
export function useAuthorPath(): (post: Written) => string | undefined {
  const { status } = useViewer()
  const publicPath = usePublicAuthorPath()
  return status ? pathOf : publicPath
}

/** Where everybody may open it. */
export function usePublicAuthorPath(): (post: Written) => string | undefined {
  const { settings } = useApi()
  return settings.reading === 'everyone' ? pathOf : () => undefined
}

function pathOf({ userid, userName }: Written): string | undefined {
  return userid && userName !== UNKNOWN_USER_NAME ? authorPath(userid) : undefined
}
