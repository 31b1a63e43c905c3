// The messages of a connection (api.md §7.2), as text. Knows no socket.
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Account } from '#contract/accounts.ts'

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

export const CHANNEL_MAX_CHARS = 255

const SubscriptionId = Type.String({ minLength: 1, maxLength: 64 })
const Texts = Type.Array(Type.String({ maxLength: 4096 }))
const Subscription = Type.Object({
  subscriptionId: SubscriptionId,
  channels: Texts,
  queries: Type.Optional({ ...Texts, maxItems: 10 }),
})
const oneOrMore = { minItems: 1 }
const ClientMessage = Type.Union([
  Type.Object({ type: Type.Literal('ping') }),
  Type.Object({
    type: Type.Literal('authentication'),
    data: Type.Object({ session: Type.String() }),
  }),
  Type.Object({ type: Type.Literal('subscribe'), data: Type.Array(Subscription, oneOrMore) }),
  Type.Object({
    type: Type.Literal('unsubscribe'),
    data: Type.Array(Type.Object({ subscriptionId: SubscriptionId }), oneOrMore),
  }),
])
export type ClientMessage = Static<typeof ClientMessage>
export type SubscriptionRow = Static<typeof Subscription>

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
  const message = parseJson(text, 'Message format is not valid')
  if (!Check(ClientMessage, message)) throw new BadMessage('Payload is not valid')
  return message
}

/** @throws BadMessage */
export function parseJson(text: string, problem: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage(problem)
  }
}
