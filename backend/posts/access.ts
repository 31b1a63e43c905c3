// Who may do what with a post: as a decision about one post, and as a scope that the store turns
// into a condition for lists (threat-model.md §5). Knows nothing of HTTP, and of a post only the
// three columns it looks at.
import { groupsOf, type Readers } from '#contract/permissions.ts'
import type { PostStatus } from '#contract/posts.ts'
import type { Viewer } from '../http/viewer.ts'

export type PostAction = 'read' | 'edit' | 'delete' | 'like'

/** What the decision looks at. */
export type PostOwnership = { userId: string; status: string; readers: string }

/**
 * The posts that a viewer may read: all, or those of this status for these readers, plus everything
 * that `ownerId` wrote.
 */
export type PostScope =
  | 'all'
  | { status: PostStatus; readers: Readers[]; ownerId: string | undefined }

/**
 * Decides every access to a single post.
 *
 * @source api.md §10.2, threat-model.md §5
 */
export function can(viewer: Viewer, action: PostAction, post: PostOwnership): boolean {
  if (viewer.role === 'key') return action !== 'like'
  const isOwner = viewer.role === 'user' && viewer.userId === post.userId
  switch (action) {
    case 'read':
      return isOwner || isShown(viewer, post)
    case 'edit':
    case 'delete':
      return isOwner
    case 'like':
      return (
        viewer.role === 'user' && post.status === 'active' && (isOwner || isShown(viewer, post))
      )
  }
}

/** Exactly the posts for which `can(viewer, 'read', post)` is true. */
export function readableBy(viewer: Viewer): PostScope {
  if (viewer.role === 'key') return 'all'
  return {
    status: 'active',
    readers: readerGroups(viewer),
    ownerId: viewer.role === 'user' ? viewer.userId : undefined,
  }
}

function isShown(viewer: Viewer, { status, readers }: PostOwnership): boolean {
  return status === 'active' && readerGroups(viewer).some((group) => group === readers)
}

function readerGroups(viewer: Viewer): Readers[] {
  return groupsOf(viewer.role === 'user' ? viewer : undefined)
}
