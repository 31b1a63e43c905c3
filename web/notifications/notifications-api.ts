// The calls of the bell (api.md §15.23).
import type {
  MutedPosts,
  NotificationCount,
  NotificationPage,
  NotificationsQuery,
} from '#contract/notifications.ts'
import { type Api, callPath, NO_ANSWER, type Result } from '../api/client.ts'

const PATH = '/notifications'

export function countNotifications(api: Api): Promise<Result<NotificationCount>> {
  return callPath(api, 'get', `${PATH}/count`)
}

export type ShownPage = NotificationPage & {
  /** Ids of posts; undefined where it is not asked. */
  muted?: string[]
}

/** @param asked undefined asks for the newest, without what is muted */
export async function readNotifications(
  api: Api,
  asked?: NotificationsQuery,
): Promise<Result<ShownPage>> {
  // A call that cannot work would be a line in the console.
  if (typeof window !== 'undefined' && !navigator.onLine) return { ok: false, failure: NO_ANSWER }
  const [page, muted] = await Promise.all([
    callPath<NotificationPage>(api, 'get', PATH, asked),
    asked && callPath<MutedPosts>(api, 'get', `${PATH}/muted`),
  ])
  if (!page.ok || !muted?.ok) return page
  return { ok: true, value: { ...page.value, muted: muted.value.list.map((one) => one.postId) } }
}

/** The query of the page's address; what it does not know is left out. */
export function askedOf(search: string): NotificationsQuery & { filter: Filter } {
  const values = new URLSearchParams(search)
  const cursor = values.get('cursor')
  const filter = FILTERS.find((one) => one === values.get('filter')) ?? 'all'
  return { filter, ...(cursor && { cursor }) }
}

export const FILTERS = ['all', 'new', 'comments', 'likes'] as const
export type Filter = (typeof FILTERS)[number]

export function markAll(
  api: Api,
  as: { seen: true } | { read: true },
): Promise<Result<NotificationCount>> {
  return callPath(api, 'patch', PATH, as)
}

export function markRead(api: Api, id: string): Promise<Result<unknown>> {
  return callPath(api, 'patch', `${PATH}/${id}`, { read: true })
}

export function setMuted(api: Api, postId: string, isMuted: boolean): Promise<Result<unknown>> {
  return callPath(api, isMuted ? 'put' : 'delete', `${PATH}/muted/${postId}`)
}
