// The page of comments of a post (api.md §15.18). A page has `COMMENTS_PAGE` listed comments: shown
// ones, and those with shown replies. Unlisted comments that the viewer can see are between them,
// up to a limit, and do not move listed comments to other pages.

import { withoutLinks } from '#contract/comment-text.ts'
import {
  COMMENTS_PAGE,
  type CommentDocument,
  type CommentFormat,
  type CommentOrder,
  type CommentPage,
  REPLIES_SHOWN,
} from '#contract/comments.ts'
import { isId } from '#contract/ids.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readPublished } from '../posts/access.ts'
import {
  canModerateComments,
  commentScopeOf,
  hasOperatorRights,
  isInScope,
  makeCommentSerialiser,
} from './access.ts'
import { readHtml } from './comment-html.ts'
import * as lists from './comment-list-store.ts'
import * as store from './store.ts'

/**
 * The limit of one page's HTML. A page always contains its listed comments, each of which has a
 * limit of its own; unlisted comments and replies are added only while there is room. Omitted
 * replies are on the page of their thread.
 */
const PAGE_BYTES = 300_000
/** The bytes of a comment without its text. */
const FRAME_BYTES = 1000
/** Unlisted comments of each status on a page, and unlisted replies below one comment. */
const UNLISTED_MAX = 20
const UNLISTED_REPLIES_MAX = 3
/** Greater than every position of a level. */
const LAST_POSITION = 2 ** 31 - 1

export type CommentPageRequest = {
  /** Counts from 1; if absent or too high, the first page of the order is shown. */
  page: number | undefined
  order: CommentOrder
  /** Shows the page with this comment instead of `page`. */
  commentId: string | undefined
  /** Shows the page of this comment's replies. */
  threadId: string | undefined
  texts: CommentFormat
}

/** @throws Refusal `document_not_found`, also when the viewer may not read the post */
export async function readCommentPage(
  context: PostsContext,
  viewer: Viewer,
  postId: string,
  request: CommentPageRequest,
): Promise<CommentPage> {
  const { db } = context
  const post = await readPublished(db, viewer, postId)
  const { comments: setting } = await context.site.read()
  const discussion = setting === 'off' ? undefined : await store.findDiscussion(db, postId)
  const isOpen = setting === 'on' && !discussion?.isClosed
  const state = setting === 'off' ? 'off' : isOpen ? 'open' : 'closed'
  const frame = {
    total: discussion?.shown ?? 0,
    order: request.order,
    state,
    canWrite: isOpen && viewer.role === 'user',
    canModerate: canModerateComments(viewer, post),
  } as const
  if (!discussion) return { ...frame, page: 1, pages: 1, thread: '', comments: [] }
  const reading = { context, discussion, scope: commentScopeOf(viewer, post) }
  const target = await findTarget(reading, request)
  const { thread } = target
  const order = thread ? 'oldest' : request.order
  const parentId = thread?.id ?? ''
  const { page, pages, ...listed } = await listPage(reading, {
    parentId,
    page: target.page ?? request.page,
    order,
    comment: target.comment,
  })
  const isNeeded = (row: lists.PageRow) => isListed(row) || row.id === target.comment?.id
  const groups = listed.rows.map((row) => ({ rows: [row], isNeeded: isNeeded(row) }))
  if (!thread) {
    const replies = Map.groupBy(await listReplies(reading, listed.rows), (row) => row.parentId)
    for (const [id, rows] of replies) groups.push({ rows, isNeeded: id === target.comment?.id })
  }
  const rows = selectFitting(groups)
  const documents = await showRows(reading, viewer, { post, texts: request.texts, rows, thread })
  const byParent = Map.groupBy(documents, ({ parentId }) => parentId)
  const comments = (byParent.get('') ?? []).map((comment) => {
    return { ...comment, replyList: byParent.get(comment.$id) ?? [] }
  })
  if (order === 'newest') comments.reverse()
  return { ...frame, page, pages, thread: parentId, comments }
}

/** How the page of comments of a post differs for the viewer from what others get. */
export async function readPersonalView(
  db: Database,
  viewer: Viewer,
  postId: string,
): Promise<{ mayModerate: boolean; seesUnlisted: boolean }> {
  if (viewer.role !== 'user') return { mayModerate: false, seesUnlisted: false }
  const request = { postId, userId: viewer.userId, isOperator: hasOperatorRights(viewer) }
  const { isAuthor, seesUnlisted } = await lists.findPersonalView(db, request)
  return { mayModerate: isAuthor || request.isOperator, seesUnlisted }
}

type RowsToShow = {
  post: { userId: string }
  texts: CommentFormat
  rows: lists.PageRow[]
  /** The comment above its replies, on the page of its thread. */
  thread: lists.PageRow | undefined
}

/** Comments as the viewer sees them, with their texts. */
async function showRows(
  { context }: Reading,
  viewer: Viewer,
  { post, texts, rows, thread }: RowsToShow,
): Promise<CommentDocument[]> {
  const all = thread ? [thread, ...rows] : rows
  const isHtml = texts === 'html'
  const contents = await (isHtml ? readHtml(context.db, all) : readContents(context.db, all))
  const show = makeCommentSerialiser(context, viewer, post)
  return all.map((row) => {
    const comment = show({ ...row, content: contents.get(row.seq) ?? '' })
    if (!isHtml) return comment
    const { content: html, hasLinks } = comment
    return { ...comment, content: '', html: hasLinks ? html : withoutLinks(html) }
  })
}

