// HTTP of notifications (api.md §15.23): parameters in, answers out. All calls are about
// the caller.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import {
  ChangeMails,
  type MailFrequency,
  type MailKind,
  NotificationsQuery,
  ReadAll,
  ReadOne,
  UNSUBSCRIBE_PATH,
  Unsubscribe,
} from '#contract/notifications.ts'
import { countPerAddress, countPerUser, limited, limitedAccount } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { NotificationsContext } from './context.ts'
import { changeMails, readMails, unsubscribe } from './mails.ts'
import * as bell from './notifications.ts'

const OWN = { config: { scope: 'account' } } as const
const CHANGING = limitedAccount(countPerUser('change of notifications', RATE.settingsChangePerUser))
const PATH = '/notifications'
type OfId = { Params: { notificationId: string } }
type OfPost = { Params: { postId: string } }

export function notificationRoutes(context: NotificationsContext): Routes {
  return (api) => {
    api.get(PATH, OWN, async ({ viewer, query }) =>
      bell.listNotifications(context, readUser(viewer), readParams(NotificationsQuery, query)),
    )
    api.get(`${PATH}/count`, OWN, async ({ viewer }) =>
      bell.countNotifications(context, readUser(viewer)),
    )
    api.patch(PATH, CHANGING, async ({ viewer, body }) => {
      const { read: isRead = false, seen = false } = readParams(ReadAll, body)
      if (isRead || seen) await bell.markRead(context, readUser(viewer), { isRead })
      return bell.countNotifications(context, readUser(viewer))
    })
    api.patch<OfId>(
      `${PATH}/:notificationId`,
      CHANGING,
      async ({ viewer, params, body }, reply) => {
        const { read: isRead } = readParams(ReadOne, body)
        const { notificationId: id } = params
        if (isId(id)) await bell.markRead(context, readUser(viewer), { id, isRead })
        return reply.code(204).send()
      },
    )
    api.get(`${PATH}/muted`, OWN, async ({ viewer }) => bell.listMuted(context, readUser(viewer)))
    api.put<OfPost>(`${PATH}/muted/:postId`, CHANGING, async ({ viewer, params }, reply) => {
      await bell.mutePost(context, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
    api.delete<OfPost>(`${PATH}/muted/:postId`, CHANGING, async ({ viewer, params }, reply) => {
      if (isId(params.postId)) await bell.unmutePost(context, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
    api.get(`${PATH}/mails`, OWN, async ({ viewer }) => readMails(context, readUser(viewer)))
    api.patch(`${PATH}/mails`, CHANGING, async ({ viewer, body }) => {
      const user = readUser(viewer)
      const sent = readParams(ChangeMails, body) as Partial<Record<MailKind, MailFrequency>>
      await changeMails(context, user.userId, sent)
      return readMails(context, user)
    })
    // In a scope of its own: no other call takes a form.
    api.register(async (own) => addUnsubscribe(own, context))
  }
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Without project and session: by mail programs, by the page without scripts, by that with. */
function addUnsubscribe(api: FastifyInstance, context: NotificationsContext): void {
  const readForm = async (_request: FastifyRequest, text: string | Buffer) => String(text)
  api.addContentTypeParser([FORM_TYPE, 'multipart/form-data'], { parseAs: 'string' }, readForm)
  const counted = limited(countPerAddress('unsubscribe', RATE.unsubscribePerAddress))
  // Its page names no origin, since its address holds the secret; no cookie counts here.
  const config = { ...counted.config, isProjectless: true, isCallback: true }
  api.post(UNSUBSCRIBE_PATH, { config }, async (request, reply) => {
    const { secret } = readParams(Unsubscribe, request.query)
    const isPage = typeof request.body === 'string' && request.body.includes('page=')
    if (!isPage) return unsubscribe(context, secret)
    const done = await unsubscribe(context, secret).catch((error: unknown) => {
      if (error instanceof Refusal) return { kind: '' }
      throw error
    })
    return reply.redirect(`${UNSUBSCRIBE_PATH}?done=${done.kind}`, 303)
  })
  // Where a mail program opens it instead.
  api.get(UNSUBSCRIBE_PATH, { config: { isProjectless: true } }, async ({ query }, reply) => {
    const { secret } = readParams(Unsubscribe, query)
    return reply.redirect(`${UNSUBSCRIBE_PATH}?secret=${encodeURIComponent(secret)}`, 303)
  })
}
