// The HTTP server without the routes of the product: limits, headers, origins, project, viewer,
// scope, rate limits, error form. The order of the checks is that of api.md §1.4.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import Type from 'typebox'
import { Refusal } from '#contract/errors.ts'
import { VIEWER_HEADER, viewerFingerprint } from '#contract/ids.ts'
import { makeId } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import { makeRejectMalformed, rejectUnsupported } from './connections.ts'
import { makeUnavailableLog, sendError } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { call, OBJECT, openApiRoutes, texts } from './openapi.ts'
import {
  type CountCalls,
  countCall,
  countLateLength,
  countRequest,
  countsOfAddress,
  type RateLimits,
} from './rate-limits.ts'
import { collectReadRoutes, type FindRead } from './read-calls.ts'
import { parseJson, readQueryString, refuseMalformedType, watchBody } from './request-params.ts'
import { API_VERSION, addResponseHooks, baseHeaders, JSON_TYPE } from './responses.ts'
import {
  type FindViewer,
  GUEST,
  isForeignWrite,
  isReading,
  makeRefusedOrigins,
  type RefusedOrigins,
  requireScope,
  type Scope,
  setCorsHeaders,
  type Viewer,
} from './viewer.ts'

/** Limit of all headers of one request; more: 431. */
const HEADERS_MAX_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
/** Limit of a body unless a call declares another; longer: 413. */
export const JSON_BODY_MAX_BYTES = 64 * 1024
const UPLOAD_REQUEST_TIMEOUT_MS = 300_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a request for a page that does not exist; null without pages. */
    refusePage: RefusePage | null
    /** Finds the read call at a path, for pages. */
    findRead: FindRead
  }
  interface FastifyRequest {
    viewer: Viewer
    /** Length of a JSON body, once it has arrived. */
    bodyChars: number
  }
  interface FastifyContextConfig {
    /** Who may call; `public` when absent. Scopes that depend on values are checked in the rule. */
    scope?: Scope
    /** Whether operators may call it as the API key may. */
    isForOperators?: boolean
    /**
     * The rate limits that a call counts for; the body is parsed by then. Of these, only limits
     * that protect a target user apply to the API key. Limits that depend on data are counted in
     * the call's handler or rule, and so are those of routes outside `/v1`.
     */
    counts?: CountCalls
    /** Needs no project in the request. */
    isProjectless?: boolean
    /**
     * Pages of other sites may send a browser here, also by a form: writes need no listed origin.
     */
    isCallback?: boolean
  }
}

