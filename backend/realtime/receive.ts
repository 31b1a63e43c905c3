// What a client sends on its connection, and the answers (api.md §7.2). Knows no upgrade.
import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import {
  REALTIME_CHANNEL_MAX_CHARS,
  REALTIME_CHANNEL_NAMES_MAX,
  REALTIME_CHANNELS_MAX,
  REALTIME_CONTROL_FRAMES_MAX,
  REALTIME_REFUSED_MESSAGES_MAX,
  REALTIME_SUBSCRIPTIONS_MAX,
  REALTIME_VALUES_MAX,
} from '#contract/server-limits.ts'
import type { Database } from '../database/schema.ts'
import type { Rule } from '../http/rate-limits.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { type Connection, type Connections, channelsOf, list } from './connections.ts'
import {
  BadMessage,
  type ClientMessage,
  CODE,
  errorMessage,
  PONG,
  readMessage,
  responseMessage,
  type SubscriptionRow,
} from './messages.ts'
import { readWants } from './queries.ts'
import { checkSessions } from './sessions.ts'

export type ReceiveNeeds = {
  db: Database
  connections: Connections
  now: () => Date
  hasRateLimits: boolean
  /** From accounts: whose session a token is. */
  findViewer: (headers: IncomingHttpHeaders) => Promise<Viewer>
  readAccount: (viewer: UserViewer) => Promise<Account>
}

/** Sends the reason, then closes with the same code. */
export function refuse({ socket }: Pick<Connection, 'socket'>, code: number, why: string): void {
  socket.send(errorMessage(code, why))
  socket.close(code, why)
}

type CountNeeds = Pick<ReceiveNeeds, 'now' | 'hasRateLimits'>
export type MessageCount = () => 'fine' | 'refused' | 'flood'

/** Of messages, and how many more are refused before the connection ends. */
export function makeMessageCount(needs: CountNeeds): MessageCount {
  return makeCount(needs, RATE.realtimeMessagePerConnection, REALTIME_REFUSED_MESSAGES_MAX)
}

/** Of pings and pongs of the protocol: they are never refused. */
export function makeControlCount(needs: CountNeeds): MessageCount {
  const [, seconds] = RATE.realtimeMessagePerConnection
  return makeCount(needs, [REALTIME_CONTROL_FRAMES_MAX, seconds], 0)
}

/** A window of the clock, as for calls (api.md §8). */
function makeCount(
  { now, hasRateLimits }: CountNeeds,
  [max, seconds]: Rule,
  refusedMax: number,
): MessageCount {
  let window = 0
  let count = 0
  return () => {
    const current = Math.floor(now().getTime() / (seconds * 1000))
    if (current !== window) count = 0
    window = current
    count += 1
    if (!hasRateLimits || count <= max) return 'fine'
    return count <= max + refusedMax ? 'refused' : 'flood'
  }
}

export async function receive(
  needs: ReceiveNeeds,
  connection: Connection,
  text: string,
): Promise<void> {
  try {
    await answer(needs, connection, readMessage(text))
  } catch (error) {
    if (error instanceof BadMessage)
      connection.socket.send(errorMessage(CODE.badMessage, error.message))
    else refuse(connection, CODE.tryLater, 'The server is busy. Please try again in a moment.')
  }
}

async function answer(
  needs: ReceiveNeeds,
  connection: Connection,
  message: ClientMessage,
): Promise<void> {
  switch (message.type) {
    case 'ping':
      connection.socket.send(PONG)
      return
    case 'authentication':
      return authenticate(needs, connection, message.session)
    case 'subscribe':
      return subscribe(needs, connection, message.rows)
    case 'unsubscribe':
      for (const id of message.ids) connection.subscriptions?.delete(id)
      list(needs.connections, connection)
      connection.socket.send(
        responseMessage('unsubscribe', {
          subscriptions: message.ids.map((subscriptionId) => ({ subscriptionId })),
        }),
      )
  }
}

/** @throws BadMessage when it is the token of no session */
async function authenticate(
  needs: ReceiveNeeds,
  connection: Connection,
  session: string,
): Promise<void> {
  const viewer = await needs.findViewer({ 'x-appwrite-session': session }).catch((error) => {
    if (error instanceof Refusal && error.type === 'user_blocked')
      throw new BadMessage('Session is not valid')
    throw error
  })
  if (viewer.role !== 'user') throw new BadMessage('Session is not valid')
  const user = await needs.readAccount(viewer)
  await become(needs, connection, viewer)
  if (connection.viewer.role === 'user')
    connection.socket.send(responseMessage('authentication', { user }))
}

/** From here on it hears what this person may, unless the session has ended meanwhile. */
export async function become(
  needs: Pick<ReceiveNeeds, 'db' | 'connections' | 'now' | 'findViewer'>,
  connection: Connection,
  viewer: Viewer,
  jwt?: string,
): Promise<void> {
  connection.jwt = jwt
  connection.viewer = viewer
  await checkSessions(needs, [connection])
  list(needs.connections, connection)
}

/** A subscription with a known id replaces the earlier. */
function subscribe(
  { connections }: ReceiveNeeds,
  connection: Connection,
  rows: SubscriptionRow[],
): void {
  const all = new Map(connection.subscriptions)
  for (const { subscriptionId, channels, queries } of rows)
    all.set(subscriptionId, { channels: [...new Set(channels)], wants: readWants(queries) })
  const problem = problemOf({ ...connection, subscriptions: all })
  if (problem) {
    refuse(connection, CODE.policy, problem)
    return
  }
  connection.subscriptions = all
  list(connections, connection)
  connection.socket.send(responseMessage('subscribe', { subscriptions: rows }))
}

/** What is wrong with what a connection asks for. */
export function problemOf(
  connection: Pick<Connection, 'named' | 'subscriptions' | 'viewer'>,
): string | undefined {
  const subscriptions = [...(connection.subscriptions?.values() ?? [])]
  const names = [...connection.named, ...subscriptions.flatMap(({ channels }) => channels)]
  if (
    channelsOf(connection).length > REALTIME_CHANNELS_MAX ||
    names.length > REALTIME_CHANNEL_NAMES_MAX ||
    subscriptions.length > REALTIME_SUBSCRIPTIONS_MAX
  )
    return `At most ${REALTIME_CHANNELS_MAX} channels`
  if (names.some((name) => name.length > REALTIME_CHANNEL_MAX_CHARS))
    return 'The name of a channel is too long'
  const values = subscriptions.reduce((total, { wants }) => total + (wants?.values ?? 0), 0)
  if (values > REALTIME_VALUES_MAX)
    return `At most ${REALTIME_VALUES_MAX} values in all queries together`
  return undefined
}
