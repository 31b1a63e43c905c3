// Renders one page through the web part's renderer, with what its calls of the API need.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type { ClientResponse, RenderedPage, RenderOptions } from '#contract/pages.ts'
import { toErrorAnswer } from '../http/errors.ts'
import type { ReadAnswer } from '../http/read-calls.ts'
import { readQueryString } from '../http/request-params.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import { canonicalPageUrl } from './canonical-page-url.ts'
import type { PagesContext } from './context.ts'

/** One page to be rendered: for whom, and what of the site it says. */
export type PageRequest = PagesContext & {
  app: FastifyInstance
  request: FastifyRequest
  /** Who is asking; or why that is not known at the moment. */
  viewer: Viewer | Refusal
  own: Pick<RenderOptions, 'settings' | 'nonce' | 'refusal' | 'audience'>
}

/** What is known of the calls of the API that a page was made of. */
type Calls = {
  callCount: number
  /** Cache tags of what they answered; undefined once one has none, or failed: it may change. */
  tags: Set<string> | undefined
  /** Whether a member would get another answer to one of them than others. */
  isPersonal: ((viewer: Viewer) => Promise<boolean>)[]
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
    derive: async <Texts>(postId: string, html: string, derive: (html: string) => Texts) =>
      version === undefined
        ? derive(html)
        : postTexts.readPageTexts(db, postId, html, { version, derive }),
  }
  const calls: Calls = { callCount: 0, tags: new Set(), isPersonal: [], limitHeaders: {} }
  globalThis.__dispatch = dispatch
  const answer = await rendering.run({ page, calls }, () => pages.render(options))
  return { ...calls, answer }
}

/**
 * Only the path and a signed-in person's cookie count; nothing else of the request can steer what
 * is rendered.
 */
function toWebRequest({ request, publicUrl, own }: PageRequest): Request {
  const { settings, audience } = own
  const { cookie } = request.headers
  if (audience)
    return new Request(publicUrl + canonicalPageUrl(request.url, { reading: 'everyone' }))
  if (!settings.isSignedIn) return new Request(publicUrl + canonicalPageUrl(request.url, settings))
  return new Request(publicUrl + request.url, { headers: cookie ? { cookie } : {} })
}

// --- calls of the API that a page makes: the functions of their routes, without HTTP. They are
// counted with the page.

const rendering = new AsyncLocalStorage<{ page: PageRequest; calls: Calls }>()

async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<ClientResponse> {
  const { page, calls } = rendering.getStore() ?? {}
  const url = new URL(input instanceof Request ? input.url : input)
  if (!page || !calls || url.origin !== page.publicUrl) return fetch(input, init)
  calls.callCount++
  try {
    const { answer, tags } = await callRead(page, calls, url)
    if (tags) for (const tag of tags) calls.tags?.add(tag)
    else calls.tags = undefined
    return toAnswered(200, answer)
  } catch (error) {
    const { headers, body } = toErrorAnswer(error, page.request)
    calls.tags = undefined
    if (body.code === 429)
      for (const [name, value] of Object.entries(headers))
        if (/^(?:retry-after|x-ratelimit-)/.test(name)) calls.limitHeaders[name] = value
    return toAnswered(body.code, body)
  }
}

/** @throws Refusal as the route refuses the call */
async function callRead(page: PageRequest, calls: Calls, url: URL): Promise<ReadAnswer> {
  const { app, request, viewer, rateLimits } = page
  if (viewer instanceof Refusal) throw viewer
  const found = app.findRead(url.pathname)
  if (!found?.config.read) throw new Refusal('general_route_not_found')
  const { config, params } = found
  requireScope(viewer, config.scope ?? 'public', config.isForOperators)
  const read = { viewer, params, query: readQueryString(url.search.slice(1)), ip: request.ip }
  const nothing = { body: undefined, headers: {}, bodyChars: 0 }
  await rateLimits.takeExactly(config.counts?.({ ...read, ...nothing }) ?? [])
  const { isPersonalOnPage: asks } = config
  if (asks) calls.isPersonal.push((member) => asks({ ...read, viewer: member }))
  return await found.config.read(read)
}

function toAnswered(status: number, body: object): ClientResponse {
  const get = (name: string) => (name === 'content-type' ? 'application/json' : null)
  const text = async () => JSON.stringify(body)
  return { status, headers: { get }, json: async () => body, text }
}
