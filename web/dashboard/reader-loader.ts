// The initial data of the dashboard of an account that cannot write: its newest likes and comments.
// The server loads both with the page.
import type { CommentDocument } from '#contract/comments.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { listOwnComments } from '../comments/comments-api.ts'
import type { ListPage } from '../lists/use-list.ts'
import { findTitles, listLiked, type PostSummary } from '../posts/posts-api.ts'

/** The number of rows in each list, until the reader opens a whole list. */
export const SHORT_LIST_ROWS = 4
const PAGE_ROWS = 25

export type OwnComment = CommentDocument & { postTitle: string }
export type InitialReaderDashboard = {
  likes: Result<ListPage<PostSummary>>
  comments: Result<ListPage<OwnComment>>
}

type RowsRequest<Row extends { $id: string }> = {
  isAll: boolean
  /** The rows before the page to be loaded; undefined for the first page. */
  previous: ListPage<Row> | undefined
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

function rangeOf({ isAll, previous }: RowsRequest<{ $id: string }>) {
  return { size: isAll ? PAGE_ROWS : SHORT_LIST_ROWS, after: previous?.rows.at(-1)?.$id }
}

function toPage<Row extends { $id: string }>(
  { previous }: RowsRequest<Row>,
  rows: Row[],
  total: number,
): ListPage<Row> {
  return { rows, total, isLast: (previous?.rows.length ?? 0) + rows.length >= total }
}

export async function loadReaderDashboard(
  api: Api,
  userId: string,
): Promise<Result<InitialReaderDashboard>> {
  const request = { isAll: false, previous: undefined }
  const [likes, comments] = await Promise.all([
    loadLikes(api, userId, request),
    loadComments(api, userId, request),
  ])
  return succeed({ likes, comments })
}
