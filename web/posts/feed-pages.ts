// The pages of the feed that were loaded, kept while the app is open, so that "Back" finds them as they were left.
// Knows nothing of screens.

import type { PostDocument } from '#contract/posts.ts'
import type { PostSummary } from './posts-api.ts'

/** What the feed has shown so far. `after` is the post it begins behind, if not at the newest; `excerpt` belongs to the first post. */
export type FeedState = {
  viewerId: string
  after?: string | undefined
  posts: PostSummary[]
  total: number
  isEnd: boolean
  excerpt?: string | undefined
}

let kept: FeedState | undefined

/** The feed as this viewer left it at this place; another viewer starts anew. */
export function recallFeed(viewerId: string, after?: string): FeedState | undefined {
  return kept?.viewerId === viewerId && kept.after === after ? kept : undefined
}

export function keepFeed(state: FeedState): void {
  kept = state
}

/** After a post was made, or its status changed: the order on screen is no longer true. */
export function forgetFeed(): void {
  kept = undefined
}

/** After a like or an edit: the card shows what was saved. */
export function refreshInFeed(post: PostDocument): void {
  if (post.status !== 'active') dropFromFeed(post.$id)
  else if (kept) kept = { ...kept, posts: kept.posts.map((card) => (card.$id === post.$id ? { ...card, ...summaryOf(post, card) } : card)) }
}

export function dropFromFeed(slug: string): void {
  if (!kept) return
  const posts = kept.posts.filter((card) => card.$id !== slug)
  if (posts.length < kept.posts.length) kept = { ...kept, posts, total: Math.max(0, kept.total - 1), excerpt: undefined }
}

/**
 * The feed with one more page. A post that is there already (the list moved meanwhile) is not shown twice.
 *
 * @param pageSize a page shorter than this is the last one
 */
export function addPage(state: FeedState, page: { posts: PostSummary[]; total: number }, pageSize: number): FeedState {
  const seen = new Set(state.posts.map((post) => post.$id))
  const fresh = page.posts.filter((post) => !seen.has(post.$id))
  const posts = [...state.posts, ...fresh]
  return { ...state, posts, total: Math.max(page.total, posts.length), isEnd: page.posts.length < pageSize || posts.length >= page.total }
}

/** What was saved comes without the colour of its image: another image has none that is known here. */
function summaryOf({ title, featuredImage, status, userName, like }: PostDocument, before: PostSummary): Partial<PostSummary> {
  const imageColor = featuredImage === before.featuredImage ? before.imageColor : ''
  return { title, featuredImage, status, userName, like, ...(imageColor === undefined ? {} : { imageColor }) }
}