/** `status` is 400 for a malformed URL, 405 for a method that pages do not have. */
export type RefusePage = (
  status: 400 | 405,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Registers the routes of one domain on the API; paths start after `/v1`. */
export type Routes = (api: FastifyInstance) => void | Promise<void>

/** Translates requests and responses for other clients (backend/compat). */
export type Adapter = {
  /** @returns the URL that has a route */
  toAddress(url: string): string
  /** Translates the query and the body of a request for its route. */
  readRequest(request: FastifyRequest): void
  /** @returns the refusal of an unknown URL; undefined for the usual one */
  refuseUnsupported(url: string): Refusal | undefined
  /** @returns the response, or the error, in the format of the client */
  writeAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown
}

export type ServerOptions = Pick<
  Config,
  'projectId' | 'publicUrl' | 'isHttps' | 'allowedOrigins' | 'trustedProxies'
> & {
  log: Log
  adapter?: Adapter
  rateLimits: RateLimits
  resolveViewer: FindViewer
  /** Called with every response of a route, once it is sent. */
  recordResponse?: Metrics['recordResponse'] | undefined
  /** Which requests become WebSockets; all others are plain requests. */
  mayUpgrade?: ((request: IncomingMessage) => boolean) | undefined
  /** Time limit for the headers of a request; a test passes less. */
  headersMs?: number
}

const IN_API = /^\/+v1(\/|\?|$)/

type SchemaController = NonNullable<FastifyHttpOptions<HttpServer>['schemaController']>
type Compilers = NonNullable<SchemaController['compilersFactory']>
type BuildValidator = NonNullable<Compilers['buildValidator']>

/** Schemas only describe routes, so Fastify need not load its validators. */
const NO_COMPILERS: Compilers = {
  // Ajv's functions have properties that Fastify does not look at.
  buildValidator: (() => () => () => true) as unknown as BuildValidator,
  buildSerializer: () => () => JSON.stringify,
}

/** How often Node checks the time limits of connections. */
const CONNECTIONS_CHECK_MS = 1000

export type Server = Awaited<ReturnType<typeof makeServer>>

/**
 * Creates the server with its checks and the API's routes, not yet listening.
 *
 * @param routes the routes of every domain, registered under `/v1`
 */
export async function makeServer(options: ServerOptions, routes: Routes[]) {
  let isStopping = false
  const { isHttps } = options
  const rejectMalformed = makeRejectMalformed(isHttps, (address) =>
    options.rateLimits.add(countsOfAddress(address)),
  )
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => makeId(),
    rewriteUrl: ({ url = '' }) => options.adapter?.toAddress(url) ?? url,
    schemaController: { compilersFactory: NO_COMPILERS },
    bodyLimit: JSON_BODY_MAX_BYTES,
    requestTimeout: UPLOAD_REQUEST_TIMEOUT_MS,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 300, querystringParser: readQueryString },
    http: {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: options.headersMs ?? HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Refused below, in the form of the API.
      requireHostHeader: false,
      shouldUpgradeCallback: options.mayUpgrade ?? (() => false),
    },
    clientErrorHandler: rejectMalformed,
    frameworkErrors(error, request, reply) {
      // No hook has run.
      request.viewer = GUEST
      reply.headers(baseHeaders(request.id, isHttps))
      if (isStopping) reply.header('connection', 'close')
      void answerUnroutable({ ...options, refusePage: app.refusePage }, error, request, reply)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.server.prependListener('request', (request, response) =>
    watchBody(request, response, rejectMalformed),
  )
  rejectUnsupported(app.server, rejectMalformed)
  decorate(app, options.log)
  app.addHook('onRequest', async (request, reply) => {
    request.viewer = GUEST
    reply.headers(baseHeaders(request.id, isHttps))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      reply.header('connection', 'close')
      countRequest(request, options.rateLimits)
      throw new Refusal('general_argument_invalid', 'The header "host" is missing.')
    }
    // Pages answer every GET: this request has another method. Its body is not read.
    if (request.is404 && app.refusePage && !IN_API.test(request.url))
      return await app.refusePage(405, request, reply)
  })
  const { recordResponse } = options
  if (recordResponse)
    app.addHook('onResponse', async (request, reply) => recordResponse(request, reply))
  app.addHook('onSend', async (_request, reply) => {
    // Also for requests that arrived before the stop.
    if (isStopping) reply.header('connection', 'close')
    const type = reply.getHeader('content-type')
    if (type === 'application/json; charset=utf-8') reply.header('content-type', JSON_TYPE)
  })
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) =>
    sendError(new Refusal('general_route_not_found'), request, reply),
  )
  await app.register(fastifyCookie, { hook: false })
  const api: FastifyPluginAsync = (scope) => addApi(scope, options, routes)
  await app.register(api, { prefix: '/v1' })
  return {
    /** The whole server; pages register here. */
    app,
    /** From now on every response has `Connection: close`. */
    startStopping(): void {
      isStopping = true
    },
  }
}

function decorate(app: FastifyInstance, log: Log): void {
  app.decorate('logUnavailable', makeUnavailableLog(log))
  app.decorateRequest('viewer')
  app.decorateRequest('bodyChars', 0)
  app.decorate('refusePage', null)
  app.decorate('findRead', collectReadRoutes(app))
  app.decorateReply('newSessionToken', undefined)
}

async function addApi(
  api: FastifyInstance,
  options: ServerOptions,
  routes: Routes[],
): Promise<void> {
  const refusedOrigins = makeRefusedOrigins(options.log, options)
  api.removeAllContentTypeParsers()
  api.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) => {
      request.bodyChars = text.length
      // A broken body counts as an empty one.
      return parseJson(String(text)) ?? {}
    },
  )
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    setCorsHeaders(request, reply, options.allowedOrigins)
    if (request.method === 'OPTIONS') {
      countRequest(request, options.rateLimits)
      refusedOrigins.answerPreflight(request, reply)
      return reply.code(204).send()
    }
    await admit(request, reply, { ...options, refusedOrigins })
    const { scope = 'public', isForOperators } = request.routeOptions.config ?? {}
    requireScope(request.viewer, scope, isForOperators)
    if (!takesLongBody(request)) return
    if (request.viewer.role === 'guest') refuseLongBody(request, reply)
    await countCall(request, reply, options.rateLimits)
  })
  const { adapter } = options
  if (adapter) {
    api.addHook('preValidation', async (request) => adapter.readRequest(request))
    api.addHook('preSerialization', (request, reply, answer, done) =>
      done(null, adapter.writeAnswer(request, reply, answer)),
    )
  }
  api.addHook('preHandler', async (request, reply) => {
    const { scope = 'public', isForOperators } = request.routeOptions.config ?? {}
    // A body may take minutes to arrive: a role that ended meanwhile must not act.
    if (isForOperators && request.viewer.role === 'user' && request.method !== 'GET') {
      request.viewer = await options.resolveViewer(request)
      requireScope(request.viewer, scope, isForOperators)
    }
    if (!takesLongBody(request)) await countCall(request, reply, options.rateLimits)
    else countLateLength(request, options.rateLimits)
  })
  addResponseHooks(api)
  const unknownRoute = ({ url }: FastifyRequest) =>
    adapter?.refuseUnsupported(url) ?? new Refusal('general_route_not_found')
  api.setNotFoundHandler((request, reply) => sendError(unknownRoute(request), request, reply))
  openApiRoutes(api)
  for (const addRoutes of routes) await addRoutes(api)
  const projectless = { config: { isProjectless: true } }
  const version = call(projectless, 'The version of the API', {
    200: Type.Object(texts('version')),
  })
  api.get('/health/version', version, async () => ({
    version: API_VERSION,
  }))
  api.get(
    '/ping',
    call(projectless, 'Whether the server is there', { 200: OBJECT }),
    async () => ({}),
  )
  // Without these, a GET of an unknown address below /v1 would be answered with a page.
  const refuseUnknown = async (request: FastifyRequest) => {
    throw unknownRoute(request)
  }
  for (const path of ['/', '/*']) api.get(path, projectless, refuseUnknown)
}

