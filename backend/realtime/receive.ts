// Handles and answers the messages of a client (api.md §7.2). Independent of how the connection was
// opened.
import { Refusal } from '#contract/errors.ts'
import type { RateLimitRule } from '../http/rate-limits.ts'
import type { Viewer } from '../http/viewer.ts'
import { type Connection, channelsOf, type RealtimeContext, updateIndex } from './connections.ts'
import {
  BadMessage,
  CHANNEL_MAX_CHARS,
  type ClientMessage,
  CODE,
  errorMessage,
  PONG,
  parseSubscriptionFilter,
  readMessage,
  responseMessage,
  type SubscriptionRequest,
} from './messages.ts'
import { sessionOf } from './rights-store.ts'

/** Channels of one connection, from its URL and its messages together. */
const CHANNELS_MAX = 100
/** Names of channels as sent, with duplicates and with those that the client may not use. */
const CHANNEL_NAMES_MAX = 400
/** Subscriptions made by messages. */
const SUBSCRIPTIONS_MAX = 100
/** Values to compare with, in all subscriptions of a connection together. */
const VALUES_MAX = 500

/** Sends the reason, then closes with the same code. */
export function refuse({ socket }: Pick<Connection, 'socket'>, code: number, why: string): void {
  socket.send(errorMessage(code, why))
  socket.close(code, why)
}

/** @returns a function that counts one more, and returns the excess over `max` in this window */
export function makeMessageCounter(
  { now, hasRateLimits }: Pick<RealtimeContext, 'now' | 'hasRateLimits'>,
  [max, seconds]: RateLimitRule,
): () => number {
  let window = 0
  let count = 0
  return () => {
    const current = Math.floor(now().getTime() / (seconds * 1000))
    count = current === window ? count + 1 : 1
    window = current
    return hasRateLimits ? Math.max(0, count - max) : 0
  }
}

export async function handleMessage(
  context: RealtimeContext,
  connection: Connection,
  text: string,
) {
  try {
    await answer(context, connection, readMessage(text))
  } catch (error) {
    if (error instanceof BadMessage)
      connection.socket.send(errorMessage(CODE.badMessage, error.message))
    else refuse(connection, CODE.tryLater, 'The server is busy. Please try again in a moment.')
  }
}

async function answer(context: RealtimeContext, connection: Connection, message: ClientMessage) {
  switch (message.type) {
    case 'ping':
      return connection.socket.send(PONG)
    case 'authentication':
      return authenticate(context, connection, message.data.session)
    case 'subscribe':
      return subscribe(context, connection, message.data)
    case 'unsubscribe': {
      const subscriptions = message.data.map(({ subscriptionId }) => ({ subscriptionId }))
      for (const { subscriptionId: id } of subscriptions) connection.subscriptions.delete(id)
      updateIndex(context.connections, connection)
      connection.socket.send(responseMessage('unsubscribe', { subscriptions }))
    }
  }
}

/** @throws BadMessage when `session` is not the token of a session */
async function authenticate(context: RealtimeContext, connection: Connection, session: string) {
  const viewer = await context.resolveViewer({ 'x-appwrite-session': session }).catch((error) => {
    if (error instanceof Refusal && error.type === 'user_blocked')
      throw new BadMessage('Session is not valid')
    throw error
  })
  if (viewer.role !== 'user') throw new BadMessage('Session is not valid')
  const user = await context.readAccount(viewer)
  setViewer(context, connection, viewer)
  connection.socket.send(responseMessage('authentication', { user }))
}

/** From now on the connection receives only events that this viewer may read. */
export function setViewer(context: RealtimeContext, connection: Connection, viewer: Viewer): void {
  connection.viewer = viewer
  connection.session = sessionOf(viewer)
  updateIndex(context.connections, connection)
}

/** A subscription replaces an earlier one with the same id. */
function subscribe(
  context: RealtimeContext,
  connection: Connection,
  requests: SubscriptionRequest[],
): void {
  const subscriptions = new Map(connection.subscriptions)
  const rows = requests.map(({ subscriptionId, channels, queries = [] }) => ({
    subscriptionId,
    channels,
    queries,
  }))
  for (const { subscriptionId: id, channels, queries } of rows)
    subscriptions.set(id, {
      channels: [...new Set(channels)],
      filter: parseSubscriptionFilter(queries),
    })
  const problem = findSubscriptionProblem({ ...connection, subscriptions })
  if (problem) {
    refuse(connection, CODE.policy, problem)
    return
  }
  connection.subscriptions = subscriptions
  updateIndex(context.connections, connection)
  connection.socket.send(responseMessage('subscribe', { subscriptions: rows }))
}

/** @returns the limit that a connection's subscriptions exceed, as a message to the client */
export function findSubscriptionProblem(connection: Pick<Connection, 'subscriptions' | 'viewer'>) {
  const subscriptions = [...connection.subscriptions.values()]
  const names = subscriptions.flatMap(({ channels }) => channels)
  if (
    channelsOf(connection).length > CHANNELS_MAX ||
    names.length > CHANNEL_NAMES_MAX ||
    subscriptions.length > SUBSCRIPTIONS_MAX + 1
  )
    return `At most ${CHANNELS_MAX} channels`
  if (names.some((name) => name.length > CHANNEL_MAX_CHARS))
    return 'The name of a channel is too long'
  const values = subscriptions.reduce((total, { filter }) => total + (filter?.values ?? 0), 0)
  if (values > VALUES_MAX) return `At most ${VALUES_MAX} values in all queries together`
  return undefined
}
