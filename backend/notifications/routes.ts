// HTTP routes for notifications (api.md §15.23): parameters in, answers out. All calls are about
// the caller.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import {
  MailChoiceChanges,
  type MailFrequency,
  type MailKind,
  MarkAllNotifications,
  MarkNotification,
  NotificationsQuery,
  UNSUBSCRIBE_PATH,
  Unsubscribe,
} from '#contract/notifications.ts'
import { call, listOf, NO_BODY, OBJECT, texts } from '../http/openapi.ts'
import { countPerAddress, countPerUser, limited, limitedAccount } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { NotificationsContext } from './context.ts'
import { changeMailChoices, readMailChoices, unsubscribe } from './mails.ts'
import * as bell from './notifications.ts'

const OWN = { config: { scope: 'account' } } as const
const CHANGING = limitedAccount(countPerUser('change of notifications', RATE.settingsChangePerUser))
const PATH = '/notifications'
const counts = { new: Type.Integer(), unread: Type.Integer() }
const Counts = Type.Object(counts)
const Page = Type.Object({ ...counts, list: Type.Array(OBJECT), next: Type.String() })
const Mails = Type.Object({ ...texts('email state'), choices: OBJECT })
type OfId = { Params: { notificationId: string } }
type OfPost = { Params: { postId: string } }

export function notificationRoutes(context: NotificationsContext): Routes {
  return (api) => {
    const listing = call(OWN, 'Notifications of the caller', {
      querystring: NotificationsQuery,
      200: Page,
    })
    addReadRoute(api, PATH, listing, async ({ viewer, query }) =>
      bell.listNotifications(context, readUser(viewer), readParams(NotificationsQuery, query)),
    )
    const counting = call(OWN, 'The counts shown at the bell', { 200: Counts })
    addReadRoute(api, `${PATH}/count`, counting, async ({ viewer }) =>
      bell.countNotifications(context, readUser(viewer)),
    )
    const markingAll = call(CHANGING, 'Marks all as seen or read', {
      body: MarkAllNotifications,
      200: Counts,
    })
    api.patch(PATH, markingAll, async ({ viewer, body }) => {
      const { read: isRead = false, seen = false } = readParams(MarkAllNotifications, body)
      if (isRead || seen) await bell.markRead(context, readUser(viewer), { isRead })
      return bell.countNotifications(context, readUser(viewer))
    })
    const markingOne = call(CHANGING, 'Marks one as read', { body: MarkNotification, 204: NO_BODY })
    api.patch<OfId>(
      `${PATH}/:notificationId`,
      markingOne,
      async ({ viewer, params, body }, reply) => {
        const { read: isRead } = readParams(MarkNotification, body)
        const { notificationId: id } = params
        if (isId(id)) await bell.markRead(context, readUser(viewer), { id, isRead })
        return reply.code(204).send()
      },
    )
    const listingMuted = call(OWN, 'Muted posts', { 200: listOf('list', OBJECT) })
    addReadRoute(api, `${PATH}/muted`, listingMuted, async ({ viewer }) =>
      bell.listMuted(context, readUser(viewer)),
    )
    const muting = call(CHANGING, 'Mutes a post', {
      204: NO_BODY,
      refusals: ['document_not_found'],
    })
    api.put<OfPost>(`${PATH}/muted/:postId`, muting, async ({ viewer, params }, reply) => {
      await bell.mutePost(context, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
    const unmuting = call(CHANGING, 'Ends the muting of a post', { 204: NO_BODY })
    api.delete<OfPost>(`${PATH}/muted/:postId`, unmuting, async ({ viewer, params }, reply) => {
      if (isId(params.postId)) await bell.unmutePost(context, readUser(viewer), params.postId)
      return reply.code(204).send()
    })
    const readingMails = call(OWN, 'Which notifications are mailed', { 200: Mails })
    addReadRoute(api, `${PATH}/mails`, readingMails, async ({ viewer }) =>
      readMailChoices(context, readUser(viewer)),
    )
    const changingMails = call(CHANGING, 'Changes which notifications are mailed', {
      body: MailChoiceChanges,
      200: Mails,
    })
    api.patch(`${PATH}/mails`, changingMails, async ({ viewer, body }) => {
      const user = readUser(viewer)
      const changes = readParams(MailChoiceChanges, body) as Partial<
        Record<MailKind, MailFrequency>
      >
      await changeMailChoices(context, user.userId, changes)
      return readMailChoices(context, user)
    })
    // In a scope of its own, because only this call accepts a form.
    api.register(async (scope) => addUnsubscribe(scope, context))
  }
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Called without a project or a session by mail programs and by the unsubscribe page. */
function addUnsubscribe(api: FastifyInstance, context: NotificationsContext): void {
  const readForm = async (_request: FastifyRequest, text: string | Buffer) => String(text)
  api.addContentTypeParser([FORM_TYPE, 'multipart/form-data'], { parseAs: 'string' }, readForm)
  const rateLimit = limited(countPerAddress('unsubscribe', RATE.unsubscribePerAddress))
  // The page sends no origin, because its URL holds the secret; cookies are ignored.
  const config = { ...rateLimit.config, isProjectless: true, isCallback: true }
  const unsubscribing = call({ config }, 'Ends mails of a kind', {
    querystring: Unsubscribe,
    200: Type.Object(texts('kind')),
    refusals: ['user_invalid_token'],
  })
  api.post(UNSUBSCRIBE_PATH, unsubscribing, async (request, reply) => {
    const { secret } = readParams(Unsubscribe, request.query)
    const isPage = typeof request.body === 'string' && request.body.includes('page=')
    if (!isPage) return unsubscribe(context, secret)
    const { kind } = await unsubscribe(context, secret).catch((error: unknown) => {
      if (error instanceof Refusal) return { kind: '' }
      throw error
    })
    return reply.redirect(`${UNSUBSCRIBE_PATH}?done=${kind}`, 303)
  })
  // For mail programs that open the link instead of posting to it.
  const redirecting = call(
    { config: { isProjectless: true } },
    'Leads to the page that ends mails',
    {
      querystring: Unsubscribe,
      303: NO_BODY,
    },
  )
  api.get(UNSUBSCRIBE_PATH, redirecting, async ({ query }, reply) => {
    const { secret } = readParams(Unsubscribe, query)
    return reply.redirect(`${UNSUBSCRIBE_PATH}?secret=${encodeURIComponent(secret)}`, 303)
  })
}
