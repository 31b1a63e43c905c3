// Loads the post page's data, the same on the server and in the browser.

import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { failureOf } from '../api/result.ts'
import { readPost } from '../posts/posts-api.ts'

/**
 * `post` is null when there is none to see. In the browser it is still on its way when the page
 * opens, so that the page can say so.
 */
export type PostPageData = { post: PostDocument | null | Promise<PostDocument | null> }

/**
 * Refusals that mean "no such post for you": unknown or unseen (404), or an address that can not be
 * an id (400).
 */
const MISSING = [404, 400]

async function findOrNull(api: Api, slug: string): Promise<PostDocument | null> {
  try {
    return await readPost(api, slug)
  } catch (error) {
    const { code } = failureOf(error)
    if (MISSING.includes(code)) return null
    throw data(null, { status: code === 0 ? 503 : code })
  }
}

/** @throws a response with the failure's status, for the router's error screen */
export function makePostLoader(api: Api) {
  return async function loadPost({ params }: LoaderFunctionArgs) {
    const { slug } = params
    if (!slug) throw redirect('/')
    const post = findOrNull(api, slug)
    if (typeof document !== 'undefined') {
      post.catch(() => undefined) // whoever shows the post hears of it; nobody may be left to
      return { post } satisfies PostPageData
    }
    const found = await post
    return data({ post: found } satisfies PostPageData, { status: found ? 200 : 404 })
  }
}
