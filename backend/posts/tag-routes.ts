// Tags in use over HTTP (api.md §15.14): parameters in, answers out.
import { Type } from 'typebox'
import type { Reading } from '#contract/site-settings.ts'
import { TAG_KEY_MAX_CHARS } from '#contract/tags.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { requireScope } from '../http/viewer.ts'
import type { Posts } from './posts.ts'
import { CollectionParams, countTime } from './routes.ts'
import { TAGS_ASKED_MAX } from './tags.ts'

/** Unless the question says how many. */
const TAGS_ASKED_DEFAULT = 10

const Question = Type.Object({
  startsWith: Type.Optional(
    Type.String({
      maxLength: TAG_KEY_MAX_CHARS,
      description: `Value must be a valid string and no longer than ${TAG_KEY_MAX_CHARS} chars`,
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,2}$',
      description: 'Value must be a whole number of at least 1',
    }),
  ),
})

/** @param needs `reading`: whether visitors may ask */
export function tagRoutes(
  posts: Posts,
  { rateLimits, reading }: { rateLimits: RateLimits; reading: Reading },
): Routes {
  return (api) => {
    api.get('/databases/:databaseId/collections/:collectionId/tags', async (request) => {
      const { viewer, params, query } = request
      const { databaseId, collectionId } = readParams(CollectionParams, params)
      const { startsWith = '', limit: asked } = readParams(Question, query)
      if (viewer.role === 'guest' && reading === 'members') requireScope(viewer, 'account')
      posts.checkCollection(databaseId, collectionId)
      const limit = Math.min(Number(asked ?? TAGS_ASKED_DEFAULT), TAGS_ASKED_MAX)
      // A tag of very many posts that the caller may not read takes long.
      return countTime(request, rateLimits, () => posts.listTags(viewer, { startsWith, limit }))
    })
  }
}
