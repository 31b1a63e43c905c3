// While a page is rendered, its API calls do not leave the process: they go straight to the server's own routes.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, InjectOptions } from 'fastify'

/** Whom a page is being rendered for: calls count towards the visitor's address. */
type Rendering = { app: FastifyInstance; origin: string; remoteAddress: string }

const rendering = new AsyncLocalStorage<Rendering>()

declare global {
  /** Read by shims/cross-fetch; set while this module is loaded. */
  var __dispatch: typeof fetch | undefined
}

/** Runs `work` so that the client's calls to `origin` are answered in this process. */
export function renderInProcess<Result>(how: Rendering, work: () => Promise<Result>): Promise<Result> {
  globalThis.__dispatch = dispatch
  return rendering.run(how, work)
}

async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const here = rendering.getStore()
  const url = new URL(input instanceof Request ? input.url : input)
  if (!here || url.origin !== here.origin) return fetch(input, init)
  const answer = await here.app.inject({
    method: (init?.method ?? 'GET') as NonNullable<InjectOptions['method']>,
    url: url.pathname + url.search,
    headers: Object.fromEntries(new Headers(init?.headers)),
    remoteAddress: here.remoteAddress,
    ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  return new Response(answer.rawPayload.length > 0 ? new Uint8Array(answer.rawPayload) : null, { status: answer.statusCode, headers })
}
