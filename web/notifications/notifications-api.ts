// The calls of the bell (api.md §15.23).
import type {
  MutedPosts,
  NotificationCount,
  NotificationPage,
  NotificationsQuery,
} from '#contract/notifications.ts'
import { type Api, callPath, fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'

const PATH = '/notifications'

/** Without a network it is not tried: that would be a line in the console. */
async function call<Value>(
  api: Api,
  method: string,
  path = '',
  values: object = {},
): Promise<Result<Value>> {
  // Undefined on the server.
  return navigator.onLine === false
    ? fail(NO_RESPONSE)
    : callPath(api, method, `${PATH}${path}`, values)
}

export function countNotifications(api: Api): Promise<Result<NotificationCount>> {
  return call(api, 'get', '/count')
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
  const [page, muted] = await Promise.all([
    call<NotificationPage>(api, 'get', '', asked),
    asked && call<MutedPosts>(api, 'get', '/muted'),
  ])
  if (!page.ok || !muted?.ok) return page
  return succeed({ ...page.value, muted: muted.value.list.map((one) => one.postId) })
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
  return call(api, 'patch', '', as)
}

export function markRead(api: Api, id: string): Promise<Result<unknown>> {
  return call(api, 'patch', `/${id}`, { read: true })
}

export function setMuted(api: Api, postId: string, isMuted: boolean): Promise<Result<unknown>> {
  return call(api, isMuted ? 'put' : 'delete', `/muted/${postId}`)
}
