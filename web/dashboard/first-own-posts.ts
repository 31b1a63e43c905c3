// What the dashboard shows first, and one page of the own posts with how many of them are active.
import type { Api } from '../api/client.ts'
import { type Result, succeed } from '../api/result.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  type ListState,
  listAfter,
} from '../feed/post-lists.ts'
import { listDeleted } from '../posts/history-api.ts'
import {
  countActive,
  type DraftSummary,
  listDrafts,
  listOwn,
  OWN_PAGE_POSTS,
} from '../posts/posts-api.ts'

/** What the dashboard shows first; `deleted` is how many deleted posts are kept, if known. */
export type FirstDashboard = { own: ListState; drafts: DraftSummary[]; deleted?: number }

/** A part beside the posts that fails is missing. */
export async function loadDashboard(api: Api, userId: string): Promise<Result<FirstDashboard>> {
  const [own, drafts, deleted] = await Promise.all([
    loadOwnPosts(api, userId),
    listDrafts(api, userId),
    listDeleted(api, { limit: 1 }),
  ])
  if (!own.ok) return own
  return succeed({
    own: own.value,
    drafts: drafts.ok ? drafts.value : [],
    ...(deleted.ok && { deleted: deleted.value.total }),
  })
}

/** @param before what is shown already; the page behind it is added */
export async function loadOwnPosts(
  api: Api,
  userId: string,
  before: ListState = emptyList({ list: 'own', viewerId: userId }),
): Promise<Result<ListState>> {
  const [page, active] = await Promise.all([
    listAfter(
      (after) => listOwn(api, userId, after),
      cursorCandidates(before.posts, OWN_PAGE_POSTS),
    ),
    countActive(api, userId),
  ])
  return page.ok ? succeed({ ...addPage(before, page.value), active }) : page
}
