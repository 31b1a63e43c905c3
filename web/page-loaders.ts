// Loads on the server what a signed-in person's page shows first, with the person's own session and
// by the calls that the browser would make (web/api/first-data.ts). Not part of the browser's code.
import { data, type LoaderFunction, type LoaderFunctionArgs, redirect } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { PAGE_DATA_TIMEOUT_MS } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { signInAddress } from './accounts/return-path.ts'
import type { Api } from './api/client.ts'
import type { FirstData } from './api/first-data.ts'
import { fail, type Result } from './api/result.ts'
import { loadDashboard } from './dashboard/first-dashboard.ts'
import { loadFeed } from './feed/first-feed.ts'
import { isCursorGone } from './feed/post-lists.ts'
import { getPost } from './posts/posts-api.ts'
import type { PageLoaders } from './routes.tsx'
import { loadSettings } from './shell/first-settings.ts'

/** What a loader needs: the client of one request, and whose it is. */
export type PageFor = { api: Api; viewer: Account }

type Load<Value> = (args: LoaderFunctionArgs) => Promise<Result<Value>>

export function makePageLoaders({ api, viewer }: PageFor): PageLoaders {
  const first = <Value>(load: Load<Value>) => makeFirstLoader(viewer.$id, load)
  return {
    feed: first(({ request }) => loadFeedFrom(api, new URL(request.url))),
    dashboard: first(() => loadDashboard(api, viewer.$id)),
    settings: first(() => loadSettings(api)),
    editPost: first(({ params }) => loadOwnPost(api, params.slug ?? '', viewer)),
  }
}

async function loadFeedFrom(api: Api, { searchParams }: URL) {
  const after = searchParams.get('after') || undefined
  const first = await loadFeed(api, after)
  if (!first.ok && after !== undefined && isCursorGone(first.failure)) throw redirect('/post')
  return first
}

/** The text of another author's post stays on the server (product.md §O24). */
async function loadOwnPost(api: Api, slug: string, viewer: Account): Promise<Result<PostDocument>> {
  const found = await getPost(api, slug)
  if (!found.ok || found.value.userid === viewer.$id) return found
  return fail({ code: 403, type: '', message: '' })
}

/**
 * A failed call is the page's own failure, and the status of the page. When the answer takes too
 * long the page goes out without it, and the browser asks.
 */
function makeFirstLoader<Value>(userId: string, load: Load<Value>): LoaderFunction {
  return async (args) => {
    const timeout = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => timeout.resolve(undefined), PAGE_DATA_TIMEOUT_MS)
    const result = await Promise.race([load(args), timeout.promise]).finally(() =>
      clearTimeout(timer),
    )
    if (!result) return null
    // The session has ended since the page was asked for.
    if (!result.ok && result.failure.code === 401) {
      const { pathname, search } = new URL(args.request.url)
      throw redirect(signInAddress({ pathname, search }))
    }
    const status = result.ok ? 200 : result.failure.code || 503
    return data({ userId, result } satisfies FirstData<Value>, { status })
  }
}
