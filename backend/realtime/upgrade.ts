// Turns an HTTP request into a connection after the checks of api.md §7.1, in that order. A refused
// client gets the reason in a message, so that it knows whether to reconnect.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddress from '@fastify/proxy-addr'
import { WebSocket, WebSocketServer } from 'ws'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { answerOnSocket } from '../http/connections.ts'
import { networkOf } from '../http/rate-limits.ts'
import { findQueryList, type QueryParams, readQueryString } from '../http/request-params.ts'
import { GUEST, makeOriginLog, originsFor, type Viewer } from '../http/viewer.ts'
import {
  type Connection,
  channelsOf,
  disconnect,
  isBackpressured,
  type RealtimeContext,
  removeConnection,
  URL_SUBSCRIPTION,
} from './connections.ts'
import { CODE, connectedMessage, errorMessage } from './messages.ts'
import {
  findSubscriptionProblem,
  handleMessage,
  makeMessageCounter,
  refuse,
  setViewer,
} from './receive.ts'

/** Connections to this process: in total, and from one address. */
const CONNECTIONS_MAX = 2500
const CONNECTIONS_PER_ADDRESS_MAX = 50
/** Size of a message from a client. */
const MESSAGE_MAX_BYTES = 64 * 1024
const REFUSED_CLOSE_MS = 5000
/** How many messages above the limit of a minute are answered before the connection is closed. */
const REFUSED_MESSAGES_MAX = 96
/** Pings and pongs that a client may send in a minute before it is disconnected. */
const CONTROL_FRAMES_MAX = 240

const PATH = /^\/+v1\/realtime\/?(\?|$)/

export function isRealtimeRequest({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return PATH.test(url)
}

/** Sends the reason before it closes a connection whose message was too large. */
class ExplainingSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code === CODE.tooBig && this.readyState === WebSocket.OPEN)
      this.send(errorMessage(CODE.tooBig, 'The message is too large'))
    super.close(code, reason)
  }
}

export function makeUpgradeHandler(options: RealtimeContext) {
  const context = {
    ...options,
    logRefusedOrigin: makeOriginLog(options.log, 'realtime_policy_violation'),
  }
  // A constant of its own, because the types of ws do not know closeTimeout.
  const serverOptions = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_MAX_BYTES,
    // `answerPings` answers and counts them.
    autoPong: false,
    closeTimeout: REFUSED_CLOSE_MS,
    WebSocket: ExplainingSocket,
  }
  const server = new WebSocketServer(serverOptions)
  server.on('wsClientError', (error, socket) => refuseUpgrade(context, socket, error))
  const trust = proxyAddress.compile([...context.trustedProxies])
  function take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {})
    const network = networkOf(proxyAddress(request, trust) ?? '')
    // Every request counts, even if it is refused by a message below.
    try {
      context.rateLimits.take([{ name: 'anything', rule: RATE.anythingPerAddress, key: network }])
    } catch (error) {
      refuseUpgrade(context, socket, error)
      return
    }
    server.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {})
      open(context, client, request, network).catch((err: unknown) => {
        context.log.error({ err }, 'a realtime connection failed')
        refuse({ socket: client }, CODE.tryLater, 'Please try again in a moment.')
      })
    })
  }
  return {
    take,
    /** Terminates all open connections, also refused ones that have not closed yet. */
    terminateAll(): void {
      for (const client of server.clients) client.terminate()
    },
  }
}

/** Answers in the format of the API; the library would use its own. */
function refuseUpgrade({ isHttps }: RealtimeContext, socket: Duplex, error: unknown): void {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal('general_argument_invalid', 'This is no upgrade to a WebSocket.')
  const { status: code, message, type, headers } = refusal
  answerOnSocket(socket, { code, message, type }, { isHttps, headers })
  // Otherwise a client could keep the connection open forever.
  socket.end(() => socket.destroy())
}

type OpenOptions = RealtimeContext & { logRefusedOrigin: ReturnType<typeof makeOriginLog> }

