// Searches posts (api.md §15.17): the matching posts that the viewer may read, with snippets. SQL
// is in full-text-search-store.ts.

import { wireTime } from '#contract/ids.ts'
import { SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX } from '#contract/limits.ts'
import { plainText, truncateHtml } from '#contract/plain-text.ts'
import type { SearchResult, SearchResults, TextPart } from '#contract/search.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { isPage, refuseGuests, searchableBy } from '../posts/access.ts'
import { parseDetails } from '../posts/post-details.ts'
import { optionalColumnsFor } from '../posts/read-post.ts'
import type * as store from '../posts/store.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import {
  highlightMatches,
  type Matcher,
  makeMatcher,
  snippetOf,
} from '../search/highlight-matches.ts'
import { parseSearchTerms } from '../search/parse-search.ts'
import { findRanked, withStatementTimeout } from './full-text-search-store.ts'
import { readBySeqs } from './post-list-store.ts'

/** Characters of a body that are searched for a snippet: at most, and in the first attempt. */
const SNIPPET_SEARCHED_MAX_CHARS = 20_000
const SNIPPET_FIRST_CHARS = 2000
/** PostgreSQL stops a search after this time; the answer is then 503. */
const STATEMENT_MAX_MS = 2000

/** `page` counts from 1. */
export type SearchRequest = { q: string; page: number }

/**
 * Finds posts with all words: first those with all of them in the title, then with some, then with
 * none; within each of these groups, the newest first.
 *
 * @throws Refusal `general_unauthorized_scope` for guests where the list is for members,
 *   `general_argument_invalid`
 */
export async function searchPosts(
  context: PostsContext,
  viewer: Viewer,
  { q, page }: SearchRequest,
): Promise<SearchResults> {
  await refuseGuests(context, viewer)
  const terms = parseSearchTerms(q)
  const scope = searchableBy(viewer)
  const offset = (page - 1) * SEARCH_PAGE_POSTS
  const limit = Math.max(0, Math.min(SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX - offset))
  const { seqs, total } = await withStatementTimeout(context.db, STATEMENT_MAX_MS, (db) =>
    findRanked(db, { terms, scope }, { limit, offset }),
  )
  // Leaves out posts that the viewer may no longer read.
  const rows = await readBySeqs(context.db, seqs, {
    scope,
    contentMaxChars: SNIPPET_SEARCHED_MAX_CHARS,
    optional: optionalColumnsFor(context, viewer, ['ownImage', 'imageColor']),
  })
  const documents: SearchResult[] = []
  const matcher = makeMatcher(terms)
  const yieldToEventLoop = makeYieldToEventLoop()
  for (const row of rows) {
    await yieldToEventLoop()
    documents.push(toSearchResult(row, matcher))
  }
  return { total: Math.min(total, SEARCH_RESULTS_MAX), documents }
}

function toSearchResult(row: store.PostRow, matcher: Matcher): SearchResult {
  const { addressWords, excerpt } = parseDetails(row.details)
  const snippet = snippetIn(row.content, matcher)
  const hasHits = snippet.some(({ isHit }) => isHit)
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    title: row.title,
    ...(addressWords === undefined ? {} : { addressWords }),
    status: row.status,
    hidden: row.isHidden === 1,
    ...(isPage(row) ? { page: true } : {}),
    userid: row.userId,
    userName: row.userName,
    ownImage: row.ownImage ?? '',
    imageColor: row.imageColor ?? '',
    titleParts: highlightMatches(row.title, matcher),
    snippet: hasHits || excerpt === undefined ? snippet : [{ text: excerpt, isHit: false }],
  }
}

/** Searches the beginning of the text first, where most hits are. */
function snippetIn(body: string, matcher: Matcher): TextPart[] {
  const textOf = (maxChars: number) => plainText(truncateHtml(body, maxChars))
  const { parts, isFinal } = snippetOf(textOf(SNIPPET_FIRST_CHARS), matcher)
  if (isFinal || body.length <= SNIPPET_FIRST_CHARS) return parts
  return snippetOf(textOf(SNIPPET_SEARCHED_MAX_CHARS), matcher).parts
}