/** Calls with long bodies are counted before the body arrives, so their counts must not read it. */
function takesLongBody({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.bodyLimit ?? 0) > JSON_BODY_MAX_BYTES
}

/**
 * @throws Refusal `user_unauthorized` for a body that is long or has no length: a guest who
 *   sends it is taken for a user whose session has ended
 */
function refuseLongBody({ headers }: FastifyRequest, reply: FastifyReply): void {
  const bytes = headers['transfer-encoding'] ? Infinity : Number(headers['content-length'] ?? 0)
  if (bytes <= JSON_BODY_MAX_BYTES) return
  reply.header('connection', 'close')
  throw new Refusal('user_unauthorized')
}

/**
 * Finds the viewer, and refuses the call if it may not go on. A refused call counts as a request,
 * too.
 *
 * @throws Refusals of api.md §1.4, steps 1 to 4
 */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions & { refusedOrigins: RefusedOrigins },
): Promise<void> {
  // Without a key the request counts in any case, so it is counted before any read.
  const isCounted = !request.headers['x-appwrite-key']
  if (isCounted) countUnlessKey(request, options)
  try {
    checkProject(request, options.projectId)
    const isForeign = !request.routeOptions.config?.isCallback && isForeignWrite(request, options)
    const viewer = await options.resolveViewer(request).catch((error: unknown) => {
      // The other site's page can read the refusal, which must reveal nothing about the user.
      if (isForeign && error instanceof Refusal) return GUEST
      throw error
    })
    if (isForeign && viewer.role !== 'key') options.refusedOrigins.refuse(request, reply)
    request.viewer = viewer
    if (viewer.role !== 'key')
      reply.header(
        VIEWER_HEADER,
        viewerFingerprint(viewer.role === 'user' ? viewer.userId : undefined),
      )
    refuseMalformedType(request)
  } finally {
    // A refusal by the rate limit replaces every other.
    if (!isCounted) countUnlessKey(request, options)
  }
}

function countUnlessKey(request: FastifyRequest, { rateLimits }: ServerOptions): void {
  if (request.viewer.role !== 'key') countRequest(request, rateLimits)
}

/**
 * Answers what cannot be routed. Outside the API, a path that cannot be decoded gets a page.
 */
async function answerUnroutable(
  options: ServerOptions & { refusePage: RefusePage | null },
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isInApi = IN_API.test(request.url)
  const { refusePage } = options
  try {
    if (error.code === 'FST_ERR_BAD_URL' && !isInApi && refusePage && request.url.startsWith('/')) {
      await refusePage(isReading(request.method) ? 400 : 405, request, reply)
      return
    }
    if (isInApi) setCorsHeaders(request, reply, options.allowedOrigins)
    countRequest(request, options.rateLimits)
    throw error
  } catch (failure) {
    sendError(failure, request, reply)
  }
}

/** The `project` of a GET's query wins over the header (api.md §1.1). */
function checkProject(request: FastifyRequest, projectId: string): void {
  if (request.is404 || request.routeOptions.config?.isProjectless) return
  const { project } = request.query as { project?: unknown }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const sentProject =
    isRead && project !== undefined ? project : request.headers['x-appwrite-project']
  if (sentProject !== projectId) throw new Refusal('project_not_found')
}
