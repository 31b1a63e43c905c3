// Applies responses and events from the server to a loaded page of comments. Pure functions.
import {
  COMMENTS_PAGE,
  type CommentDocument,
  type CommentThread,
  REPLIES_SHOWN,
} from '#contract/comments.ts'
import type { ShownComments } from './comments-api.ts'

/** Finds a comment of the page, either a top-level comment or a reply, by its id. */
export function findIn(page: ShownComments, id: string): CommentDocument | undefined {
  for (const thread of page.comments) {
    const comment = [thread, ...thread.replyList].find(({ $id }) => $id === id)
    if (comment) return comment
  }
  return undefined
}

/** The page with `change` applied to every comment, both top-level comments and replies. */
export function withEach(
  page: ShownComments,
  change: <Known extends CommentDocument>(comment: Known) => Known,
): ShownComments {
  const comments = page.comments.map((thread) => ({
    ...change(thread),
    replyList: thread.replyList.map(change),
  }))
  return { ...page, comments }
}

/** The page with a changed comment; the same page if it lacks the comment or has a newer one. */
export function withChanged(page: ShownComments, changed: CommentDocument): ShownComments {
  const previous = findIn(page, changed.$id)
  if (!previous || previous.$updatedAt > changed.$updatedAt) return page
  const html = reusableHtml(previous, changed)
  return {
    ...withEach(page, (known) =>
      known.$id === changed.$id ? { ...known, ...changed, html } : known,
    ),
    total: page.total + Number(changed.status === 'shown') - Number(previous.status === 'shown'),
  }
}

/** The previous HTML of a comment, unless its text or its permission to have links has changed. */
function reusableHtml(previous: CommentDocument, changed: CommentDocument): string | undefined {
  const isSame =
    previous.editedAt === changed.editedAt &&
    previous.hasLinks === changed.hasLinks &&
    changed.content !== ''
  return isSame ? previous.html : changed.html
}

/** The page, whose comments reuse the HTML that they had on the previous page. */
export function withKnownHtml(page: ShownComments, previous: ShownComments): ShownComments {
  return withEach(page, (comment) => {
    const known = findIn(previous, comment.$id)
    return known ? { ...comment, html: reusableHtml(known, comment) } : comment
  })
}

/** The page without a comment that was deleted. */
export function withoutComment(page: ShownComments, id: string): ShownComments {
  const deleted = findIn(page, id)
  if (!deleted) return page
  return {
    ...page,
    total: page.total - Number(deleted.status === 'shown'),
    comments: page.comments
      .filter(({ $id }) => $id !== id)
      .map((thread) => {
        const replyList = thread.replyList.filter(({ $id }) => $id !== id)
        const replies = thread.replies - (thread.replyList.length - replyList.length)
        return { ...thread, replies, replyList }
      }),
  }
}

/** The page with more replies in a thread, sorted from oldest to newest, without duplicates. */
export function withReplies(
  page: ShownComments,
  threadId: string,
  added: CommentDocument[],
): ShownComments {
  return {
    ...page,
    comments: page.comments.map((thread) =>
      thread.$id === threadId ? mergeReplies(thread, added) : thread,
    ),
  }
}

function mergeReplies(thread: CommentThread, added: CommentDocument[]): CommentThread {
  const byId = new Map([...thread.replyList, ...added].map((reply) => [reply.$id, reply]))
  const replyList = [...byId.values()].toSorted((a, b) => a.$createdAt.localeCompare(b.$createdAt))
  return { ...thread, replyList, replies: Math.max(thread.replies, replyList.length) }
}

