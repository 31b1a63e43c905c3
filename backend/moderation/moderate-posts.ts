// Moderation of posts by operators: hiding posts, and the lists of posts that they can hide or have
// removed (api.md §6.1, §15.21). Removing is in deleted-posts.ts.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import {
  type DoneBy,
  OPERATOR_PAGE,
  type OperatorPost,
  type OperatorPostState,
  type OperatorPosts,
  type PostsQuery,
} from '#contract/operator.ts'
import { findLastActors, recordActivity } from '../activity/activity.ts'
import { emit } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { findRanked, withStatementTimeout } from '../post-lists/full-text-search-store.ts'
import { readBySeqs } from '../post-lists/post-list-store.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { canModerate, lockVisible, MODERATOR, refuseBlocked, subjectOf } from '../posts/access.ts'
import { publishPostEvent } from '../posts/post-events.ts'
import { type PostRow, updatePost } from '../posts/store.ts'
import { parseSearchTerms } from '../search/parse-search.ts'
import { expiryCutoff, restorableUntil } from '../versions/deleted-posts.ts'
import * as store from './moderate-posts-store.ts'
import { endCaseOf } from './open-cases.ts'

/** PostgreSQL stops a search after this time; the answer is then 503. */
const SEARCH_MAX_MS = 2000

/**
 * Hides a post from everybody but its author, or shows it again; nothing else about it changes. The
 * scope of the routes admits only operators and the API key.
 *
 * @returns the post, with `hidden`
 * @throws Refusal `document_not_found`
 */
export async function hidePost(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  isHidden: boolean,
  reason?: string,
) {
  return inTransaction(context.db, context.background, async (tx) => {
    await refuseBlocked(tx, viewer)
    const row = await lockVisible(tx, MODERATOR, id, undefined)
    if (!canModerate(viewer, row)) throw new Refusal('document_not_found')
    await updatePost(tx, { isHidden: Number(isHidden), id })
    if (row.isHidden !== Number(isHidden)) {
      const action = isHidden ? 'hidden' : 'shown'
      await recordActivity(tx, viewer, context.now(), {
        kind: 'posts',
        action,
        subject: subjectOf(row),
        details: { reason },
      })
      const about = { postId: id, commentId: null }
      const outcome = { action: 'hidden', actor: viewer, isByAuthor: false, now: context.now() }
      if (isHidden) await endCaseOf(tx, about, outcome)
      await emit(tx, {
        kind: 'post',
        state: action,
        id,
        authorId: row.userId,
        reason,
        actor: viewer,
      })
    }
    const document = await publishPostEvent(context, tx, MODERATOR, {
      id,
      action: 'update',
      before: row,
    })
    return { ...document, hidden: isHidden }
  })
}

/** @throws Refusal `general_argument_invalid` */
export async function listModerated(
  context: PostsContext,
  query: PostsQuery,
): Promise<OperatorPosts> {
  const { db } = context
  const search = query.search?.trim() || undefined
  const state = (query.state ?? 'active') as OperatorPostState
  const page = Number(query.page ?? 1)
  const range = { limit: OPERATOR_PAGE, offset: (page - 1) * OPERATOR_PAGE }
  const since = expiryCutoff(context)
  const withoutSearch = { search: undefined }
  const counts = await store.countAll(db, withoutSearch, { ...withoutSearch, since })
  const { total, list } =
    state === 'removed'
      ? await listRemoved(context, { search, since }, range)
      : await listStored(context, { state, search }, range)
  return {
    page,
    pages: Math.max(1, Math.ceil((total ?? counts.active) / OPERATOR_PAGE)),
    total: total ?? counts.active,
    counts,
    list,
  }
}

type Page = { limit: number; offset: number }
/** `total` is undefined for the list of all active posts, which `counts` already counts. */
type Listed = { total: number | undefined; list: OperatorPost[] }

async function listStored(
  context: PostsContext,
  { state, search }: { state: OperatorPostState; search: string | undefined },
  page: Page,
): Promise<Listed> {
  const { db, contentBucketId, avatarBucketId } = context
  const { seqs, total } = await findStored(db, { state, search }, page)
  const { readers } = store.FOR_READERS
  const sources = { contentBucketId, avatarBucketId, readers }
  const optional = { names: ['comments' as const], sources }
  const rows = await readBySeqs(db, seqs, { scope: 'all', hasContent: false, optional })
  const closed = await store.findClosed(db, seqs)
  const reports = await store.countReports(db, seqs)
  const hidden = rows.filter(({ isHidden }) => isHidden).map(({ id }) => id)
  const actors = await findLastActors(db, hidden, ['hidden'])
  const list = rows
    // The post may have become a draft since it was listed.
    .filter(({ status }) => status === 'active')
    .map((row) => ({
      ...toListed(row, row.isHidden ? 'hidden' : 'active', actors.get(row.id)),
      like: row.likes,
      comments: Number(row.comments ?? 0),
      areCommentsClosed: closed.has(row.id),
      reports: reports.get(row.id) ?? 0,
    }))
  return { total, list }
}

async function findStored(
  db: Database,
  { state, search }: { state: OperatorPostState; search: string | undefined },
  page: Page,
) {
  if (state === 'hidden' || state === 'reported') {
    const find = state === 'hidden' ? store.findHidden : store.findReported
    const counts = await store.countAll(db, { search }, { search, since: '' })
    return { seqs: await find(db, { search }, page), total: counts[state] }
  }
  if (search === undefined) return { seqs: await store.findActive(db, page), total: undefined }
  const terms = parseSearchTerms(search)
  return withStatementTimeout(db, SEARCH_MAX_MS, (tx) =>
    findRanked(tx, { terms, scope: store.FOR_READERS }, page),
  )
}

async function listRemoved(
  { db }: PostsContext,
  filter: { search: string | undefined; since: string },
  page: Page,
): Promise<Listed> {
  const rows = await store.listRemoved(db, filter, page)
  const actors = await findLastActors(
    db,
    rows.map(({ postId }) => postId),
    ['removed'],
  )
  const { removed } = await store.countAll(db, { search: undefined }, filter)
  const list = rows.map((row) => ({
    ...toListed({ ...row, id: row.postId }, 'removed', actors.get(row.postId)),
    deletedId: row.id,
    like: 0,
    comments: 0,
    areCommentsClosed: false,
    expire: wireTime(restorableUntil(row)),
  }))
  return { total: removed, list }
}

type ListedRow = Pick<PostRow, 'id' | 'title' | 'userId' | 'userName' | 'featuredImage'> &
  Pick<PostRow, 'createdAt' | 'updatedAt'>

function toListed(row: ListedRow, state: OperatorPost['state'], done: DoneBy | undefined) {
  const { id, title, userId: userid, userName, featuredImage } = row
  const times = { $createdAt: wireTime(row.createdAt), $updatedAt: wireTime(row.updatedAt) }
  return {
    $id: id,
    deletedId: '',
    title,
    userid,
    userName,
    featuredImage,
    state,
    ...times,
    reports: 0,
    ...(done && { done }),
  }
}
