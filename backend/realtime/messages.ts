// The messages of a connection (api.md §7.2), as text. Knows no socket.
import type { Account } from '#contract/accounts.ts'
import {
  REALTIME_CHANNEL_MAX_CHARS,
  REALTIME_QUERIES_MAX,
  REALTIME_SUBSCRIPTION_ID_MAX_CHARS,
} from '#contract/server-limits.ts'
import { findQueryList } from '../http/params.ts'
import type { QueryParams } from '../http/query-string.ts'

/** Codes of error messages; those of a close are the same. */
export const CODE = {
  goingAway: 1001,
  badMessage: 1003,
  policy: 1008,
  tooBig: 1009,
  tryLater: 1013,
  /** Of a close alone: the session has ended. */
  sessionEnded: 3000,
} as const

export type SubscriptionRow = { subscriptionId: string; channels: string[]; queries: string[] }

export type ClientMessage =
  | { type: 'ping' }
  | { type: 'authentication'; session: string }
  | { type: 'subscribe'; rows: SubscriptionRow[] }
  | { type: 'unsubscribe'; ids: string[] }

/** A message that cannot be understood; the connection stays open. */
export class BadMessage extends Error {}

export function errorMessage(code: number, message: string): string {
  return JSON.stringify({ type: 'error', data: { code, message } })
}

export function connectedMessage(channels: string[], user: Account | null): string {
  return JSON.stringify({ type: 'connected', data: { channels, user } })
}

export function responseMessage(to: string, more: object): string {
  return JSON.stringify({ type: 'response', data: { to, success: true, ...more } })
}

export const PONG = JSON.stringify({ type: 'pong' })

/** @throws BadMessage */
export function readMessage(text: string): ClientMessage {
  const { type, data } = readObject(parse(text), 'Messages are JSON objects')
  switch (type) {
    case 'ping':
      return { type }
    case 'authentication': {
      const { session } = readObject(data, 'Payload is not valid')
      if (typeof session !== 'string') throw new BadMessage('Payload is not valid')
      return { type, session }
    }
    case 'subscribe':
      return { type, rows: readRows(data).map(readSubscription) }
    case 'unsubscribe':
      return { type, ids: readRows(data).map((row) => readSubscriptionId(row.subscriptionId)) }
    default:
      throw new BadMessage('Message type is not valid')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage('Message format is not valid')
  }
}

function readObject(value: unknown, problem: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadMessage(problem)
  return value as Record<string, unknown>
}

function readRows(data: unknown): Record<string, unknown>[] {
  if (!Array.isArray(data) || data.length === 0) throw new BadMessage('Payload is not valid')
  return data.map((row) => readObject(row, 'Payload is not valid'))
}

function readSubscription(row: Record<string, unknown>): SubscriptionRow {
  const { channels, queries = [] } = row
  if (!isTexts(channels) || !isTexts(queries)) throw new BadMessage('Payload is not valid')
  if (queries.length > REALTIME_QUERIES_MAX) throw new BadMessage('Too many queries')
  return { subscriptionId: readSubscriptionId(row.subscriptionId), channels, queries }
}

function readSubscriptionId(id: unknown): string {
  if (typeof id !== 'string' || id === '' || id.length > REALTIME_SUBSCRIPTION_ID_MAX_CHARS)
    throw new BadMessage('Payload is not valid')
  return id
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && one.length <= REALTIME_CHANNEL_MAX_CHARS * 16)
  )
}

/** The channels that the address of a connection names, each once. */
export function readChannels(query: QueryParams): string[] {
  return [...new Set(findQueryList(query, 'channels'))]
}
