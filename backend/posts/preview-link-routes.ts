// HTTP routes of preview links (api.md §15.26).
import { Type } from 'typebox'
import { call, NO_BODY, texts } from '../http/openapi.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { PostsContext } from '../post-texts/context.ts'
import * as previews from './preview-links.ts'
import { DOCUMENTS_PATH, readDocumentId, writeConfig } from './routes.ts'

const Link = Type.Object(
  { ...texts('secret expire lastOpenedAt'), opens: Type.Integer() },
  { $id: 'PreviewLink' },
)

const Preview = Type.Object(
  {
    ...texts('$id $updatedAt title content highlightedContent userName userAvatar'),
    ...texts('ownImage imageColor expire'),
    tags: Type.Array(Type.String()),
  },
  { $id: 'PostPreview' },
)

/** `seen`: the open page has the version of this time; the call opens nothing. */
const PreviewQuery = Type.Object({ seen: Type.Optional(Type.String({ maxLength: 40 })) })

const LINK_PATH = `${DOCUMENTS_PATH}/:documentId/preview-link`

export function previewLinkRoutes(context: PostsContext): Routes {
  return (api) => {
    const making = call({ config: writeConfig }, 'Makes the preview link of a post', {
      201: Link,
      refusals: ['user_is_reader', 'user_unauthorized', 'preview_link_needless'],
    })
    api.post(LINK_PATH, making, async ({ viewer, params }, reply) => {
      const link = await previews.createLink(context, viewer, readDocumentId(context, params))
      return reply.code(201).send(link)
    })

    const reading = call({}, 'The preview link of a post, without its secret', {
      200: Type.Object({ link: Type.Union([Link, Type.Null()]) }),
      refusals: ['user_unauthorized'],
    })
    api.get(LINK_PATH, reading, async ({ viewer, params }) => ({
      link: await previews.readLink(context, viewer, readDocumentId(context, params)),
    }))

    const withdrawing = call({ config: writeConfig }, 'Withdraws the preview link of a post', {
      204: NO_BODY,
      refusals: ['user_unauthorized'],
    })
    api.delete(LINK_PATH, withdrawing, async ({ viewer, params }, reply) => {
      await previews.withdrawLink(context, viewer, readDocumentId(context, params))
      return reply.code(204).send()
    })

    const previewing = call({}, 'A post that is not published, by its preview link', {
      querystring: PreviewQuery,
      200: Preview,
      refusals: ['preview_link_ended'],
    })
    addReadRoute(api, '/previews/:secret', previewing, async ({ viewer, params, query }) => {
      const { seen = '' } = readParams(PreviewQuery, query)
      const { secret } = params as { secret: string }
      return previews.readPreview(context, viewer, secret, { isCounted: seen === '' })
    })
  }
}
