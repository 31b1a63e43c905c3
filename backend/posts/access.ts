// Who may do what with a post: as a decision about one post, and as a scope that the store turns
// into a condition for lists (threat-model.md §5); and whose a post is when it is written. Knows
// nothing of HTTP, and of a post only the few columns it looks at.
import { Refusal } from '#contract/errors.ts'
import { type Grantor, groupsOf, type Readers, readersOf } from '#contract/permissions.ts'
import type { Viewer } from '../http/viewer.ts'
import type { SentData } from './naming.ts'

export type PostAction = 'read' | 'edit' | 'delete' | 'like'

/** What the decision looks at. The flags are 0 or 1. */
export type PostOwnership = {
  userId: string
  status: string
  readers: string
  /** The operator hides the post. */
  isHidden: number
  isAuthorBlocked: number
}

/**
 * The posts that a viewer may read: all, or the active ones for these readers that are not
 * hidden, plus everything that `ownerId` wrote; nothing by blocked authors.
 */
export type PostScope = 'all' | { readers: Readers[]; ownerId: string | undefined }

/**
 * Decides every access to a single post.
 *
 * @source api.md §10.2, threat-model.md §5
 */
export function can(viewer: Viewer, action: PostAction, post: PostOwnership): boolean {
  if (viewer.role === 'key') return action !== 'like'
  if (post.isAuthorBlocked) return false
  switch (action) {
    case 'read':
      return isInScope(readableBy(viewer), post)
    case 'edit':
    case 'delete':
      return viewer.role === 'user' && viewer.userId === post.userId
    case 'like':
      return viewer.role === 'user' && isPublished(post) && can(viewer, 'read', post)
  }
}

/** What `can` lets this viewer read. */
export function readableBy(viewer: Viewer): PostScope {
  if (viewer.role === 'key') return 'all'
  return {
    readers: readerGroups(viewer),
    ownerId: viewer.role === 'user' ? viewer.userId : undefined,
  }
}

/** The condition of lists (post-scope-store.ts), for a post that is at hand. */
export function isInScope(scope: PostScope, post: PostOwnership): boolean {
  if (scope === 'all') return true
  if (post.isAuthorBlocked) return false
  const isMine = scope.ownerId !== undefined && post.userId === scope.ownerId
  return isMine || (isPublished(post) && scope.readers.some((group) => group === post.readers))
}

function isPublished({ status, isHidden }: PostOwnership): boolean {
  return status === 'active' && !isHidden
}

/** The groups of readers that the viewer is in; the API key sees what everybody does. */
export function readerGroups(viewer: Viewer): Readers[] {
  return groupsOf(viewer.role === 'user' ? viewer : undefined)
}

/** Empty for guests, and when the API key names no user. */
export function ownerOfNewPost(viewer: Viewer, { userid }: SentData): string {
  if (viewer.role === 'user') return viewer.userId
  return viewer.role === 'key' ? String(userid ?? '') : ''
}

/** `userid` may be repeated, never changed. */
export function refuseForeignAuthor({ userid }: SentData, ownerId: string): void {
  if (typeof userid === 'string' && userid !== ownerId) throw new Refusal('user_unauthorized')
}

export function grantorOf(viewer: Viewer): Grantor {
  if (viewer.role === 'key') return { role: 'key' }
  return viewer.role === 'user' ? viewer : { role: 'user', userId: '', isVerified: false }
}

export function toStoredPermissions(list: string[]): { permissions: string; readers: string } {
  return { permissions: JSON.stringify(list), readers: readersOf(list) }
}
