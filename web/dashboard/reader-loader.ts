// What the dashboard of an account that cannot write begins with: its newest likes and comments.
// The server asks for both with the page.
import type { CommentDocument } from '#contract/comments.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { listOwnComments } from '../comments/comments-api.ts'
import type { ListPage } from '../lists/use-list.ts'
import { findTitles, listLiked, type PostSummary } from '../posts/posts-api.ts'

/** Rows of each list until all are asked for, and then of a page. */
export const FIRST_ROWS = 4
const PAGE_ROWS = 25

export type OwnComment = CommentDocument & { postTitle: string }
export type FirstReader = {
  likes: Result<ListPage<PostSummary>>
  comments: Result<ListPage<OwnComment>>
}

type RowsRequest<Row extends { $id: string }> = {
  isAll: boolean
  /** The page behind it is loaded; undefined for the first one. */
  before: ListPage<Row> | undefined
}

export type LoadRows<Row extends { $id: string }> = (
  api: Api,
  userId: string,
  request: RowsRequest<Row>,
) => Promise<Result<ListPage<Row>>>

export const loadLikes: LoadRows<PostSummary> = async (api, userId, request) => {
  const liked = await listLiked(api, userId, rangeOf(request))
  if (!liked.ok) return liked
  const { posts, total } = liked.value
  return succeed(toPage(request, posts, total))
}

export const loadComments: LoadRows<OwnComment> = async (api, userId, request) => {
  const comments = await listOwnComments(api, { userId, ...rangeOf(request) })
  if (!comments.ok) return comments
  const { documents, total } = comments.value
  const titles = await findTitles(api, [...new Set(documents.map(({ postId }) => postId))])
  const rows = documents.map((comment) => ({
    ...comment,
    postTitle: titles.get(comment.postId) ?? '',
  }))
  return succeed(toPage(request, rows, total))
}

function rangeOf({ isAll, before }: RowsRequest<{ $id: string }>) {
  return { size: isAll ? PAGE_ROWS : FIRST_ROWS, after: before?.rows.at(-1)?.$id }
}

function toPage<Row extends { $id: string }>(
  { before }: RowsRequest<Row>,
  rows: Row[],
  total: number,
): ListPage<Row> {
  return { rows, total, isLast: (before?.rows.length ?? 0) + rows.length >= total }
}

export async function loadReader(api: Api, userId: string): Promise<Result<FirstReader>> {
  const first = { isAll: false, before: undefined }
  const [likes, comments] = await Promise.all([
    loadLikes(api, userId, first),
    loadComments(api, userId, first),
  ])
  return succeed({ likes, comments })
}
