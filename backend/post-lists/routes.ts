// HTTP routes for lists of posts, authors, tags in use and the search: parameters in, answers out.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { invalidParam } from '#contract/errors.ts'
import { SEARCH_PAGES_MAX } from '#contract/limits.ts'
import { TAG_KEY_MAX_CHARS } from '#contract/plain-text.ts'
import type { AdjacentPosts } from '#contract/posts.ts'
import type { Tagged } from '../cache/shared-reads.ts'
import { tagOfLink, tagOfPost, tagOfUser } from '../database/cache-tags.ts'
import { BOOLEAN_TEXT, call, listOf, texts } from '../http/openapi.ts'
import type { ReadRequest } from '../http/read-calls.ts'
import { findQueryList, isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { refuseGuests } from '../posts/access.ts'
import { makeCharge } from '../posts/charge-work.ts'
import { hasPrivatePosts, isSameForAll } from '../posts/read-post.ts'
import {
  CollectionParams,
  DOCUMENTS_PATH,
  Document,
  Id,
  readDocumentId,
  readPathParams,
} from '../posts/routes.ts'
import { readAdjacentPosts, readAuthor } from './adjacent-posts.ts'
import { listPosts, privatePostsIn } from './list-posts.ts'
import { searchPosts } from './search-posts.ts'
import { listTags, TAGS_LISTED_MAX } from './tag-list.ts'

/** Operators may restrict lists to members, so this is not a fixed scope of the routes. */
const FOR_MEMBERS = ['general_unauthorized_scope'] as const

const AuthorParams = Type.Object({ databaseId: Id, collectionId: Id, userId: Id })

/** The default of `limit`. */
const TAGS_LISTED_DEFAULT = 10

const TagQuery = Type.Object({
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

const ListQuery = Type.Object({
  queries: Type.Optional(Type.Array(Type.String())),
  total: Type.Optional(BOOLEAN_TEXT),
  before: Type.Optional(BOOLEAN_TEXT),
})

const Author = Type.Object(
  { ...texts('$id $createdAt name about avatar'), posts: Type.Integer() },
  { $id: 'Author' },
)
const AddressWords = Type.Optional(Type.String())
const Adjacent = Type.Object(
  { ...texts('$id title'), addressWords: AddressWords },
  { $id: 'Adjacent' },
)
const Other = Type.Object(
  { ...texts('$id $createdAt title featuredImage imageColor'), addressWords: AddressWords },
  { $id: 'Other' },
)
const Around = Type.Object(
  {
    previous: Type.Union([Adjacent, Type.Null()]),
    next: Type.Union([Adjacent, Type.Null()]),
    others: Type.Array(Other),
    about: Type.String(),
  },
  { $id: 'Around' },
)
const Tag = Type.Object({ ...texts('tag name'), posts: Type.Integer() }, { $id: 'Tag' })
const Part = Type.Object({ text: Type.String(), isHit: Type.Boolean() }, { $id: 'Part' })
const Found = Type.Object(
  {
    ...texts('$id $createdAt $updatedAt title status userid userName ownImage imageColor'),
    addressWords: AddressWords,
    hidden: Type.Boolean(),
    page: Type.Optional(Type.Boolean()),
    titleParts: Type.Array(Part),
    snippet: Type.Array(Part),
  },
  { $id: 'Found' },
)

function readCounting(query: unknown): { hasTotal: boolean; hasBefore: boolean } {
  const { total, before } = isRecord(query) ? query : {}
  return {
    hasTotal: total !== 'false' && total !== '0',
    hasBefore: before === 'true' || before === '1',
  }
}

export function postListRoutes(context: PostsContext): Routes {
  const { db, rateLimits, addSharedRead } = context
  return (api) => {
    const listing = call({}, 'Posts that the caller may read', {
      querystring: ListQuery,
      200: listOf('documents', Document),
      refusals: ['general_cursor_not_found'],
    })
    addSharedRead(api, DOCUMENTS_PATH, listing, {
      async read(request) {
        const { viewer, params, query } = request
        readPathParams(context, CollectionParams, params)
        const options = { ...readCounting(query), charge: makeCharge(request, rateLimits) }
        return await listPosts(context, viewer, findQueryList(query, 'queries'), options)
      },
      async isPersonal({ viewer, query }) {
        const kind = privatePostsIn(findQueryList(query, 'queries'))
        return kind === undefined || (await hasPrivatePosts(db, viewer, kind))
      },
      isShared: ({ documents }) => isSameForAll(documents),
    })
    const readingAdjacent = call({}, 'The posts around a post', { 200: Around })
    addSharedRead(api, `${DOCUMENTS_PATH}/:documentId/around`, readingAdjacent, {
      read: async ({ viewer, params }) =>
        readAround(context, viewer, readDocumentId(context, params)),
    })
    const author = call({}, 'An author', { 200: Author, refusals: FOR_MEMBERS })
    addSharedRead(api, '/databases/:databaseId/collections/:collectionId/authors/:userId', author, {
      async read({ viewer, params }) {
        await refuseGuests(context, viewer)
        const { userId } = readPathParams(context, AuthorParams, params)
        const answer = await readAuthor(context, viewer, userId)
        return { answer, tags: ['posts', tagOfUser(userId)] }
      },
      isPersonal: async ({ viewer }) => hasPrivatePosts(db, viewer, 'active'),
    })
    addTags(api, context)
    addSearch(api, context)
  }
}

async function readAround(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<Tagged<AdjacentPosts>> {
  const { around, authorId } = await readAdjacentPosts(context, viewer, id)
  const { previous, next, others } = around
  const linked = [previous, next, ...others].filter((post) => post !== null)
  const tags = [tagOfPost(id), tagOfUser(authorId), ...linked.map(({ $id }) => tagOfLink($id))]
  // On PostgreSQL, two posts that are published at the same time may not see each other.
  return { answer: around, tags: next ? tags : [...tags, 'posts'] }
}

/** Tags in use (api.md §15.14). */
function addTags(api: FastifyInstance, context: PostsContext): void {
  const tags = call({}, 'Tags in use', {
    querystring: TagQuery,
    200: listOf('tags', Tag),
    refusals: FOR_MEMBERS,
  })
  const read = async (request: ReadRequest) => {
    const { viewer, params, query } = request
    const { startsWith = '', limit: requested } = readParams(TagQuery, query)
    await refuseGuests(context, viewer)
    readPathParams(context, CollectionParams, params)
    const limit = Math.min(Number(requested ?? TAGS_LISTED_DEFAULT), TAGS_LISTED_MAX)
    // Counting takes long for a tag of very many posts that the caller may not read.
    const answer = await makeCharge(request, context.rateLimits).time(() =>
      listTags(context.db, viewer, { startsWith, limit }),
    )
    return { answer, tags: ['posts'] }
  }
  context.addSharedRead(api, '/databases/:databaseId/collections/:collectionId/tags', tags, {
    read,
    isPersonal: async ({ viewer }) => hasPrivatePosts(context.db, viewer, 'all'),
    hasEtag: false,
  })
}

const PAGE_RULE = `Value must be a valid number of 1 to ${SEARCH_PAGES_MAX}`

const Search = Type.Object({
  q: Type.String({ description: 'Value must be a valid string' }),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: PAGE_RULE })),
})

function addSearch(api: FastifyInstance, context: PostsContext): void {
  const { rateLimits, addSharedRead } = context
  const path = '/databases/:databaseId/collections/:collectionId/search'
  const searching = call({}, 'Finds words', {
    querystring: Search,
    200: listOf('documents', Found),
    refusals: FOR_MEMBERS,
  })
  addSharedRead(api, path, searching, {
    async read(request) {
      const { viewer, params, query } = request
      const { q, page: number = '1' } = readParams(Search, query)
      const page = Number(number)
      if (page > SEARCH_PAGES_MAX) throw invalidParam('page', PAGE_RULE)
      readPathParams(context, CollectionParams, params)
      const answer = await makeCharge(request, rateLimits).time(() =>
        searchPosts(context, viewer, { q, page }),
      )
      return { answer, tags: ['posts', 'texts'] }
    },
    isPersonal: async ({ viewer }) => hasPrivatePosts(context.db, viewer, 'all'),
    hasEtag: false,
  })
}
