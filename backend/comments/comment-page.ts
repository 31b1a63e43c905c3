// The page of comments that a post shows (api.md §15.18). A page is a range of places, so that it
// costs the same however many comments there are, and a comment stays on its page.
import {
  COMMENTS_PAGE,
  type CommentDocument,
  type CommentOrder,
  type CommentPage,
  REPLIES_SHOWN,
} from '#contract/comments.ts'
import { isId } from '#contract/ids.ts'
import type { Viewer } from '../http/viewer.ts'
import { readPublished } from '../posts/access.ts'
import { canModerate, isInScope, scopeOf, shownTo } from './access.ts'
import * as lists from './comment-list-store.ts'
import type { CommentNeeds } from './needs.ts'
import * as store from './store.ts'

export type PageAsked = {
  /** From 1 on; one that there is not is the first one of the order. */
  page: number | undefined
  order: CommentOrder
  /** The page that holds this comment, whatever `page` says. */
  commentId: string | undefined
  /** The page of this comment's replies. */
  threadId: string | undefined
}

/** @throws Refusal `document_not_found`, also when the viewer may not read the post */
export async function readCommentPage(
  needs: CommentNeeds,
  viewer: Viewer,
  postId: string,
  asked: PageAsked,
): Promise<CommentPage> {
  const { db } = needs
  const post = await readPublished(db, viewer, postId)
  const { comments: setting } = await needs.site.read()
  const discussion = setting === 'off' ? undefined : await store.findDiscussion(db, postId)
  const isOpen = setting === 'on' && !discussion?.isClosed
  const state = setting === 'off' ? 'off' : isOpen ? 'open' : 'closed'
  const frame = {
    ...({ total: discussion?.shown ?? 0, order: asked.order, state } as const),
    canWrite: isOpen && viewer.role === 'user',
    canModerate: canModerate(viewer, post),
  }
  if (!discussion) return { ...frame, page: 1, pages: 1, thread: '', comments: [] }
  const reading = { needs, discussion, scope: scopeOf(viewer, post) }
  const at = await findAsked(reading, asked)
  const show = shownTo(needs, viewer, post)
  const { thread } = at
  const pages = pagesOf(thread ? thread.lastPlace : discussion.lastPlace)
  const first = asked.order === 'newest' && !thread ? pages : 1
  const page = at.page !== undefined && at.page <= pages ? at.page : first
  if (thread) {
    const replies = await listPage(reading, { parentId: thread.id, page })
    const replyList = replies.map(show)
    return { ...frame, page, pages, thread: thread.id, comments: [{ ...show(thread), replyList }] }
  }
  const rows = await listPage(reading, { parentId: '', page })
  const replyLists = await listReplies(
    reading,
    rows.map(({ id }) => id),
    show,
  )
  const comments = rows.map((row) => ({ ...show(row), replyList: replyLists.get(row.id) ?? [] }))
  if (asked.order === 'newest') comments.reverse()
  return { ...frame, page, pages, thread: '', comments }
}

type Reading = {
  needs: CommentNeeds
  discussion: store.Discussion
  scope: lists.CommentScope
}

function pagesOf(lastPlace: number): number {
  return Math.max(1, pageOf(lastPlace))
}

function pageOf(place: number): number {
  return Math.ceil(place / COMMENTS_PAGE)
}

/** A reply that does not stand below its comment is on the page of that thread. */
async function findAsked(
  reading: Reading,
  { page, commentId, threadId }: PageAsked,
): Promise<{ page: number | undefined; thread?: lists.CommentRow }> {
  const asked = await findHere(reading, commentId)
  if (asked && asked.parentId === '') return { page: pageOf(asked.place) }
  if (!asked) {
    const thread = await findHere(reading, threadId)
    return thread && thread.parentId === '' ? { page, thread } : { page }
  }
  const thread = await findHere(reading, asked.parentId)
  if (!thread) return { page }
  const firsts = await readFirst(reading, [thread.id])
  if (firsts.some(({ id }) => id === asked.id)) return { page: pageOf(thread.place) }
  return { page: pageOf(asked.place), thread }
}

/** A comment of this post that the viewer knows of. */
async function findHere({ needs, discussion, scope }: Reading, id: string | undefined) {
  if (!isId(id)) return undefined
  const found = await lists.findComment(needs.db, id, needs.avatarBucketId)
  const isHere = found?.discussionSeq === discussion.seq && isInScope(scope, found)
  return isHere ? found : undefined
}

function listPage(
  { needs, discussion, scope }: Reading,
  { parentId, page }: { parentId: string; page: number },
) {
  const to = page * COMMENTS_PAGE
  const range = { parentId, from: to - COMMENTS_PAGE + 1, to, scope }
  const { db, avatarBucketId } = needs
  return lists
    .selectRange(db, avatarBucketId, { ...range, discussionSeq: discussion.seq })
    .execute()
}

function readFirst({ needs, discussion, scope }: Reading, parentIds: string[]) {
  const asked = { discussionSeq: discussion.seq, parentIds, most: REPLIES_SHOWN, scope }
  return lists.listFirstReplies(needs.db, needs.avatarBucketId, asked)
}

async function listReplies(
  reading: Reading,
  parentIds: string[],
  show: (row: lists.CommentRow) => CommentDocument,
): Promise<Map<string, CommentDocument[]>> {
  const replies = (await readFirst(reading, parentIds)).map(show)
  return Map.groupBy(replies, ({ parentId }) => parentId)
}
