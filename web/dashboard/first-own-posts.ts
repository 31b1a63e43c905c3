// One page of the viewer's own posts, with how many of all of them are active.
import type { Api } from '../api/client.ts'
import { type Result, succeed } from '../api/result.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  type ListState,
  listAfter,
} from '../feed/post-lists.ts'
import { countActive, listOwn, OWN_PAGE_POSTS } from '../posts/posts-api.ts'

/** @param before what is shown already; the page behind it is added */
export async function loadOwnPosts(
  api: Api,
  userId: string,
  before: ListState = emptyList({ list: 'own', viewerId: userId }),
): Promise<Result<ListState>> {
  const [page, active] = await Promise.all([
    listAfter(
      (after) => listOwn(api, userId, after),
      cursorCandidates(before.posts, OWN_PAGE_POSTS),
    ),
    countActive(api, userId),
  ])
  return page.ok ? succeed({ ...addPage(before, page.value), active }) : page
}
