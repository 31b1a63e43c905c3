// Loads the post page's data, the same on the server and in the browser.
import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import {
  addressSegment,
  type CommentsQuery,
  commentElementId,
  postPath,
  readCommentsQuery,
  writeCommentsQuery,
} from '#contract/post-url.ts'
import type { AdjacentPosts } from '#contract/posts.ts'
import { type Api, failureOf } from '../api/client.ts'
import { findIn } from '../comments/comment-page.ts'
import { readComments, type ShownComments } from '../comments/comments-api.ts'
import type { InitialComments } from '../comments/use-comments.ts'
import { callCollection, type PagePost, readPagePost } from '../posts/posts-api.ts'

/**
 * `post` is null if it does not exist for this viewer, `adjacent` if its call failed. In the
 * browser both are promises, so that the page can show that it is loading.
 */
export type PostPageData = {
  post: PagePost | null | Promise<PagePost | null>
  adjacent: AdjacentPosts | null | Promise<AdjacentPosts | null>
  /** Loaded with the post only on the server. */
  comments: InitialComments
}

/** Returns the client for a call: the browser's, or on the server that of the rendered request. */
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
    throw data({ hasNoResponse: code === 0 }, { status: code || 503 })
  }
}

/**
 * @throws a response with the failure's status, for the router's error screen; a redirect to the
 *   current address of the post if other words follow the id
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
      const result = await callCollection<AdjacentPosts>(api, 'get', path)
      return result.ok ? result.value : null
    }
    if (typeof document !== 'undefined') {
      post.then(
        (loaded) => loaded?.status === 'active' && recordRead(api, slug),
        () => undefined, // the page shows the failure, unless the user has left it
      )
      return { post, adjacent: findAdjacent(), comments: undefined } satisfies PostPageData
    }
    const loaded = await post
    const { pathname, search } = new URL(args.request.url)
    const commentsQuery = readCommentsQuery(search)
    // The decoded words are compared: a proxy may escape them differently, also after the redirect,
    // which would then be repeated for ever.
    if (loaded && words !== undefined && words !== addressSegment(loaded))
      throw redirect(postPath(loaded) + writeCommentsQuery(commentsQuery), 301)
    const loadingComments =
      loaded?.status === 'active' ? loadComments(api, slug, commentsQuery) : undefined
    const [adjacent, comments] = await Promise.all([loaded && findAdjacent(), loadingComments])
    if (typeof comments === 'string') throw redirect(pathname + comments)
    return data({ post: loaded, adjacent, comments } satisfies PostPageData, {
      status: loaded ? 200 : 404,
    })
  }
}

/**
 * @returns null when the call fails; a query to redirect to if another page has the comment, or if
 *   the requested page does not exist
 */
async function loadComments(
  api: Api,
  slug: string,
  commentsQuery: CommentsQuery,
): Promise<ShownComments | null | string> {
  const result = await readComments(api, slug, { ...commentsQuery, order: 'oldest', texts: 'html' })
  const query = writeCommentsQuery(commentsQuery)
  if (!result.ok) return query && MISSING.includes(result.failure.code) ? '' : null
  const { page, thread } = result.value
  const canonicalQuery = writeCommentsQuery({ page, thread })
  if (canonicalQuery === query) return result.value
  const comment = commentsQuery.comment && findIn(result.value, commentsQuery.comment)
  return comment ? `${canonicalQuery}#${commentElementId(comment.$id)}` : canonicalQuery
}

/**
 * Reports that a post was opened in the app; the server counts the pages that it sends. A failure
 * is ignored.
 */
function recordRead(api: Api, slug: string): void {
  if (api.settings.hasReadCounts) void callCollection(api, 'post', `/documents/${slug}/reads`)
}
