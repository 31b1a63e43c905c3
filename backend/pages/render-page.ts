// Renders one page through the web part's renderer, with what its calls of the API need.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Answered, RenderedPage, RenderOptions } from '#contract/pages.ts'
import { countedAlready } from '../http/rate-limits.ts'
import { pageAddress } from './canonical-page-url.ts'
import type { PagesContext } from './context.ts'

/** One page to be rendered: for whom, and what of the site it says. */
export type PageRequest = PagesContext & {
  app: FastifyInstance
  request: FastifyRequest
  own: Pick<RenderOptions, 'settings' | 'nonce' | 'refusal'>
}

/** What is known of the calls of the API that a page was made of. */
type Calls = {
  callCount: number
  /** One failed by no fault of the page: it is not what readers should see later, too. */
  hasFailed: boolean
  /** Headers of the call that exceeded a limit. */
  limitHeaders: Record<string, string>
}

export type Rendered = Calls & { answer: RenderedPage }

export async function renderPage(page: PageRequest): Promise<Rendered> {
  const { pages, request, own, publicUrl, postTexts, db } = page
  const { textsVersion: version } = pages
  const options = {
    ...own,
    request: own.refusal ? new Request(publicUrl) : toWebRequest(page),
    requestId: request.id,
    assets: pages.assetsFor(request.url),
    derive: async <Texts>(postId: string, html: string, make: (html: string) => Texts) =>
      version === undefined ? make(html) : postTexts.derive(db, postId, html, { version, make }),
  }
  const calls: Calls = { callCount: 0, hasFailed: false, limitHeaders: {} }
  globalThis.__dispatch = dispatch
  const answer = await rendering.run({ page, calls }, () => pages.render(options))
  return { ...calls, answer }
}

/**
 * Only the path and a signed-in person's cookie count; nothing else of the request can steer what
 * is rendered.
 */
function toWebRequest({ request, publicUrl, own: { settings } }: PageRequest): Request {
  const { cookie } = request.headers
  if (!settings.isSignedIn) return new Request(publicUrl + pageAddress(request.url, settings))
  return new Request(publicUrl + request.url, { headers: cookie ? { cookie } : {} })
}

// --- calls of the API that a page makes: they do not leave the process, and count towards the
// visitor's address.

const rendering = new AsyncLocalStorage<{ page: PageRequest; calls: Calls }>()

async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Answered> {
  const { page, calls } = rendering.getStore() ?? {}
  const url = new URL(input instanceof Request ? input.url : input)
  if (!page || !calls || url.origin !== page.publicUrl) return fetch(input, init)
  calls.callCount++
  const call = {
    method: (init?.method ?? 'GET') as 'GET',
    url: url.pathname + url.search,
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    remoteAddress: page.request.ip,
  }
  // Waited for inside, where it begins.
  const answer = await countedAlready.run(true, async () => await page.app.inject(call))
  const { statusCode: status, payload } = answer
  const get = (name: string) => answer.headers[name.toLowerCase()]?.toString() ?? null
  calls.hasFailed ||= status === 429 || status >= 500
  for (const [name, value] of Object.entries(status === 429 ? answer.headers : {}))
    if (/^(?:retry-after|x-ratelimit-)/.test(name)) calls.limitHeaders[name] = String(value)
  const json = async () => JSON.parse(payload)
  return { status, headers: { get }, json, text: async () => payload }
}
