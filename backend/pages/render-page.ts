// Renders one page by the web part's renderer, and answers the calls of the API that it makes.

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

/** One page to be rendered, its viewer, and options of the renderer. */
export type PageRequest = PagesContext & {
  app: FastifyInstance
  request: FastifyRequest
  /** The viewer, or the reason why the viewer cannot be found at the moment. */
  viewer: Viewer | Refusal
  renderOptions: Pick<RenderOptions, 'settings' | 'nonce' | 'refusal' | 'audience'>
}

/** Records the calls of the API that a page makes. */
type Calls = {
  callCount: number
  /** Cache tags of all answers; undefined once a call failed or its answer had none. */
  tags: Set<string> | undefined
  /** For each call whose answer may differ between members: whether it differs for this viewer. */
  isPersonal: ((viewer: Viewer) => Promise<boolean>)[]
  /** Headers of the call that exceeded a limit. */
  limitHeaders: Record<string, string>
}

export type Rendered = Calls & { answer: RenderedPage }

export async function renderPage(page: PageRequest): Promise<Rendered> {
  const { pages, request, renderOptions, publicUrl, postTexts, db } = page
  const { textsVersion: version } = pages
  const options = {
    ...renderOptions,
    request: renderOptions.refusal ? new Request(publicUrl) : toWebRequest(page),
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
 * A request with the URL and, for a signed-in user, the cookie; nothing else of the client's
 * request can influence the rendering.
 */
function toWebRequest({ request, publicUrl, renderOptions }: PageRequest): Request {
  const { settings, audience } = renderOptions
  const { cookie } = request.headers
  if (audience)
    return new Request(publicUrl + canonicalPageUrl(request.url, { reading: 'everyone' }))
  if (!settings.isSignedIn) return new Request(publicUrl + canonicalPageUrl(request.url, settings))
  return new Request(publicUrl + request.url, { headers: cookie ? { cookie } : {} })
}

// --- calls of the API that a page makes: they run the functions of the routes without HTTP, and
// count for rate limits with the page

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
    return toClientResponse(200, answer)
  } catch (error) {
    const { headers, body } = toErrorAnswer(error, page.request)
    calls.tags = undefined
    if (body.code === 429)
      for (const [name, value] of Object.entries(headers))
        if (/^(?:retry-after|x-ratelimit-)/.test(name)) calls.limitHeaders[name] = value
    return toClientResponse(body.code, body)
  }
}

/** @throws Refusal as the route of the call does */
async function callRead(page: PageRequest, calls: Calls, url: URL): Promise<ReadAnswer> {
  const { app, request, viewer, rateLimits } = page
  if (viewer instanceof Refusal) throw viewer
  const route = app.findRead(url.pathname)
  if (!route?.config.read) throw new Refusal('general_route_not_found')
  const { config, params } = route
  requireScope(viewer, config.scope ?? 'public', config.isForOperators)
  const read = { viewer, params, query: readQueryString(url.search.slice(1)), ip: request.ip }
  const noBody = { body: undefined, headers: {}, bodyChars: 0 }
  await rateLimits.takeExactly(config.counts?.({ ...read, ...noBody }) ?? [])
  const { isPersonalOnPage } = config
  if (isPersonalOnPage)
    calls.isPersonal.push((member) => isPersonalOnPage({ ...read, viewer: member }))
  return await route.config.read(read)
}

function toClientResponse(status: number, body: object): ClientResponse {
  const get = (name: string) => (name === 'content-type' ? 'application/json' : null)
  const text = async () => JSON.stringify(body)
  return { status, headers: { get }, json: async () => body, text }
}
