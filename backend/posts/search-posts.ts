// The search for posts (api.md §15.17): what is found as far as the viewer may read it, with the
// pieces of text that a page shows. Knows no SQL; the index is in search.

import { SNIPPET_SEARCHED_MAX_CHARS } from '#backend/search/found-in-text.ts'
import { wireTime } from '#contract/ids.ts'
import { SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX } from '#contract/limits.ts'
import type { FoundPost, FoundPosts } from '#contract/search.ts'
import type { Reading } from '#contract/site-settings.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import { makeTurns, type Turns } from '../process/turns.ts'
import { type AskedPart, readAsked } from '../search/asked.ts'
import { markAll, snippetOf } from '../search/found-in-text.ts'
import { findPosts, type SearchNeeds, searchedText } from '../search/search.ts'
import { readableBy } from './access.ts'
import { readFound } from './found-posts-store.ts'
import { asSent } from './naming.ts'
import { inScope } from './post-scope-store.ts'
import type * as store from './store.ts'

export type SearchPostsNeeds = SearchNeeds & {
  contentBucketId: string
  /** Who may search; everybody where it is not said. */
  reading?: Reading | undefined
}

/** `page` counts from 1. */
export type SearchAsked = {
  q: string
  page: number
}

/**
 * The best first: all words in the title, some of them, none; each the newest first.
 *
 * @throws Refusal `general_unauthorized_scope` for guests where the list is for members,
 *   `general_argument_invalid`
 */
export async function searchPosts(
  needs: SearchPostsNeeds,
  viewer: Viewer,
  { q, page }: SearchAsked,
): Promise<FoundPosts> {
  if (viewer.role === 'guest' && needs.reading === 'members') requireScope(viewer, 'account')
  const parts = readAsked(q)
  return findDocuments(needs, viewer, { parts, page })
}

async function findDocuments(
  needs: SearchPostsNeeds,
  viewer: Viewer,
  { parts, page }: { parts: AskedPart[]; page: number },
): Promise<FoundPosts> {
  const scope = readableBy(viewer)
  const visible = inScope(scope, 'searchPost')
  const offset = (page - 1) * SEARCH_PAGE_POSTS
  const limit = Math.min(SEARCH_PAGE_POSTS, SEARCH_RESULTS_MAX - offset)
  const { seqs, total } = await findPosts(needs, { parts, visible }, { limit, offset })
  // What was hidden or changed since it was found is left out.
  const rows = await readFound(needs.db, seqs, {
    ...{ scope, contentMaxChars: SNIPPET_SEARCHED_MAX_CHARS },
    imageBucketId: needs.contentBucketId,
    color: { bucketId: needs.contentBucketId, readers: 'any' },
  })
  const [documents, turns]: [FoundPost[], Turns] = [[], makeTurns()]
  for (const row of rows) documents.push(await toFound(needs, row, { parts, turns }))
  return { total, documents }
}

async function toFound(
  needs: SearchNeeds,
  row: store.PostRow,
  { parts, turns }: { parts: AskedPart[]; turns: Turns },
): Promise<FoundPost> {
  return {
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    title: row.title,
    status: asSent(row, 'status'),
    hidden: row.isHidden === 1,
    userid: row.userId,
    userName: row.userName,
    ownImage: row.ownImage ?? '',
    imageColor: row.imageColor ?? '',
    titleParts: markAll(row.title, parts),
    snippet: await snippetOf(searchedText(needs, row.content), parts, turns),
  }
}
