// The search for posts over HTTP (api.md §15.17): parameters in, answers out.
import { Type } from 'typebox'
import { invalidParam } from '#contract/errors.ts'
import { SEARCH_PAGES_MAX } from '#contract/limits.ts'
import type { AddSharedRead } from '../cache/cached-reads.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Posts } from './posts.ts'
import { CollectionParams, countTime, readPlace } from './routes.ts'

const PAGE_RULE = `Value must be a valid number of 1 to ${SEARCH_PAGES_MAX}`
const Search = Type.Object({
  q: Type.String({ description: 'Value must be a valid string' }),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: PAGE_RULE })),
})

export function searchRoutes(
  posts: Posts,
  { rateLimits, addSharedRead }: { rateLimits: RateLimits; addSharedRead: AddSharedRead },
): Routes {
  return (api) => {
    const path = '/databases/:databaseId/collections/:collectionId/search'
    addSharedRead(api, path, {
      async read({ viewer, params, query }, request) {
        readPlace(posts, CollectionParams, params)
        const { q, page: number = '1' } = readParams(Search, query)
        const page = Number(number)
        if (page > SEARCH_PAGES_MAX) throw invalidParam('page', PAGE_RULE)
        return countTime(request, rateLimits, () => posts.search(viewer, { q, page }))
      },
      ownPosts: async () => 'all',
      hasTag: false,
    })
  }
}
