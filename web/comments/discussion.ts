// The state that the controls of the comments share: the post, the viewer, and the open field.
import type { Account } from '#contract/accounts.ts'
import type { PagePost } from '../posts/posts-api.ts'
import type { ShownComments } from './comments-api.ts'
import type { Comments } from './use-comments.ts'

/** The open field, below a comment or instead of it. Only one is open at a time. */
export type OpenField = { id: string; kind: 'reply' | 'edit' }

export type Discussion = {
  post: Pick<PagePost, '$id' | 'title' | 'userid'>
  viewer: Account
  comments: Comments
  page: ShownComments
  openField: OpenField | undefined
  setOpenField: (field: OpenField | undefined) => void
  /** Records the id of a comment that is written here, so that it does not count as new. */
  recordOwnId: (id: string) => void
}
