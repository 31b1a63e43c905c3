// What everything that can be pressed in the comments needs: the post, who writes, which field is
// open.
import type { Account } from '#contract/accounts.ts'
import type { PagePost } from '../posts/posts-api.ts'
import type { ShownComments } from './comments-api.ts'
import type { Comments } from './use-comments.ts'

/** The field below a comment, or in its place: one at a time. */
export type OpenField = { id: string; kind: 'reply' | 'edit' }

export type Talk = {
  post: Pick<PagePost, '$id' | 'title' | 'userid'>
  viewer: Account
  comments: Comments
  page: ShownComments
  open: OpenField | undefined
  openField: (field: OpenField | undefined) => void
  /** The comment with this id is being written here: what the server tells of it is no news. */
  noteOwn: (id: string) => void
}