async function open(
  options: OpenOptions,
  socket: WebSocket,
  { url = '', headers }: IncomingMessage,
  network: string,
): Promise<void> {
  const query = readQueryString(url.split('?').slice(1).join('?'))
  const channels = [...new Set(findQueryList(query, 'channels'))]
  const connection: Connection = {
    socket,
    network,
    viewer: GUEST,
    session: undefined,
    indexedChannels: [],
    isAlive: true,
    subscriptions: new Map([[URL_SUBSCRIPTION, { channels, filter: undefined }]]),
  }
  const refusal = findRefusal(options, connection, headers, query)
  if (refusal) return refuse(connection, ...refusal)
  // Added before the first `await`, so that simultaneous clients cannot get past the limits.
  options.connections.all.add(connection)
  socket.on('close', () => removeConnection(options.connections, connection))
  const { jwt } = query
  const credentials = typeof jwt === 'string' ? { ...headers, 'x-appwrite-jwt': jwt } : headers
  const greeting = greet(options, connection, credentials)
  listenTo(options, socket, connection, greeting)
  await greeting
}

function findRefusal(
  options: OpenOptions,
  connection: Connection,
  headers: IncomingHttpHeaders,
  query: QueryParams,
): [code: number, why: string] | undefined {
  const { projectId, rateLimits, connections, logRefusedOrigin } = options
  const { network } = connection
  const project = query.project ?? headers['x-appwrite-project']
  if (project !== projectId) return [CODE.policy, 'Missing or unknown project ID']
  try {
    const rule = RATE.realtimeConnectPerAddress
    rateLimits.take([{ name: 'realtime connect', rule, key: network }])
  } catch {
    return [CODE.tryLater, 'Too many connections']
  }
  const { origin, host } = headers
  if (origin !== undefined && !originsFor(host, options).includes(origin)) {
    logRefusedOrigin(origin, { route: '/v1/realtime', address: network })
    return [CODE.policy, 'This origin is not listed in BLOG_ALLOWED_ORIGINS']
  }
  const problem = findSubscriptionProblem(connection)
  if (problem) return [CODE.policy, problem]
  const sameNetwork = [...connections.all].filter((other) => other.network === network)
  if (connections.all.size >= CONNECTIONS_MAX || sameNetwork.length >= CONNECTIONS_PER_ADDRESS_MAX)
    return [CODE.tryLater, 'Too many open connections']
  return undefined
}

/** Finds the viewer, and sends their account and channels. */
async function greet(
  context: RealtimeContext,
  connection: Connection,
  headers: IncomingHttpHeaders,
) {
  const viewer = await context.resolveViewer(headers).catch(asGuest)
  const user = viewer.role === 'user' ? await context.readAccount(viewer) : null
  setViewer(context, connection, viewer)
  connection.socket.send(connectedMessage(channelsOf(connection), user))
}

/** A blocked user, or one whose JWT has expired, connects as a guest. */
function asGuest(error: unknown): Viewer {
  const isUnknown = error instanceof Refusal && error.type !== 'general_service_disabled'
  if (isUnknown) return GUEST
  throw error
}

/** Messages are answered in order, and only after the greeting. */
function listenTo(
  context: RealtimeContext,
  socket: WebSocket,
  connection: Connection,
  greeting: Promise<void>,
): void {
  const count = makeMessageCounter(context, RATE.realtimeMessagePerConnection)
  let queue = greeting.catch(() => {})
  const enqueue = (work: () => void | Promise<void>) => {
    queue = queue.then(() =>
      isBackpressured(connection) ? disconnect(context.log, connection) : work(),
    )
  }
  answerPings(context, socket, connection)
  socket.on('message', (data, isBinary) => {
    connection.isAlive = true
    if (socket.readyState !== WebSocket.OPEN) return
    if (isBinary) return refuse(connection, CODE.badMessage, 'Messages are text')
    const excess = count()
    if (excess > REFUSED_MESSAGES_MAX) return refuse(connection, CODE.tryLater, 'Too many messages')
    // Only the reply is queued, not the message itself.
    if (excess > 0) enqueue(() => socket.send(TOO_MANY))
    else enqueue(() => handleMessage(context, connection, data.toString()))
  })
}

const TOO_MANY = errorMessage(CODE.tryLater, 'Too many messages')

/**
 * Answers pings of the protocol. A client that sends very many, or does not read the pongs, is
 * disconnected.
 */
function answerPings(context: RealtimeContext, socket: WebSocket, connection: Connection): void {
  const count = makeMessageCounter(context, [CONTROL_FRAMES_MAX, 60])
  const isWithinLimits = () => {
    connection.isAlive = true
    if (count() === 0 && !isBackpressured(connection)) return true
    disconnect(context.log, connection)
    return false
  }
  socket.on('pong', isWithinLimits)
  socket.on('ping', (data) => {
    if (isWithinLimits() && socket.readyState === WebSocket.OPEN) socket.pong(data)
  })
}
