// HTTP of notifications (api.md §15.23): parameters in, answers out. All calls are about
// the caller.
import { isId } from '#contract/ids.ts'
import { NotificationsQuery, ReadAll, ReadOne } from '#contract/notifications.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { NotificationNeeds } from './needs.ts'
import * as bell from './notifications.ts'

const OWN = { config: { scope: 'account' } } as const
const PATH = '/notifications'
type OfId = { Params: { notificationId: string } }
type OfPost = { Params: { postId: string } }

export function notificationRoutes(needs: NotificationNeeds): Routes {
  return (api) => {
    api.get(PATH, OWN, async ({ viewer, query }) =>
      bell.listNotifications(needs, readUser(viewer), readParams(NotificationsQuery, query)),
    )
    api.get(`${PATH}/count`, OWN, async ({ viewer }) =>
      bell.countNotifications(needs, readUser(viewer)),
    )
    api.patch(PATH, OWN, async ({ viewer, body }) => {
      const { read: isRead = false, seen = false } = readParams(ReadAll, body)
      if (isRead || seen) await bell.markRead(needs, readUser(viewer), { isRead })
      return bell.countNotifications(needs, readUser(viewer))
    })
    api.patch<OfId>(`${PATH}/:notificationId`, OWN, async ({ viewer, params, body }, reply) => {
      const { read: isRead } = readParams(ReadOne, body)
      const { notificationId: id } = params
      if (isId(id)) await bell.markRead(needs, readUser(viewer), { id, isRead })
      return reply.code(204).send()
    })
    api.get(`${PATH}/muted`, OWN, async ({ viewer }) => bell.listMuted(needs, readUser(viewer)))
    api.put<OfPost>(`${PATH}/muted/:postId`, OWN, async ({ viewer, params }, reply) => {
      await bell.mutePost(needs, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
    api.delete<OfPost>(`${PATH}/muted/:postId`, OWN, async ({ viewer, params }, reply) => {
      if (isId(params.postId)) await bell.unmutePost(needs, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
  }
}
