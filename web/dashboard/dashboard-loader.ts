// What the dashboard begins with: one page of the viewer's active posts, one of the inactive ones,
// how many deleted posts wait, and how often posts were read. The server asks for all with the
// page.
import type { ReadNumbers } from '#contract/reads.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  type ListState,
  listAfter,
} from '../feed/post-lists.ts'
import { listDeleted } from '../posts/history-api.ts'
import {
  callCollection,
  type DraftPage,
  listDrafts,
  listOwn,
  OWN_PAGE_POSTS,
} from '../posts/posts-api.ts'

/** `deleted` is how many deleted posts are kept, if known; `reads` the same. */
export type FirstDashboard = {
  own: ListState
  drafts: Result<DraftPage>
  deleted?: number
  reads?: ReadNumbers
}

/** Without its drafts it is a dashboard that says so. */
export async function loadDashboard(api: Api, userId: string): Promise<Result<FirstDashboard>> {
  const [own, drafts, deleted, reads] = await Promise.all([
    loadOwnPosts(api, userId),
    listDrafts(api, userId),
    listDeleted(api, { limit: 1 }),
    findReadNumbers(api),
  ])
  if (!own.ok) return own
  return succeed({
    own: own.value,
    drafts,
    ...(deleted.ok && { deleted: deleted.value.total }),
    ...(reads && { reads }),
  })
}

/** @param before what is shown already; the page behind it is added */
export async function loadOwnPosts(
  api: Api,
  userId: string,
  before: ListState = emptyList({ list: 'own', viewerId: userId }),
): Promise<Result<ListState>> {
  const page = await listAfter(
    (after) => listOwn(api, userId, after),
    cursorCandidates(before.posts, OWN_PAGE_POSTS),
  )
  return page.ok ? succeed(addPage(before, page.value)) : page
}

/** Of the viewer's own posts; undefined when nothing is counted, or the call fails. */
export async function findReadNumbers(api: Api): Promise<ReadNumbers | undefined> {
  if (!api.settings.hasReadCounts) return undefined
  const found = await callCollection<ReadNumbers>(api, 'get', '/reads')
  return found.ok && found.value.isCounted ? found.value : undefined
}
