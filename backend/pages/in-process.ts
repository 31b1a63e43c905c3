// While a page is rendered, its API calls do not leave the process: reads are answered by what
// their routes call (direct-reads.ts), everything else goes straight to the server's own routes.
import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ErrorBody } from '#contract/errors.ts'
import { gatherTopics, type Topic } from '../database/topics.ts'
import { JSON_TYPE } from '../http/broken-requests.ts'
import { countedAlready } from '../http/rate-limits.ts'
import type { Viewer } from '../http/viewer.ts'

/** What answers the calls of one page. */
export type CallNeeds = {
  app: FastifyInstance
  remoteAddress: string
  /** Whom calls are answered for; undefined where the routes find that out for each. */
  viewer: Viewer | undefined
  /** Makes the answer of a read that failed. */
  failDirectly: (error: unknown) => { status: number; body: ErrorBody }
  /** Gets what the answers are made of. */
  topics: Set<Topic>
}

/** Whom a page is being rendered for: calls count towards the visitor's address. */
type Rendering = CallNeeds & {
  origin: string
  /** Gets the headers of a call that was one too many. */
  limitHeaders: Record<string, string>
  /** Gets every call with what it was answered. */
  calls: AnsweredCall[] | undefined
}

type Call = Required<Pick<InjectOptions, 'method' | 'headers'>> &
  Pick<InjectOptions, 'payload'> & { url: string }
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
  const { digest, answered } = await answer(here, call)
  here.calls?.push({ call, digest: digest() })
  if (answered.status === 429)
    for (const name of LIMIT_HEADERS) here.limitHeaders[name] = answered.headers.get(name) ?? ''
  return answered
}

/**
 * Whether guests would be answered each of these calls now as it was. Only reading calls are
 * repeated.
 */
export async function areAnsweredAlike(
  how: CallNeeds,
  calls: readonly AnsweredCall[],
): Promise<boolean> {
  for (const { call, digest } of calls)
    if (call.method !== 'GET' || (await answer(how, call)).digest() !== digest) return false
  return true
}

/** `digest` is of status and body. */
type WithDigest = { answered: Answered; digest(): string }

async function answer(how: CallNeeds, call: Call): Promise<WithDigest> {
  const { app, topics, viewer, remoteAddress } = how
  const read = viewer && call.method === 'GET' ? app.directReads.find(call.url) : undefined
  const work = async (): Promise<WithDigest> =>
    viewer && read
      ? answerDirectly(how, () => read(viewer))
      : answerByRoute(await app.inject({ ...call, remoteAddress }))
  return await gatherTopics(topics, () => countedAlready.run(true, work))
}

async function answerDirectly(
  { failDirectly }: CallNeeds,
  read: () => Promise<object>,
): Promise<WithDigest> {
  const { status, body } = await read().then((body) => ({ status: 200, body }), failDirectly)
  const text = () => JSON.stringify(body)
  jsonHeaders ??= new Headers({ 'content-type': JSON_TYPE })
  return {
    answered: { status, headers: jsonHeaders, json: async () => body, text: async () => text() },
    digest: () => `${status} ${hash('sha256', text(), 'base64')}`,
  }
}

function answerByRoute({ statusCode, headers, rawPayload }: LightMyRequestResponse): WithDigest {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) sent.set(name, String(value))
  const body = rawPayload.length > 0 ? new Uint8Array(rawPayload) : null
  return {
    answered: new Response(body, { status: statusCode, headers: sent }),
    digest: () => `${statusCode} ${headers.etag ?? hash('sha256', rawPayload, 'base64')}`,
  }
}
