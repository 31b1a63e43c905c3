// The calls about notifications (api.md §15.23).
import type {
  MutedPosts,
  NotificationCount,
  NotificationPage,
  NotificationsQuery,
} from '#contract/notifications.ts'
import { type Api, callPath, fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'

const PATH = '/notifications'

/** Makes no call while offline: browsers log each failed call in the console. */
async function call<Value>(
  api: Api,
  method: string,
  path = '',
  values: object = {},
): Promise<Result<Value>> {
  // `navigator.onLine` is undefined on the server.
  return navigator.onLine === false
    ? fail(NO_RESPONSE)
    : callPath(api, method, `${PATH}${path}`, values)
}

export function countNotifications(api: Api): Promise<Result<NotificationCount>> {
  return call(api, 'get', '/count')
}

export type ShownPage = NotificationPage & {
  /** Ids of muted posts; undefined in the list of the bell. */
  muted?: string[]
}

/** @param query undefined for the list of the bell: the newest ones, without ids of muted posts */
export async function readNotifications(
  api: Api,
  query?: NotificationsQuery,
): Promise<Result<ShownPage>> {
  const [page, muted] = await Promise.all([
    call<NotificationPage>(api, 'get', '', query),
    query && call<MutedPosts>(api, 'get', '/muted'),
  ])
  if (!page.ok || !muted?.ok) return page
  return succeed({ ...page.value, muted: muted.value.list.map(({ postId }) => postId) })
}

/** Reads the query from the address of the page. An unknown filter becomes `all`. */
export function readNotificationsQuery(search: string): NotificationsQuery & { filter: Filter } {
  const values = new URLSearchParams(search)
  const cursor = values.get('cursor')
  const filter = FILTERS.find((name) => name === values.get('filter')) ?? 'all'
  return { filter, ...(cursor && { cursor }) }
}

export const FILTERS = ['all', 'new', 'comments', 'likes'] as const
export type Filter = (typeof FILTERS)[number]

export function markAll(
  api: Api,
  change: { seen: true } | { read: true },
): Promise<Result<NotificationCount>> {
  return call(api, 'patch', '', change)
}

export function markRead(api: Api, id: string): Promise<Result<unknown>> {
  return call(api, 'patch', `/${id}`, { read: true })
}

export function setMuted(api: Api, postId: string, isMuted: boolean): Promise<Result<unknown>> {
  return call(api, isMuted ? 'put' : 'delete', `/muted/${postId}`)
}