/** The page with a new comment; the same page if the comment belongs on another one. */
export function withAdded(page: ShownComments, written: CommentDocument): ShownComments {
  const { parentId, status } = written
  const added = Number(status === 'shown')
  const total = page.total + added
  if (!parentId) {
    const thread = { ...written, replyList: [] }
    const isNewest = page.order === 'newest'
    const comments = isNewest ? [thread, ...page.comments] : [...page.comments, thread]
    return hasRoomFor(page, written) ? { ...page, total, comments } : page
  }
  const { comments } = withReplies(page, parentId, [written])
  return {
    ...page,
    total,
    comments: comments.map((thread) =>
      thread.$id === parentId
        ? { ...thread, replies: repliesBefore(page, parentId) + added }
        : thread,
    ),
  }
}

/**
 * The page with comments that others have written since it was loaded. Its total already counts
 * them.
 *
 * @returns undefined if one of them belongs on another page
 */
export function withAllAdded(
  page: ShownComments,
  newComments: CommentDocument[],
): ShownComments | undefined {
  let extended = page
  for (const comment of newComments) {
    if (!fits(extended, comment)) return undefined
    extended = withAdded(extended, comment)
  }
  return { ...extended, total: page.total }
}

function fits(shown: ShownComments, comment: CommentDocument): boolean {
  const { page, pages, thread, comments } = shown
  if (comment.parentId === '') return hasRoomFor(shown, comment)
  const isLastOfThread = thread === '' || page === pages
  return isLastOfThread && comments.some(({ $id }) => $id === comment.parentId)
}

/** Whether a comment takes up a position on its page: it is shown, or has shown replies. */
export function isListed({ status, replies }: CommentDocument): boolean {
  return status === 'shown' || replies > 0
}

/** Whether a new top-level comment, which is the newest of all, belongs on this page. */
export function hasRoomFor(shown: ShownComments, written: CommentDocument): boolean {
  const { page, pages, thread, comments } = shown
  const isLast = thread === '' && page === pages
  return isLast && (!isListed(written) || comments.filter(isListed).length < COMMENTS_PAGE)
}

function repliesBefore(page: ShownComments, threadId: string): number {
  return page.comments.find(({ $id }) => $id === threadId)?.replies ?? 0
}

/**
 * The index of the gap in the list of replies, where replies are left out. Before it are the pages
 * of the thread that have been loaded, after it the newest replies.
 */
export function gapIndexOf({ replyList }: CommentThread): number {
  const listed = replyList.filter(isListed)
  const loadedCount = Math.floor(Math.max(0, listed.length - 1) / COMMENTS_PAGE) * COMMENTS_PAGE
  const next = listed[Math.max(REPLIES_SHOWN - 1, loadedCount)]
  return next ? replyList.indexOf(next) : replyList.length
}

/** The page with the replies that were unfolded on the previous page, before the newest reply. */
export function withUnfolded(page: ShownComments, previous: ShownComments): ShownComments {
  return previous.comments.reduce((merged, thread) => {
    const newThread = merged.comments.find(({ $id }) => $id === thread.$id)
    const newest = newThread?.replyList.findLast(isListed)
    if (!newThread || !newest || !hasMoreReplies(newThread)) return merged
    const knownIds = new Set(newThread.replyList.map(({ $id }) => $id))
    const firstTime = newThread.replyList[0]?.$createdAt ?? ''
    const unfoldedReplies = thread.replyList.filter(
      ({ $id, $createdAt: time }) =>
        !knownIds.has($id) && time >= firstTime && time < newest.$createdAt,
    )
    return withReplies(merged, thread.$id, unfoldedReplies)
  }, page)
}

/** Whether the page leaves out shown replies of the thread. */
function hasMoreReplies({ replies, replyList }: CommentThread): boolean {
  return replies > replyList.filter(isListed).length
}

/** The page without the comments that the viewer has not yet asked to see. */
export function withOnly(page: ShownComments, isKnown: (id: string) => boolean): ShownComments {
  return {
    ...page,
    comments: page.comments
      .filter(({ $id }) => isKnown($id))
      .map((thread) => ({
        ...thread,
        replyList: thread.replyList.filter(({ $id }) => isKnown($id)),
      })),
  }
}
