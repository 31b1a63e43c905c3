// What the page of the search shows: posts that were found, or before anything is asked the tags
// that are often used.
import { SEARCH_MAX_CHARS } from '#contract/limits.ts'
import type { TagList } from '#contract/posts.ts'
import type { FoundPosts } from '#contract/search.ts'
import type { Api } from '../api/client.ts'
import { type Result, resultOf, succeed } from '../api/result.ts'
import { withAuthor } from '../posts/posts-api.ts'

const TAGS_SHOWN = 8

/** What is asked for; `page` counts from 1. */
export type Asked = { q: string; page: number }

export type FoundPage =
  | { kind: 'found'; found: FoundPosts }
  | { kind: 'short' }
  | { kind: 'start'; tags: string[] }

/** As the address says it; more than may be asked is cut off. */
export function askedOf(search: URLSearchParams): Asked {
  const q = (search.get('q') ?? '').trim().slice(0, SEARCH_MAX_CHARS).toWellFormed()
  const page = search.get('page') ?? ''
  return { q, page: /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1 }
}

export function searchPath({ q, page }: Asked): string {
  if (q === '') return '/search'
  return `/search?${new URLSearchParams({ q, ...(page > 1 ? { page: String(page) } : {}) })}`
}

export async function loadSearch(api: Api, asked: Asked): Promise<Result<FoundPage>> {
  if (asked.q === '') return succeed({ kind: 'start', tags: await findTags(api) })
  const found = await resultOf(
    call<FoundPosts>(api, 'search', { q: asked.q, page: String(asked.page) }),
  )
  if (found.ok) {
    const documents = found.value.documents.map(withAuthor)
    return succeed({ kind: 'found', found: { ...found.value, documents } })
  }
  // All that the page lets through else is fine.
  return found.failure.code === 400 ? succeed({ kind: 'short' }) : found
}

/** None when they cannot be had: the page does not depend on them. */
async function findTags(api: Api): Promise<string[]> {
  const found = await resultOf(call<TagList>(api, 'tags', { limit: String(TAGS_SHOWN) }))
  return found.ok ? found.value.tags.map(({ name }) => name) : []
}

function call<Answer>(
  { client, settings }: Api,
  name: string,
  params: Record<string, string>,
): Promise<Answer> {
  const { databaseId, collectionId } = settings
  const path = `/databases/${databaseId}/collections/${collectionId}/${name}`
  const url = new URL(client.config.endpoint + path)
  url.search = new URLSearchParams(params).toString()
  return client.call('get', url, {}) as Promise<unknown> as Promise<Answer>
}
