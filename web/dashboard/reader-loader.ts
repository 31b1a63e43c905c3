// What the dashboard of an account that cannot write begins with: its newest likes and comments.
// The server asks for both with the page.
import type { CommentDocument } from '#contract/comments.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { listOwnComments } from '../comments/comments-api.ts'
import { findTitles, listLiked, type PostSummary } from '../posts/posts-api.ts'

/** Rows of each list until all are asked for, and then of a page. */
export const FIRST_ROWS = 4
const PAGE_ROWS = 25

export type OwnComment = CommentDocument & { postTitle: string }
export type ReaderPage<Row> = { rows: Row[]; total: number }
export type FirstReader = {
  likes: Result<ReaderPage<PostSummary>>
  comments: Result<ReaderPage<OwnComment>>
}

/** @param after id of the last row shown; undefined for the first page */
export type LoadRows<Row> = (
  api: Api,
  userId: string,
  asked: { isAll: boolean; after: string | undefined },
) => Promise<Result<ReaderPage<Row>>>

export const loadLikes: LoadRows<PostSummary> = async (api, userId, { isAll, after }) => {
  const size = isAll ? PAGE_ROWS : FIRST_ROWS
  const found = await listLiked(api, userId, { size, after })
  return found.ok ? succeed({ rows: found.value.posts, total: found.value.total }) : found
}

export const loadComments: LoadRows<OwnComment> = async (api, userId, { isAll, after }) => {
  const size = isAll ? PAGE_ROWS : FIRST_ROWS
  const found = await listOwnComments(api, { userId, size, after })
  if (!found.ok) return found
  const { documents, total } = found.value
  const titles = await findTitles(api, [...new Set(documents.map(({ postId }) => postId))])
  const rows = documents.map((comment) => ({
    ...comment,
    postTitle: titles.get(comment.postId) ?? '',
  }))
  return succeed({ rows, total })
}

export async function loadReader(api: Api, userId: string): Promise<Result<FirstReader>> {
  const first = { isAll: false, after: undefined }
  const [likes, comments] = await Promise.all([
    loadLikes(api, userId, first),
    loadComments(api, userId, first),
  ])
  return succeed({ likes, comments })
}
