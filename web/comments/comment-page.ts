// What a loaded page of comments becomes: answers and events of the server put into it. Works on
// values only.
import {
  COMMENTS_PAGE,
  type CommentDocument,
  type CommentThread,
  REPLIES_SHOWN,
} from '#contract/comments.ts'
import type { ShownComments } from './comments-api.ts'

/** The comment of a page with this id, of either level. */
export function findIn(page: ShownComments, id: string): CommentDocument | undefined {
  for (const thread of page.comments) {
    const found = [thread, ...thread.replyList].find(({ $id }) => $id === id)
    if (found) return found
  }
  return undefined
}

/** A page with each of its comments, of either level, changed. */
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

/** A comment as it is by now; the page itself when it is not on it, or is known newer. */
export function withChanged(page: ShownComments, changed: CommentDocument): ShownComments {
  const before = findIn(page, changed.$id)
  if (!before || before.$updatedAt > changed.$updatedAt) return page
  const html = htmlAfter(before, changed)
  return {
    ...withEach(page, (known) =>
      known.$id === changed.$id ? { ...known, ...changed, html } : known,
    ),
    total: page.total + Number(changed.status === 'shown') - Number(before.status === 'shown'),
  }
}

/** The HTML that is known of a comment, unless its words have changed, or become links. */
function htmlAfter(before: CommentDocument, changed: CommentDocument): string | undefined {
  const isSame =
    before.editedAt === changed.editedAt &&
    before.hasLinks === changed.hasLinks &&
    changed.content !== ''
  return isSame ? before.html : changed.html
}

/** A page with the HTML that was known of its comments. */
export function withKnownHtml(page: ShownComments, before: ShownComments): ShownComments {
  return withEach(page, (comment) => {
    const known = findIn(before, comment.$id)
    return known ? { ...comment, html: htmlAfter(known, comment) } : comment
  })
}

/** Without a comment that is gone for good. */
export function withoutComment(page: ShownComments, id: string): ShownComments {
  const before = findIn(page, id)
  if (!before) return page
  return {
    ...page,
    total: page.total - Number(before.status === 'shown'),
    comments: page.comments
      .filter(({ $id }) => $id !== id)
      .map((thread) => {
        const replyList = thread.replyList.filter(({ $id }) => $id !== id)
        const replies = thread.replies - (thread.replyList.length - replyList.length)
        return { ...thread, replies, replyList }
      }),
  }
}

/** More replies below their comment, each once, in their order. */
export function withReplies(
  page: ShownComments,
  threadId: string,
  added: CommentDocument[],
): ShownComments {
  return {
    ...page,
    comments: page.comments.map((thread) =>
      thread.$id === threadId ? join(thread, added) : thread,
    ),
  }
}

function join(thread: CommentThread, added: CommentDocument[]): CommentThread {
  const all = new Map([...thread.replyList, ...added].map((reply) => [reply.$id, reply]))
  const replyList = [...all.values()].toSorted((one, other) =>
    one.$createdAt.localeCompare(other.$createdAt),
  )
  return { ...thread, replyList, replies: Math.max(thread.replies, replyList.length) }
}

/** With a comment that was written just now; the page itself when it has no place on it. */
export function withNew(page: ShownComments, written: CommentDocument): ShownComments {
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
 * The page with comments that others have written since, each in its place. The total counts them
 * already.
 *
 * @returns undefined when one of them belongs on another page
 */
export function withNews(page: ShownComments, news: CommentDocument[]): ShownComments | undefined {
  let next = page
  for (const comment of news) {
    if (!hasPlaceFor(next, comment)) return undefined
    next = withNew(next, comment)
  }
  return { ...next, total: page.total }
}

function hasPlaceFor(shown: ShownComments, comment: CommentDocument): boolean {
  const { page, pages, thread, comments } = shown
  if (comment.parentId === '') return hasRoomFor(shown, comment)
  const isLastOfThread = thread === '' || page === pages
  return isLastOfThread && comments.some(({ $id }) => $id === comment.parentId)
}

/** What takes a row of a page: a shown comment, and one with shown replies. */
export function isListed({ status, replies }: CommentDocument): boolean {
  return status === 'shown' || replies > 0
}

/** Whether a new top-level comment belongs to it: it comes last of all. */
export function hasRoomFor(shown: ShownComments, written: CommentDocument): boolean {
  const { page, pages, thread, comments } = shown
  const isLast = thread === '' && page === pages
  return isLast && (!isListed(written) || comments.filter(isListed).length < COMMENTS_PAGE)
}

function repliesBefore(page: ShownComments, threadId: string): number {
  return page.comments.find(({ $id }) => $id === threadId)?.replies ?? 0
}

/**
 * Where replies are left out: before this one of the list. All pages of the thread that were put in
 * stand before it, and behind it the newest ones.
 */
export function gapOf({ replyList }: CommentThread): number {
  const listed = replyList.filter(isListed)
  const whole = Math.floor(Math.max(0, listed.length - 1) / COMMENTS_PAGE) * COMMENTS_PAGE
  const next = listed[Math.max(REPLIES_SHOWN - 1, whole)]
  return next ? replyList.indexOf(next) : replyList.length
}

/** A page with the replies that were unfolded before: they stand before the newest one. */
export function withUnfolded(page: ShownComments, before: ShownComments): ShownComments {
  return before.comments.reduce((all, thread) => {
    const now = all.comments.find(({ $id }) => $id === thread.$id)
    const newest = now?.replyList.findLast(isListed)
    if (!now || !newest || !hasMoreReplies(now)) return all
    const known = new Set(now.replyList.map(({ $id }) => $id))
    const first = now.replyList[0]?.$createdAt ?? ''
    const between = thread.replyList.filter(
      ({ $id, $createdAt: time }) => !known.has($id) && time >= first && time < newest.$createdAt,
    )
    return withReplies(all, thread.$id, between)
  }, page)
}

/** Whether shown replies are left out. */
function hasMoreReplies({ replies, replyList }: CommentThread): boolean {
  return replies > replyList.filter(isListed).length
}

/** A page without what nobody has asked to see yet. */
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
