// The initial data of the dashboard: one page of the viewer's active posts, one page of the
// inactive ones, the number of deleted posts, and how often posts were read. The server loads it
// with the page.
import type { ReadNumbers } from '#contract/reads.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { addPage, emptyList, type ListState } from '../lists/post-lists.ts'
import type { ListPage } from '../lists/use-list.ts'
import { listDeleted } from '../posts/history-api.ts'
import {
  callCollection,
  type DraftSummary,
  listDrafts,
  listOwn,
  listScheduled,
} from '../posts/posts-api.ts'

/** `deleted`, the number of deleted posts, and `reads` are missing when they did not load. */
export type InitialDashboard = {
  own: ListState
  drafts: Result<ListPage<DraftSummary>>
  /** Missing when they did not load: then they are among the drafts. */
  scheduled?: ListPage<DraftSummary>
  deleted?: number
  reads?: ReadNumbers
}

/** If only the drafts fail to load, the dashboard is shown, and says so. */
export async function loadDashboard(api: Api, userId: string): Promise<Result<InitialDashboard>> {
  const [own, drafts, scheduled, deleted, reads] = await Promise.all([
    listOwn(api, userId),
    loadDrafts(api, userId, undefined),
    loadScheduled(api, userId),
    listDeleted(api, { limit: 1 }),
    findReadNumbers(api),
  ])
  if (!own.ok) return own
  return succeed({
    own: addPage(emptyList({ list: 'own', viewerId: userId }), own.value),
    drafts,
    ...(scheduled.ok && { scheduled: scheduled.value }),
    ...(deleted.ok && { deleted: deleted.value.total }),
    ...(reads && { reads }),
  })
}

/** Loads the page of the user's inactive posts that follows the rows of `previous`. */
export async function loadDrafts(
  api: Api,
  userId: string,
  previous: ListPage<DraftSummary> | undefined,
): Promise<Result<ListPage<DraftSummary>>> {
  const page = await listDrafts(api, userId, previous?.rows.at(-1)?.$id)
  if (!page.ok) return page
  const { posts: rows, total, isLast } = page.value
  return succeed({ rows, total, isLast })
}

/** Loads the user's scheduled posts, the soonest first. */
export async function loadScheduled(
  api: Api,
  userId: string,
): Promise<Result<ListPage<DraftSummary>>> {
  const page = await listScheduled(api, userId)
  if (!page.ok) return page
  const { posts: rows, total } = page.value
  return succeed({ rows, total, isLast: true })
}

/** How often the viewer's posts were read; undefined if nothing is counted or the call fails. */
export async function findReadNumbers(api: Api): Promise<ReadNumbers | undefined> {
  if (!api.settings.hasReadCounts) return undefined
  const numbers = await callCollection<ReadNumbers>(api, 'get', '/reads')
  return numbers.ok && numbers.value.isCounted ? numbers.value : undefined
}
