// Which posts a shown list lacks at its head, and the list with them. Knows nothing of the network.
import type { PostSummary, SummaryPage } from '../posts/posts-api.ts'
import { addPage, emptyList, type ListState } from './post-lists.ts'

/** Others' posts that the list would have shown, had they been there when it was loaded. */
export function isNewIn({ posts, isEnd, viewerId }: ListState, post: PostSummary): boolean {
  const last = posts.at(-1)
  return (
    post.status === 'active' &&
    post.userid !== viewerId &&
    !posts.some(({ $id }) => $id === post.$id) &&
    (isEnd || !last || post.$createdAt > last.$createdAt)
  )
}

/**
 * The list with its first page as it is now. What was loaded below stays, unless there are so many
 * new posts that others are missing in between.
 */
export function mergeFirstPage(state: ListState, page: SummaryPage): ListState {
  const { list, viewerId, after } = state
  const first = addPage(emptyList({ list, viewerId, after }), page)
  const last = page.posts.at(-1)
  const hasGap = !state.posts.some((old) => page.posts.some(({ $id }) => $id === old.$id))
  if (hasGap || page.isLast || !last) return first
  const below = state.posts.filter(({ $createdAt }) => $createdAt < last.$createdAt)
  return { ...first, posts: [...first.posts, ...below], isEnd: below.length > 0 && state.isEnd }
}
