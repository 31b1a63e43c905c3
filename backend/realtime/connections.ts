// Holds who listens to which channel, and what this module works with.

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
    /** From accounts: whose session a token is. */
    resolveViewer: (headers: IncomingHttpHeaders) => Promise<Viewer>
    readAccount: (viewer: UserViewer) => Promise<Account>
    /** From posts: a post as the key reads it, and who may see it; undefined when it is gone. */
    findPost: (id: string) => Promise<Pick<PostEvent, 'payload' | 'access'> | undefined>
    /** From compat: a post with the other names of its attributes, as answers have it. */
    withAliases: (post: Record<string, unknown>) => Record<string, unknown>
  }

/** What waits to be sent on a connection. More: it reads too slowly and is cut. */
const BUFFER_MAX_BYTES = 1024 * 1024

/** What of a WebSocket is used here. */
export type Socket = Pick<
  WebSocket,
  'readyState' | 'bufferedAmount' | 'send' | 'close' | 'terminate' | 'ping'
>

export type Session = Pick<SessionProof, 'sessionId' | 'isValid'>

export type Subscription = { channels: string[]; filter: SubscriptionFilter | undefined }

export type Connection = {
  readonly socket: Socket
  /** The network that it is counted for. */
  readonly network: string
  viewer: Viewer
  /** By which it is that viewer; undefined for guests and the key. */
  session: Session | undefined
  /** By id; those of the connection's address are {@link URL_SUBSCRIPTION}. */
  subscriptions: Map<string, Subscription>
  /** All channels that it is in the index for. */
  indexedChannels: readonly string[]
  /** It has answered the last ping. */
  isAlive: boolean
}

/** No id of a message is empty. */
export const URL_SUBSCRIPTION = ''

export type Connections = {
  /** One that is not listed hears nothing, and is counted. */
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

/** So much is unread that nothing more is sent: it would be kept in memory. */
export function isBackpressured({ socket }: Pick<Connection, 'socket'>): boolean {
  return socket.bufferedAmount > BUFFER_MAX_BYTES
}

export function disconnect(log: Log, { socket }: Pick<Connection, 'socket'>): void {
  log.info({ event: 'realtime reader cut' }, 'a connection was cut: it does not read, or floods')
  socket.terminate()
}

/**
 * Puts a connection into the index, anew after its channels or its person have changed. Of accounts
 * everybody hears their own alone.
 */
export function updateIndex(connections: Connections, connection: Connection): void {
  const { all, index } = connections
  for (const channel of connection.indexedChannels) {
    const known = index.get(channel)
    known?.delete(connection)
    if (known?.size === 0) index.delete(channel)
  }
  connection.indexedChannels = all.has(connection) ? channelsOf(connection) : []
  for (const channel of connection.indexedChannels)
    index.set(channel, (index.get(channel) ?? new Set()).add(connection))
}

/** Those that it asked for and may ask for, its own account's added. */
export function channelsOf(connection: Pick<Connection, 'subscriptions' | 'viewer'>): string[] {
  const { subscriptions, viewer } = connection
  const asked = [...subscriptions.values()].flatMap(({ channels }) => channels)
  const own = asked.filter((channel) => !channel.startsWith('account.'))
  if (viewer.role === 'user' && own.includes('account')) own.push(`account.${viewer.userId}`)
  return [...new Set(own)]
}
