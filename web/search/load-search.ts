// The data of the search page: the results of a query or, without a query, popular tags.
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { SEARCH_MAX_CHARS, SEARCH_PAGES_MAX } from '#contract/limits.ts'
import type { TagList } from '#contract/posts.ts'
import type { SearchResults } from '#contract/search.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { callCollection } from '../posts/posts-api.ts'
import { withAuthor } from '../posts/shown-post.ts'

const TAGS_SHOWN = 8

/** `page` counts from 1. */
export type SearchQuery = { q: string; page: number }

export type SearchPageData =
  | { kind: 'found'; results: SearchResults }
  | { kind: 'short' }
  | { kind: 'start'; tags: string[] }

/** Reads the address. A query that is too long is cut; an invalid page becomes the first. */
export function readSearchQuery(search: URLSearchParams): SearchQuery {
  const q = truncateAtGrapheme((search.get('q') ?? '').trim(), SEARCH_MAX_CHARS).toWellFormed()
  const page = search.get('page') ?? ''
  const isPage = /^[1-9]\d{0,2}$/.test(page) && Number(page) <= SEARCH_PAGES_MAX
  return { q, page: isPage ? Number(page) : 1 }
}

export function searchPath({ q, page }: SearchQuery): string {
  if (q === '') return '/search'
  return `/search?${new URLSearchParams({ q, ...(page > 1 ? { page: String(page) } : {}) })}`
}

export async function loadSearch(api: Api, query: SearchQuery): Promise<Result<SearchPageData>> {
  if (query.q === '') return succeed({ kind: 'start', tags: await findTags(api) })
  const values = { q: query.q, page: String(query.page) }
  const results = await callCollection<SearchResults>(api, 'get', '/search', values)
  if (results.ok) {
    const documents = results.value.documents.map((post) => withAuthor(post))
    return succeed({ kind: 'found', results: { ...results.value, documents } })
  }
  // `readSearchQuery` prevents every other query that the server would refuse.
  return results.failure.code === 400 ? succeed({ kind: 'short' }) : results
}

/**
 * Returns no tags if the call fails: the page does not depend on them. The post form has a call of
 * its own, because a shared one would be one more file to load.
 */
async function findTags(api: Api): Promise<string[]> {
  const list = await callCollection<TagList>(api, 'get', '/tags', { limit: String(TAGS_SHOWN) })
  return list.ok ? list.value.tags.map(({ name }) => name) : []
}
