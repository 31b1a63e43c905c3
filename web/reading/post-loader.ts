// Loads the post page's data, the same on the server and in the browser.
import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import {
  addressSegment,
  type CommentsQuery,
  commentElementId,
  pagePath,
  postPath,
  readCommentsQuery,
  writeCommentsQuery,
} from '#contract/post-url.ts'
import type { AdjacentPosts } from '#contract/posts.ts'
import { type Api, failureOf } from '../api/client.ts'
import { findIn } from '../comments/comment-page.ts'
import { readComments, type ShownComments } from '../comments/comments-api.ts'
import type { InitialComments } from '../comments/use-comments.ts'
import { callCollection, type PagePost, readBlogPage, readPagePost } from '../posts/posts-api.ts'

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

async function findOrNull(reading: Promise<PagePost>): Promise<PagePost | null> {
  try {
    return await reading
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
    const post = findOrNull(readPagePost(api, slug))
    const findAdjacent = async () => {
      const path = `/documents/${slug}/around`
      const result = await callCollection<AdjacentPosts>(api, 'get', path)
      return result.ok ? result.value : null
    }
    if (typeof document !== 'undefined') {
      post.then(
        (loaded) => loaded?.status === 'active' && !loaded.page && recordRead(api, slug),
        () => undefined, // the page shows the failure, unless the user has left it
      )
      return { post, adjacent: findAdjacent(), comments: undefined } satisfies PostPageData
    }
    const loaded = await post
    if (loaded && isShownPage(loaded)) throw redirect(pagePath(loaded), 301)
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

/** Other paths, such as those that scanners try, cause no call. */
const ADDRESS = /^[\p{L}\p{M}\p{N}-]+$/u

/**
 * Loads a page of the blog, such as "About".
 *
 * @returns null with the status 404 when there is none
 * @throws a redirect from an earlier address, or another spelling, to the current one
 */
export async function loadBlogPage(apiOf: ApiOf, args: LoaderFunctionArgs) {
  const { address = '' } = args.params
  const key = address.toLowerCase()
  const post = ADDRESS.test(key) ? await findOrNull(readBlogPage(apiOf(args), key)) : null
  if (!post) return data(null, { status: 404 })
  if (address !== addressSegment(post) && isShownPage(post)) throw redirect(pagePath(post), 301)
  return { post }
}

function isShownPage({ page, status, hidden }: PagePost): boolean {
  return page === true && status === 'active' && !hidden
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
