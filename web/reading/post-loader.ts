// Loads the post page's data, the same on the server and in the browser.
import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import {
  type CommentsQuery,
  commentElementId,
  postPath,
  readCommentsQuery,
  titleSegment,
  writeCommentsQuery,
} from '#contract/post-url.ts'
import type { AdjacentPosts } from '#contract/posts.ts'
import { type Api, failureOf } from '../api/client.ts'
import { findIn } from '../comments/comment-page.ts'
import { readComments, type ShownComments } from '../comments/comments-api.ts'
import type { FirstComments } from '../comments/use-comments.ts'
import { callCollection, type PagePost, readPagePost } from '../posts/posts-api.ts'

/**
 * `post` is null when there is none for this viewer, `adjacent` null when it is not known. In the
 * browser they are promises, so that the page can show that it is loading.
 */
export type PostPageData = {
  post: PagePost | null | Promise<PagePost | null>
  adjacent: AdjacentPosts | null | Promise<AdjacentPosts | null>
  /** Only the server loads them with the post. */
  comments: FirstComments
}

/** Finds the client for a call: the browser's one, or that of the request being rendered. */
export type ApiOf = (args: Pick<LoaderFunctionArgs, 'context'>) => Api

/**
 * Refusals that mean "no such post for you": unknown or hidden (404), or not an id at all (400).
 */
const MISSING = [404, 400]

async function findOrNull(api: Api, slug: string): Promise<PagePost | null> {
  try {
    return await readPagePost(api, slug)
  } catch (error) {
    const { code } = failureOf(error)
    if (MISSING.includes(code)) return null
    throw data({ isUnanswered: code === 0 }, { status: code || 503 })
  }
}

/**
 * @throws a response with the failure's status, for the router's error screen; a redirect to the
 *   present address when other words than the title's stand behind the id
 */
export function makePostLoader(apiOf: ApiOf) {
  return async function loadPost(args: LoaderFunctionArgs) {
    const { params } = args
    const { slug, words } = params
    if (!slug) throw redirect('/')
    const api = apiOf(args)
    const post = findOrNull(api, slug)
    const findAdjacent = async () => {
      const path = `/documents/${slug}/around`
      const found = await callCollection<AdjacentPosts>(api, 'get', path)
      return found.ok ? found.value : null
    }
    if (typeof document !== 'undefined') {
      post.then(
        (found) => found?.status === 'active' && recordRead(api, slug),
        () => undefined, // the page handles it; it may be gone by then
      )
      return { post, adjacent: findAdjacent(), comments: undefined } satisfies PostPageData
    }
    const found = await post
    const { pathname, search } = new URL(args.request.url)
    const asked = readCommentsQuery(search)
    // Compared decoded: a proxy may have escaped the words in another way, and would do so again.
    if (found && words !== undefined && words !== titleSegment(found.title))
      throw redirect(postPath(found) + writeCommentsQuery(asked), 301)
    const loading = found?.status === 'active' ? loadComments(api, slug, asked) : undefined
    const [adjacent, comments] = await Promise.all([found && findAdjacent(), loading])
    if (typeof comments === 'string') throw redirect(pathname + comments)
    return data({ post: found, adjacent, comments } satisfies PostPageData, {
      status: found ? 200 : 404,
    })
  }
}

/**
 * @returns null when they cannot be had; where else they are: one comment is on the page of its
 *   own, and nothing is where nobody has written
 */
async function loadComments(
  api: Api,
  slug: string,
  asked: CommentsQuery,
): Promise<ShownComments | null | string> {
  const found = await readComments(api, slug, { ...asked, order: 'oldest', texts: 'html' })
  const query = writeCommentsQuery(asked)
  if (!found.ok) return query && MISSING.includes(found.failure.code) ? '' : null
  const { page, thread } = found.value
  const better = writeCommentsQuery({ page, thread })
  if (better === query) return found.value
  const isThere = asked.comment && findIn(found.value, asked.comment)
  return isThere ? `${better}#${commentElementId(isThere.$id)}` : better
}

/**
 * Tells that a post was opened in the app; the server counts the pages that it sends itself.
 * Whether it worked is not worth knowing.
 */
function recordRead(api: Api, slug: string): void {
  if (api.settings.hasReadCounts) void callCollection(api, 'post', `/documents/${slug}/reads`)
}
