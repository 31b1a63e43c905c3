// Who may do what with a post: once as a decision about one post, once as the same rule in SQL for
// lists (threat-model.md §5). Knows nothing of HTTP and of how posts are stored but the three
// columns it looks at.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { groupsOf } from '#contract/permissions.ts'
import type { Viewer } from '../http/viewer.ts'

export type PostAction = 'read' | 'edit' | 'delete' | 'like'

/** What the decision looks at. */
export type PostOwnership = { userId: string; status: string; readers: string }

/**
 * Decides every access to a post; each read and write path asks it.
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

function isShown(viewer: Viewer, { status, readers }: PostOwnership): boolean {
  return status === 'active' && readerGroups(viewer).includes(readers)
}

function readerGroups(viewer: Viewer): string[] {
  return groupsOf(viewer.role === 'user' ? viewer : undefined)
}

/** `can(viewer, 'read', post)` as a condition on the table `post`. */
export function readableSql(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer.role === 'key') return sql`1 = 1`
  const shown = sql<SqlBool>`(post.status = 'active' and post.readers in (${sql.join(readerGroups(viewer))}))`
  return viewer.role === 'user'
    ? sql`(${shown} or ${sql.ref('post.userId')} = ${viewer.userId})`
    : shown
}
