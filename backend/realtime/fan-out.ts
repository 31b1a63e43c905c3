// Sends an event to every connection that listens and may see it. The payload is serialised once as
// a document and once as a row, never once for each connection.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { COMMENTS_COLLECTION_ID } from '#contract/comments.ts'
import { wireTime } from '#contract/ids.ts'
import type { PostEvent, RealtimeEvent } from '../database/realtime-events.ts'
import {
  type Connection,
  type Connections,
  disconnect,
  isBackpressured,
  type RealtimeContext,
  URL_SUBSCRIPTION,
} from './connections.ts'
import { findRecipients } from './rights-store.ts'

/** For each connection, those of its channels on which the event is sent. */
type Listeners = Map<Connection, string[]>

/** An event that is being sent; parts that several messages share are built once. */
type Outgoing = {
  event: RealtimeEvent
  payload: Record<string, unknown>
  names: EventNames[]
  /** The serialised payload, by whether it has the form of a row. */
  payloads: Map<boolean, Buffer>
  /** The text before the payload, by the channels of a connection. */
  heads: Map<string, { text: string; payload: Buffer }>
  at: string
}

/** A longer payload is sent in a frame of its own, and never copied. */
const COPIED_MAX_BYTES = 16_384
/** Recipients are checked in batches; between them the event loop serves other requests. */
const SEND_BATCH_SIZE = 100

export async function fanOut(context: RealtimeContext, published: RealtimeEvent): Promise<void> {
  const names = namesOf(context, published)
  const listeners = findListeners(context.connections, names)
  if (listeners.size === 0) return
  const event = await withPayload(context, published)
  if (!event || !('payload' in event) || !event.payload) return
  const payload = withoutSecrets(event.payload)
  const outgoing: Outgoing = {
    event,
    payload: isPost(event) ? context.withAliases(payload) : payload,
    names,
    payloads: new Map(),
    heads: new Map(),
    at: wireTime(context.now()),
  }
  const connections = [...listeners.keys()]
  for (let start = 0; start < connections.length; start += SEND_BATCH_SIZE) {
    await nextTurn()
    for (const connection of await findRecipients(
      context,
      connections.slice(start, start + SEND_BATCH_SIZE),
      event,
    ))
      if (isBackpressured(connection)) disconnect(context.log, connection)
      else send(outgoing, connection, listeners.get(connection) ?? [])
  }
}

function findListeners({ index }: Connections, names: EventNames[]): Listeners {
  const listeners: Listeners = new Map()
  for (const channel of names.flatMap(({ matchingChannels }) => matchingChannels))
    for (const connection of index.get(channel) ?? [])
      listeners.set(connection, [...(listeners.get(connection) ?? []), channel])
  return listeners
}

/** Reads a post that another process has changed, with its current access. */
async function withPayload(
  context: RealtimeContext,
  event: RealtimeEvent,
): Promise<RealtimeEvent | undefined> {
  if (!isPost(event) || event.payload) return event
  const post = await context.findPost(event.id)
  return post && { ...event, ...post }
}

/** Whether the payload is a whole post. */
function isPost(event: RealtimeEvent): event is PostEvent {
  return event.kind === 'post' && event.action !== 'unpublish'
}

const SECRETS = ['secret', 'providerAccessToken', 'providerRefreshToken']

function withoutSecrets(payload: object): Record<string, unknown> {
  const isSecret = (name: string) => SECRETS.includes(name)
  const fields = Object.entries(payload)
  return Object.fromEntries(fields.map(([name, value]) => [name, isSecret(name) ? '' : value]))
}

function send(outgoing: Outgoing, connection: Connection, channels: string[]): void {
  const { socket } = connection
  if (socket.readyState !== OPEN) return
  const subscriptions = matchingSubscriptions(outgoing, connection, channels)
  if (subscriptions.length === 0) return
  const ids = subscriptions.filter((id) => id !== URL_SUBSCRIPTION)
  const { text, payload } = headFor(outgoing, channels)
  const end = ids.length > 0 ? `,"subscriptions":${JSON.stringify(ids)}}}` : '}}'
  if (payload.length <= COPIED_MAX_BYTES) socket.send(`${text}${payload}${end}`)
  else {
    socket.send(text, { fin: false })
    socket.send(payload, { binary: false, fin: false })
    socket.send(end, { fin: true })
  }
}

const OPEN = 1

/** Ids of the connection's subscriptions that the event matches. */
function matchingSubscriptions(
  { payload }: Outgoing,
  { subscriptions }: Connection,
  channels: string[],
): string[] {
  return [...subscriptions].flatMap(([id, { channels: subscribed, filter }]) => {
    const isListening = subscribed.some((channel) => channels.includes(channel))
    return isListening && (filter?.matches(payload) ?? true) ? [id] : []
  })
}

function headFor(outgoing: Outgoing, listening: string[]) {
  const key = listening.join(' ')
  const existing = outgoing.heads.get(key)
  if (existing) return existing
  const isListening = (channel: string) => listening.includes(channel)
  const listenedNames = outgoing.names.filter((names) => names.matchingChannels.some(isListening))
  const standard = listenedNames.flatMap((names) => names.channels)
  const channels = JSON.stringify([...new Set([...standard, ...listening])])
  const events = JSON.stringify(listenedNames.flatMap((names) => names.events))
  const text = `{"type":"event","data":{"events":${events},"channels":${channels},"timestamp":"${outgoing.at}","payload":`
  const head = { text, payload: payloadFor(outgoing, listenedNames) }
  outgoing.heads.set(key, head)
  return head
}