async function readContents(db: Database, comments: lists.PageRow[]): Promise<Map<number, string>> {
  const contents = await lists.listContents(db, comments)
  return new Map(contents.map(({ seq, content }) => [seq, content]))
}

type PageGroup = { rows: lists.PageRow[]; isNeeded: boolean }

/** The comments that fit on a page, group by group; needed groups are always on it. */
function selectFitting(groups: PageGroup[]): lists.PageRow[] {
  const sizeOf = ({ rows }: PageGroup) =>
    rows.reduce(
      (sum, { htmlBytes, contentBytes }) => sum + FRAME_BYTES + Math.max(htmlBytes, contentBytes),
      0,
    )
  const needed = groups.filter(({ isNeeded }) => isNeeded)
  let bytes = needed.reduce((sum, group) => sum + sizeOf(group), 0)
  return groups.flatMap((group) => {
    if (group.isNeeded) return group.rows
    const size = sizeOf(group)
    if (bytes + size > PAGE_BYTES) return []
    bytes += size
    return group.rows
  })
}

type Reading = {
  context: PostsContext
  discussion: store.Discussion
  scope: lists.CommentScope
}

/** The page to show, or the thread, and the comment that must be on it. */
type Target = {
  page?: number
  thread?: lists.PageRow
  comment?: lists.PageRow
}

/** A reply that is not shown below its comment is on the page of that comment's thread. */
async function findTarget(
  reading: Reading,
  { commentId, threadId }: CommentPageRequest,
): Promise<Target> {
  const comment = await findInDiscussion(reading, commentId)
  if (!comment) {
    const thread = await findInDiscussion(reading, threadId)
    return thread?.parentId === '' ? { thread } : {}
  }
  if (comment.parentId === '') return { page: await pageOf(reading, comment), comment }
  const thread = await findInDiscussion(reading, comment.parentId)
  if (!thread) return {}
  const shownReplies = await listReplies(reading, [thread])
  if (shownReplies.some(({ id }) => id === comment.id))
    return { page: await pageOf(reading, thread), comment: thread }
  return { page: await pageOf(reading, comment), thread, comment }
}

/** A comment of this post that the viewer can see. */
async function findInDiscussion({ context, discussion, scope }: Reading, id: string | undefined) {
  if (!isId(id)) return undefined
  const comment = await lists.findPageRow(context.db, id, context.avatarBucketId)
  const isVisible = comment?.discussionSeq === discussion.seq && isInScope(scope, comment)
  return isVisible ? comment : undefined
}

function isListed({ isCounted, replies }: lists.PageRow): boolean {
  return isCounted === 1 || replies > 0
}

async function pageOf({ context, discussion }: Reading, comment: lists.PageRow): Promise<number> {
  const { db } = context
  const blocks = await lists.listBlocks(db, discussion.seq, comment.parentId)
  const before = await lists.countListedBefore(db, comment, blocks)
  return Math.max(1, Math.ceil((before + Number(isListed(comment))) / COMMENTS_PAGE))
}

type LevelPage = {
  parentId: string
  page: number | undefined
  order: CommentOrder
  comment: lists.PageRow | undefined
}

async function listPage({ context, discussion, scope }: Reading, request: LevelPage) {
  const { db, avatarBucketId } = context
  const { parentId, order, comment } = request
  const level = { discussionSeq: discussion.seq, parentId }
  const blocks = await lists.listBlocks(db, discussion.seq, parentId)
  const total = blocks.reduce((sum, { listed }) => sum + listed, 0)
  const pages = Math.max(1, Math.ceil(total / COMMENTS_PAGE))
  const first = order === 'newest' ? pages : 1
  const page = request.page !== undefined && request.page <= pages ? request.page : first
  const skip = COMMENTS_PAGE * (page - 1)
  const listed = await lists.listListed(db, { ...level, blocks, skip, limit: COMMENTS_PAGE + 1 })
  const from = page === 1 ? 0 : (listed[0]?.place ?? LAST_POSITION)
  const next = listed[COMMENTS_PAGE]
  const to = next ? next.place - 1 : LAST_POSITION
  const unlisted = await lists.listUnlisted(db, { ...level, from, to, scope, limit: UNLISTED_MAX })
  const seqs = [...listed.slice(0, COMMENTS_PAGE), ...unlisted].map(({ seq }) => seq)
  const target = comment?.parentId === parentId ? [comment.seq] : []
  const rows = await lists.listPageRows(db, avatarBucketId, [...new Set([...seqs, ...target])])
  return { page, pages, rows }
}

/** The replies to show below each comment: of many, only the first ones and the newest. */
async function listReplies({ context, discussion, scope }: Reading, parents: lists.PageRow[]) {
  const parentIds = parents.map(({ id }) => id)
  const replies = await lists.listFirstReplies(context.db, context.avatarBucketId, {
    discussionSeq: discussion.seq,
    parentIds,
    limit: REPLIES_SHOWN,
    scope,
  })
  const byParent = Map.groupBy(replies, ({ parentId }) => parentId)
  return parents.flatMap(({ id, replies: count }) => {
    const all = byParent.get(id) ?? []
    const listed = all.filter(isListed)
    const middle = count > REPLIES_SHOWN ? listed.slice(REPLIES_SHOWN - 1, -1) : []
    const unlisted = all.filter((reply) => !isListed(reply)).slice(UNLISTED_REPLIES_MAX)
    return all.filter((reply) => !middle.includes(reply) && !unlisted.includes(reply))
  })
}
