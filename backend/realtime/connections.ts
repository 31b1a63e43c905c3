// The open connections, an index of them by channel, and the context of this room.

import type { IncomingHttpHeaders } from 'node:http'
import type { WebSocket } from 'ws'
import type { Account } from '#contract/accounts.ts'
import type { SubscribeOptions } from '../database/event-subscription.ts'
import type { PostEvent } from '../database/realtime-events.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { SessionProof, UserViewer, Viewer } from '../http/viewer.ts'
import type { Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import type { BaseContext } from '../site/context.ts'
import type { SubscriptionFilter } from './messages.ts'

export type RealtimeContext = BaseContext &
  Config &
  SubscribeOptions & {
    connections: Connections
    rateLimits: RateLimits
    /** From accounts: finds the viewer by the session in the headers. */
    resolveViewer: (headers: IncomingHttpHeaders) => Promise<Viewer>
    readAccount: (viewer: UserViewer) => Promise<Account>
    /** From posts: a post as the API key reads it, and who may see it; undefined once deleted. */
    findPost: (id: string) => Promise<Pick<PostEvent, 'payload' | 'access'> | undefined>
    /** From compat: adds the other names of a post's attributes, as in HTTP responses. */
    withAliases: (post: Record<string, unknown>) => Record<string, unknown>
  }

/** Unsent data of a connection; with more, the client reads too slowly and is disconnected. */
const BUFFER_MAX_BYTES = 1024 * 1024

export type Socket = Pick<
  WebSocket,
  'readyState' | 'bufferedAmount' | 'send' | 'close' | 'terminate' | 'ping'
>

export type Session = Pick<SessionProof, 'sessionId' | 'isValid'>

export type Subscription = { channels: string[]; filter: SubscriptionFilter | undefined }

export type Connection = {
  readonly socket: Socket
  /** The client's network, for limits. */
  readonly network: string
  viewer: Viewer
  /** The session that proves the viewer; undefined for guests and the API key. */
  session: Session | undefined
  /** By id; {@link URL_SUBSCRIPTION} is the id of the subscription in the connection's URL. */
  subscriptions: Map<string, Subscription>
  /** The channels under which the index has this connection. */
  indexedChannels: readonly string[]
  /** Whether the client has answered the last ping. */
  isAlive: boolean
}

/** The id of the subscription in a connection's URL; ids in messages are never empty. */
export const URL_SUBSCRIPTION = ''

export type Connections = {
  /** The open connections that the limits count; only those in the index receive events. */
  all: Set<Connection>
  /** By channel. */
  index: Map<string, Set<Connection>>
}

export function makeConnections(): Connections {
  return { all: new Set(), index: new Map() }
}

export function removeConnection(connections: Connections, connection: Connection): void {
  connections.all.delete(connection)
  updateIndex(connections, connection)
}

/** Whether so much is unread that sending more would fill the memory. */
export function isBackpressured({ socket }: Pick<Connection, 'socket'>): boolean {
  return socket.bufferedAmount > BUFFER_MAX_BYTES
}

export function disconnect(log: Log, { socket }: Pick<Connection, 'socket'>): void {
  log.info(
    { event: 'realtime reader cut' },
    'a client was disconnected: it does not read, or floods',
  )
  socket.terminate()
}

/**
 * Updates the index after a connection, its channels or its viewer have changed. Events of accounts
 * reach only the account's own connections.
 */
export function updateIndex(connections: Connections, connection: Connection): void {
  const { all, index } = connections
  for (const channel of connection.indexedChannels) {
    const listeners = index.get(channel)
    listeners?.delete(connection)
    if (listeners?.size === 0) index.delete(channel)
  }
  connection.indexedChannels = all.has(connection) ? channelsOf(connection) : []
  for (const channel of connection.indexedChannels)
    index.set(channel, (index.get(channel) ?? new Set()).add(connection))
}

/** The channels that the client asked for and may use, with the channel of its own account. */
export function channelsOf(connection: Pick<Connection, 'subscriptions' | 'viewer'>): string[] {
  const { subscriptions, viewer } = connection
  const requested = [...subscriptions.values()].flatMap(({ channels }) => channels)
  const allowed = requested.filter((channel) => !channel.startsWith('account.'))
  if (viewer.role === 'user' && allowed.includes('account'))
    allowed.push(`account.${viewer.userId}`)
  return [...new Set(allowed)]
}
