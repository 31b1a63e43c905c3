// While a page is rendered, its API calls do not leave the process: they go straight to the
// server's own routes.
import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { gatherTopics, type Topic } from '../database/topics.ts'
import { countedAlready } from '../http/rate-limits.ts'

/** Whom a page is being rendered for: calls count towards the visitor's address. */
type Rendering = {
  app: FastifyInstance
  origin: string
  remoteAddress: string
  /** Gets the headers of a call that was one too many. */
  limitHeaders: Record<string, string>
  /** Gets every call with what it was answered. */
  calls: AnsweredCall[]
  /** Gets what the answers are made of. */
  topics: Set<Topic>
}

type Call = Required<Pick<InjectOptions, 'method' | 'url' | 'headers'>> &
  Pick<InjectOptions, 'payload'>
/** A call, and the digest of its answer's status and body. */
export type AnsweredCall = { call: Call; digest: string }

const LIMIT_HEADERS = [
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

const rendering = new AsyncLocalStorage<Rendering>()

declare global {
  /** Read by shims/cross-fetch; set while this module is loaded. */
  var __dispatch: typeof fetch | undefined
}

/** Runs `work` so that the client's calls to `origin` are answered in this process. */
export function renderInProcess<Result>(
  how: Rendering,
  work: () => Promise<Result>,
): Promise<Result> {
  globalThis.__dispatch = dispatch
  return rendering.run(how, work)
}

async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const here = rendering.getStore()
  const url = new URL(input instanceof Request ? input.url : input)
  if (!here || url.origin !== here.origin) return fetch(input, init)
  const call: Call = {
    method: (init?.method ?? 'GET') as Call['method'],
    url: url.pathname + url.search,
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
  }
  const answer = await send(here, call)
  here.calls.push({ call, digest: digestOf(answer) })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, String(value))
  if (answer.statusCode === 429)
    for (const name of LIMIT_HEADERS) here.limitHeaders[name] = headers.get(name) ?? ''
  return new Response(answer.rawPayload.length > 0 ? new Uint8Array(answer.rawPayload) : null, {
    status: answer.statusCode,
    headers,
  })
}

/** Whether each of these calls would be answered now as it was. Only reading calls are repeated. */
export async function areAnsweredAlike(
  how: Pick<Rendering, 'app' | 'remoteAddress' | 'topics'>,
  calls: readonly AnsweredCall[],
): Promise<boolean> {
  for (const { call, digest } of calls) {
    if (call.method !== 'GET' || digestOf(await send(how, call)) !== digest) return false
  }
  return true
}

async function send(
  { app, remoteAddress, topics }: Pick<Rendering, 'app' | 'remoteAddress' | 'topics'>,
  call: Call,
): Promise<LightMyRequestResponse> {
  return await gatherTopics(topics, () =>
    countedAlready.run(true, async () => app.inject({ ...call, remoteAddress })),
  )
}

function digestOf({ statusCode, headers, rawPayload }: LightMyRequestResponse): string {
  return `${statusCode} ${headers.etag ?? hash('sha256', rawPayload, 'base64')}`
}
