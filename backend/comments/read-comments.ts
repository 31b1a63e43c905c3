// Reads comments as documents: single ones, and lists (api.md §15.18). Independent of HTTP; SQL is
// in comment-list-store.ts.

import type { CommentDocument } from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import { type QuerySchema, readQueries } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { isReadablePost, readPublished } from '../posts/access.ts'
import {
  commentScopeOf,
  hasOperatorRights,
  isInScope,
  makeCommentSerialiser,
  toComment,
} from './access.ts'
import * as lists from './comment-list-store.ts'
import { applyHidings } from './hidden-state.ts'
import * as store from './store.ts'

/** @throws Refusal `document_not_found`, also when the viewer may not read its post */
export async function readComment(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<CommentDocument> {
  const { db, avatarBucketId } = context
  const { comments } = await context.site.read()
  const row = comments === 'off' ? undefined : await lists.findComment(db, id, avatarBucketId)
  if (!row?.postId) throw new Refusal('document_not_found')
  const post = await readPublished(db, viewer, row.postId)
  if (!isInScope(commentScopeOf(viewer, post), row)) throw new Refusal('document_not_found')
  return makeCommentSerialiser(context, viewer, post)(row)
}

/**
 * Reads a comment that all readers of its post can see, in a transaction that has locked the post.
 *
 * @throws Refusal `document_not_found` when it is hidden, waits or belongs to another post
 */
export async function readShown(tx: Database, postId: string, id: string) {
  const comment = await store.findStored(tx, id)
  if (comment?.postId !== postId || !comment.isCounted) throw new Refusal('document_not_found')
  return comment
}

const NEWEST_MAX = 50

/**
 * The newest comments that everybody may read.
 *
 * @throws Refusal `document_not_found`, also when comments are off in the whole blog
 */
export async function listNewestShown(
  context: PostsContext,
  postId: string,
): Promise<CommentDocument[]> {
  const { db, avatarBucketId } = context
  const post = await readPublished(db, GUEST, postId)
  if ((await context.site.read()).comments === 'off') throw new Refusal('document_not_found')
  const discussion = await store.findDiscussion(db, postId)
  if (!discussion) return []
  const newest = { discussionSeq: discussion.seq, limit: NEWEST_MAX }
  const rows = await lists.listNewest(db, avatarBucketId, newest)
  // Leaves out comments whose hiding has not been applied to their row yet.
  return rows
    .map(makeCommentSerialiser(context, GUEST, post))
    .filter(({ status }) => status === 'shown')
}

const SCHEMA: QuerySchema = {
  postId: { type: 'string' },
  parentId: { type: 'string' },
  userId: { type: 'string' },
  status: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $sequence: { type: 'integer' },
}
/** Waiting comments, and those of one user, are counted up to this number. */
const COUNTED_MAX = 1000

type Page = Pick<lists.CommentListRequest, 'direction' | 'limit'> & {
  cursorId: string | undefined
  side: 'after' | 'before'
}
type Listed = { total: number; documents: CommentDocument[] }

/**
 * Lists one of: a post's comments (with `parentId`, only that level); the viewer's own comments
 * across the blog; or, for operators, all comments awaiting approval.
 *
 * @throws Refusal `document_not_found`, `general_unauthorized_scope`, those of api.md §3.4
 */
export async function listComments(
  context: PostsContext,
  viewer: Viewer,
  queries: string[] | undefined,
): Promise<Listed> {
  const { equal, page } = parseListQueries(queries, viewer)
  const { postId, parentId, userId, status } = equal
  if (userId !== undefined) {
    if (Object.keys(equal).length > 1) throw invalid('equal("userId", …) stands alone here.')
    return listOwn(context, viewer, userId, page)
  }
  if (postId === undefined && status === 'waiting') return listWaiting(context, viewer, page)
  if (postId === undefined) throw invalid('equal("postId", …) is required.')
  if (status !== undefined) throw invalid('Attribute not found in schema: status')
  const { db, avatarBucketId } = context
  const post = await readPublished(db, viewer, postId)
  const { comments } = await context.site.read()
  const discussion = await store.findDiscussion(db, postId)
  if (!discussion || comments === 'off') return { total: 0, documents: [] }
  const scope = commentScopeOf(viewer, post)
  const parent = parentId ? await lists.findComment(db, parentId, avatarBucketId) : undefined
  if (parentId && (parent?.postId !== postId || !isInScope(scope, parent)))
    throw new Refusal('document_not_found')
  const cursorRow = await findCursor(context, page)
  const isCursorFromOtherList =
    cursorRow &&
    (cursorRow.postId !== postId || (parentId !== undefined && cursorRow.parentId !== parentId))
  if (isCursorFromOtherList || (cursorRow && !isInScope(scope, cursorRow)))
    throw new Refusal('general_cursor_not_found')
  const at = cursorRow && (parentId === undefined ? cursorRow.seq : cursorRow.place)
  const list = await lists.listComments(db, avatarBucketId, {
    discussionSeq: discussion.seq,
    parentId,
    scope,
    direction: page.direction,
    limit: page.limit,
    cursor: at === undefined ? undefined : { at, side: page.side },
  })
  const documents = list.map(makeCommentSerialiser(context, viewer, post))
  const count = parentId === '' ? discussion.threads : discussion.shown
  return { total: parent?.replies ?? count, documents: inOrder(page, documents) }
}

/** The viewer's own comments on readable posts, without deleted ones. */
async function listOwn(
  context: PostsContext,
  viewer: Viewer,
  userId: string,
  page: Page,
): Promise<Listed> {
  if (viewer.role !== 'user' || viewer.userId !== userId)
    throw new Refusal('general_unauthorized_scope')
  const { db, avatarBucketId } = context
  if ((await context.site.read()).comments === 'off') return { total: 0, documents: [] }
  const cursorRow = await findCursor(context, page)
  if (cursorRow && cursorRow.userId !== userId) throw new Refusal('general_cursor_not_found')
  const cursor = cursorRow && { at: cursorRow.seq, side: page.side }
  const filter = { userId, isReadable: isReadablePost(viewer) }
  const rows = await lists.selectOwn(db, avatarBucketId, { ...filter, ...page, cursor }).execute()
  const documents = inOrder(page, rows).map((row) => toComment(context, row, true))
  return { total: await lists.countOwn(db, filter, COUNTED_MAX), documents }
}

async function listWaiting(context: PostsContext, viewer: Viewer, page: Page): Promise<Listed> {
  if (!hasOperatorRights(viewer)) throw new Refusal('general_unauthorized_scope')
  const { db, avatarBucketId } = context
  const cursorRow = await findCursor(context, page)
  const cursor = cursorRow && { at: cursorRow.seq, side: page.side }
  const request = { ...page, cursor, countLimit: COUNTED_MAX }
  const { total, rows } = await lists.listWaiting(db, avatarBucketId, request)
  const documents = inOrder(page, rows)
    .filter((row) => applyHidings(row, row.hidings).status === 'waiting')
    .map((row) => toComment(context, row, true))
  return { total, documents }
}

async function findCursor({ db }: PostsContext, { cursorId }: Page) {
  if (cursorId === undefined) return undefined
  const row = await store.findStored(db, cursorId)
  if (!row) throw new Refusal('general_cursor_not_found')
  return row
}

function inOrder<Item>({ cursorId, side }: Page, items: Item[]): Item[] {
  return cursorId !== undefined && side === 'before' ? items.toReversed() : items
}

function parseListQueries(queries: string[] | undefined, viewer: Viewer) {
  const query = readQueries(queries, SCHEMA, { role: viewer.role })
  const equal: { postId?: string; parentId?: string; userId?: string; status?: string } = {}
  for (const filter of query.filters) {
    const [value, ...others] = filter.method === 'equal' ? filter.values : []
    const name = filter.method === 'equal' ? filter.attribute : ''
    const isKnown =
      name === 'postId' || name === 'parentId' || name === 'userId' || name === 'status'
    if (!isKnown || typeof value !== 'string' || others.length > 0)
      throw invalid(
        'Only equal("postId", …), equal("parentId", …) and equal("userId", …) with one value are known here.',
      )
    equal[name] = value
  }
  const [first] = query.order
  const isByTime = [undefined, '$createdAt', '$sequence'].includes(first?.attribute)
  if (query.isRandom || query.offset > 0 || query.select || !isByTime || query.order.length > 1)
    throw invalid('Comments are in the order of $createdAt, paged by cursors.')
  const { cursor } = query
  const page: Page = {
    direction: first?.direction ?? 'asc',
    limit: Math.min(query.limit, LIST_LIMIT_MAX),
    cursorId: cursor?.id,
    side: cursor?.direction ?? 'after',
  }
  return { equal, page }
}

function invalid(fault: string): Refusal {
  return new Refusal('general_argument_invalid', `Invalid query: ${fault}`)
}