function isDocument({ kind }: RealtimeEvent): boolean {
  return kind === 'post' || kind === 'comment'
}

/** A payload sent only as a row names its table, as the calls about rows do. */
function payloadFor({ event, payload, payloads }: Outgoing, listenedNames: EventNames[]): Buffer {
  const isRow = listenedNames.every((names) => names.isRow === true)
  const existing = payloads.get(isRow)
  if (existing) return existing
  const bytes = Buffer.from(JSON.stringify(isDocument(event) ? toPost(payload, isRow) : payload))
  payloads.set(isRow, bytes)
  return bytes
}

/** Documents have the form of level 1.4 (api.md §12), rows that of the newer clients. */
function toPost(payload: Outgoing['payload'], isRow: boolean): Outgoing['payload'] {
  const { $collectionId, $sequence, ...rest } = payload
  return isRow
    ? { ...rest, $tableId: $collectionId, ...($sequence ? { $sequence: String($sequence) } : {}) }
    : { ...rest, $collectionId }
}

// --- names of channels and events (api.md §7.3): what an event is called, and on which channels it
// is sent

/** Path of an event's subject as kinds and ids: `databases`, `blogdb`, `collections`, … */
type Path = readonly (readonly [kind: string, id: string])[]

/** An event of a post has two sets of names: of a document and, for newer clients, of a row. */
type EventNames = {
  isRow?: boolean
  events: string[]
  /** The channels that each message of this set names. */
  channels: string[]
  /** All channels on which the event is sent: with wildcards, and with the action at the end. */
  matchingChannels: string[]
}

type Collection = { databaseId: string; collectionId: string }

/** @returns an empty list for `access`, which clients never see */
function namesOf({ databaseId, collectionId }: Collection, event: RealtimeEvent): EventNames[] {
  switch (event.kind) {
    case 'post':
    case 'comment': {
      const ownId = event.kind === 'post' ? collectionId : COMMENTS_COLLECTION_ID
      const pathOf = (root: string, group: string, kind: string): Path => [
        [root, databaseId],
        [group, ownId],
        [kind, event.id],
      ]
      const rows = [pathOf('tablesdb', 'tables', 'rows'), pathOf('databases', 'tables', 'rows')]
      return [
        namesIn([pathOf('databases', 'collections', 'documents')], 'documents', event.action),
        { ...namesIn(rows, 'rows', event.action), isRow: true },
      ]
    }
    case 'file': {
      const path: Path = [
        ['buckets', event.bucketId],
        ['files', event.id],
      ]
      return [namesIn([path], 'files', event.action)]
    }
    case 'account':
      return [namesOfAccount(event)]
    case 'access':
      return []
  }
}

function namesIn(paths: Path[], generalChannel: string, action: string): EventNames {
  const plain = paths.flatMap((path) => [
    wildcardForms(path, { isList: true })[0],
    wildcardForms(path)[0],
  ])
  const wild = paths.flatMap((path) => [
    ...wildcardForms(path),
    ...wildcardForms(path, { isList: true }),
  ])
  const matching = [generalChannel, ...wild]
  const withAction = matching.map((channel) => `${channel}.${action}`)
  return {
    events: paths.flatMap((path) => eventNames(path, action)),
    channels: [generalChannel, ...plain.filter((channel) => channel !== undefined)],
    // Other programs know neither of these actions: only channels that name one of them receive it.
    matchingChannels:
      action === 'publish' || action === 'unpublish' ? withAction : [...matching, ...withAction],
  }
}

function namesOfAccount({ userId, name }: Extract<RealtimeEvent, { kind: 'account' }>): EventNames {
  const [kind = '', id, action] = name.split('.')
  // Notifications have their own channel: programs on `account` expect the fields of an account.
  const channel = kind === 'notifications' ? kind : 'account'
  const channels = [channel, `${channel}.${userId}`]
  const user: Path = [['users', userId]]
  const ends = [...new Set([kind, name])]
  const events =
    action === undefined || id === undefined
      ? [
          ...ends.flatMap((end) => wildcardForms(user).map((text) => `${text}.${end}`)),
          ...wildcardForms(user),
        ]
      : eventNames([...user, [kind, id]], action)
  return { events, channels, matchingChannels: channels }
}

/** The full name and those of its parents, each with every combination of wildcards. */
function eventNames(path: Path, action: string): string[] {
  const fullForms = wildcardForms(path)
  const parts = path.map((_, at) => wildcardForms(path.slice(0, path.length - at)))
  return [...fullForms.map((text) => `${text}.${action}`), ...parts.flat()]
}

/** The path without wildcards first, then with wildcards only, then the mixed forms. */
function wildcardForms(path: Path, { isList = false } = {}): string[] {
  const ids = isList ? path.length - 1 : path.length
  const masks = Array.from({ length: 2 ** ids }, (_, mask) => mask)
  const allMasked = masks.length - 1
  const order = allMasked > 0 ? [0, allMasked, ...masks.slice(1, -1)] : [0]
  return order.map((mask) =>
    path
      .map(([kind, id], at) => {
        if (at >= ids) return kind
        return `${kind}.${isMasked(mask, at, ids) ? '*' : id}`
      })
      .join('.'),
  )
}

/** The first mixed form has its wildcard in the middle. */
function isMasked(mask: number, at: number, ids: number): boolean {
  return (mask & (1 << ((at + ids - 1) % ids))) !== 0
}
