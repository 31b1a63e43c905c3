// What the page of the search shows: posts that were found, or before anything is asked the tags
// that are often used.
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { SEARCH_MAX_CHARS, SEARCH_PAGES_MAX } from '#contract/limits.ts'
import type { TagList } from '#contract/posts.ts'
import type { SearchResults } from '#contract/search.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { callCollection } from '../posts/posts-api.ts'
import { withAuthor } from '../posts/shown-post.ts'

const TAGS_SHOWN = 8

/** What is asked for; `page` counts from 1. */
export type SearchQuery = { q: string; page: number }

export type SearchPageData =
  | { kind: 'found'; found: SearchResults }
  | { kind: 'short' }
  | { kind: 'start'; tags: string[] }

/** As the address says it; more than may be asked is cut off, and no such page is the first. */
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

export async function loadSearch(api: Api, asked: SearchQuery): Promise<Result<SearchPageData>> {
  if (asked.q === '') return succeed({ kind: 'start', tags: await findTags(api) })
  const values = { q: asked.q, page: String(asked.page) }
  const found = await callCollection<SearchResults>(api, 'get', '/search', values)
  if (found.ok) {
    const documents = found.value.documents.map((post) => withAuthor(post))
    return succeed({ kind: 'found', found: { ...found.value, documents } })
  }
  // `readSearchQuery` prevents every other query that the server would refuse.
  return found.failure.code === 400 ? succeed({ kind: 'short' }) : found
}

/**
 * None when they cannot be had: the page does not depend on them. Not by `posts/tags-api.ts`, which
 * comes with the post form: shared by both it would be one file more to load.
 */
async function findTags(api: Api): Promise<string[]> {
  const found = await callCollection<TagList>(api, 'get', '/tags', { limit: String(TAGS_SHOWN) })
  return found.ok ? found.value.tags.map(({ name }) => name) : []
}
