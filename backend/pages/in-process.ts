// While a page is rendered, its API calls do not leave the process: reads are answered by what
// their routes call (direct-reads.ts), everything else goes straight to the server's own routes.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ErrorBody } from '#contract/errors.ts'
import { countedAlready } from '../http/rate-limits.ts'
import { JSON_TYPE } from '../http/responses.ts'
import type { Viewer } from '../http/viewer.ts'

/** Whom a page is being rendered for: calls count towards the visitor's address. */
export type Rendering = {
  app: FastifyInstance
  origin: string
  remoteAddress: string
  /** Whom calls are answered for; undefined where the routes find that out for each. */
  viewer: Viewer | undefined
  /** Makes the answer of a read that failed. */
  failDirectly: (error: unknown) => { status: number; body: ErrorBody }
  /** Gets the headers of a call that was one too many. */
  limitHeaders: Record<string, string>
  /** Counted up with each call. */
  callCount: number
  /** A call failed by no fault of the page: it is not what readers should see later, too. */
  hasFailed: boolean
}

type Call = Required<Pick<InjectOptions, 'method' | 'headers'>> &
  Pick<InjectOptions, 'payload'> & { url: string }

const LIMIT_HEADERS = [
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

const rendering = new AsyncLocalStorage<Rendering>()

declare global {
  /** Read by shims/cross-fetch; set while this module is loaded. */
  var __dispatch: ((...call: Parameters<typeof fetch>) => Promise<Answered>) | undefined
}

/** What the client looks at in an answer. */
type Answered = Pick<Response, 'status' | 'headers' | 'json' | 'text'>

/** Made when it is first sent: Node loads its whole `fetch` for it. */
let jsonHeaders: Headers | undefined

/** Runs `work` so that the client's calls to `origin` are answered in this process. */
export function renderInProcess<Result>(
  how: Rendering,
  work: () => Promise<Result>,
): Promise<Result> {
  globalThis.__dispatch = dispatch
  return rendering.run(how, work)
}

async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Answered> {
  const here = rendering.getStore()
  const url = new URL(input instanceof Request ? input.url : input)
  if (!here || url.origin !== here.origin) return fetch(input, init)
  const call: Call = {
    method: (init?.method ?? 'GET') as Call['method'],
    url: url.pathname + url.search,
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
  }
  here.callCount++
  const answered = await countedAlready.run(true, () => answer(here, call))
  here.hasFailed ||= answered.status === 429 || answered.status >= 500
  if (answered.status === 429)
    for (const name of LIMIT_HEADERS) here.limitHeaders[name] = answered.headers.get(name) ?? ''
  return answered
}

async function answer(here: Rendering, call: Call): Promise<Answered> {
  const { app, viewer, remoteAddress, failDirectly } = here
  const read = viewer && call.method === 'GET' ? app.directReads.find(call.url) : undefined
  if (!viewer || !read) return answerByRoute(await app.inject({ ...call, remoteAddress }))
  const { status, body } = await read(viewer).then((body) => ({ status: 200, body }), failDirectly)
  jsonHeaders ??= new Headers({ 'content-type': JSON_TYPE })
  return {
    ...{ status, headers: jsonHeaders },
    json: async () => body,
    text: async () => JSON.stringify(body),
  }
}

function answerByRoute({ statusCode, headers, payload }: LightMyRequestResponse): Answered {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return {
    ...{ status: statusCode, headers: new Headers(sent) },
    json: async () => JSON.parse(payload),
    text: async () => payload,
  }
}
