// Sends a change to every connection that listens and may see it. The payload becomes text once for
// each spelling, never once for each connection.
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

/** Which of a connection's channels a change was sent on. */
type Heard = Map<Connection, string[]>

/** A change on its way: what of it is the same for many is made once. */
type Event = {
  change: RealtimeEvent
  payload: Record<string, unknown>
  names: Names[]
  /** By whether it is told as a row alone. */
  payloads: Map<boolean, Buffer>
  /** What stands before the payload, by the channels that a connection listens to. */
  heads: Map<string, { text: string; payload: Buffer }>
  at: string
}

/** A longer payload is sent in a frame of its own, and never copied. */
const COPIED_MAX_BYTES = 16_384
/** Who may hear is asked for so many together; then calls come first, so that none waits long. */
const SEND_BATCH_SIZE = 100

export async function fanOut(context: RealtimeContext, change: RealtimeEvent): Promise<void> {
  const names = namesOf(context, change)
  const heard = findListeners(context.connections, names)
  if (heard.size === 0) return
  const told = await withPayload(context, change)
  if (!told || !('payload' in told) || !told.payload) return
  const payload = withoutSecrets(told.payload)
  const event: Event = {
    change: told,
    payload: isPost(told) ? context.withAliases(payload) : payload,
    names,
    payloads: new Map(),
    heads: new Map(),
    at: wireTime(context.now()),
  }
  const listeners = [...heard.keys()]
  for (let at = 0; at < listeners.length; at += SEND_BATCH_SIZE) {
    await nextTurn()
    for (const connection of await findRecipients(
      context,
      listeners.slice(at, at + SEND_BATCH_SIZE),
      told,
    ))
      if (isBackpressured(connection)) disconnect(context.log, connection)
      else send(event, connection, heard.get(connection) ?? [])
  }
}

function findListeners({ index }: Connections, names: Names[]): Heard {
  const heard: Heard = new Map()
  for (const channel of names.flatMap(({ heardOn }) => heardOn))
    for (const connection of index.get(channel) ?? [])
      heard.set(connection, [...(heard.get(connection) ?? []), channel])
  return heard
}

/** A post that another process has changed is read: as it is now, and for whom it is now. */
async function withPayload(
  context: RealtimeContext,
  change: RealtimeEvent,
): Promise<RealtimeEvent | undefined> {
  if (!isPost(change) || change.payload) return change
  const found = await context.findPost(change.id)
  return found && { ...change, ...found }
}

/** Whether the payload is a whole post. */
function isPost(change: RealtimeEvent): change is PostEvent {
  return change.kind === 'post' && change.action !== 'unpublish'
}

const SECRETS = ['secret', 'providerAccessToken', 'providerRefreshToken']

function withoutSecrets(payload: object): Record<string, unknown> {
  const isSecret = (name: string) => SECRETS.includes(name)
  const parts = Object.entries(payload).map(([name, one]) => [name, isSecret(name) ? '' : one])
  return Object.fromEntries(parts)
}

function send(event: Event, connection: Connection, channels: string[]): void {
  const { socket } = connection
  if (socket.readyState !== OPEN) return
  const all = idsOf(event, connection, channels)
  if (all.length === 0) return
  const ids = all.filter((id) => id !== URL_SUBSCRIPTION)
  const { text, payload } = headFor(event, channels)
  const end = ids.length > 0 ? `,"subscriptions":${JSON.stringify(ids)}}}` : '}}'
  if (payload.length <= COPIED_MAX_BYTES) socket.send(`${text}${payload}${end}`)
  else {
    socket.send(text, { fin: false })
    socket.send(payload, { binary: false, fin: false })
    socket.send(end, { fin: true })
  }
}

const OPEN = 1

/** Which subscriptions it is sent for. */
function idsOf({ payload }: Event, { subscriptions }: Connection, channels: string[]): string[] {
  return [...subscriptions].flatMap(([id, { channels: own, filter }]) => {
    const isHeard = own.some((one) => channels.includes(one))
    return isHeard && (filter?.matches(payload) ?? true) ? [id] : []
  })
}

function headFor(event: Event, heardOn: string[]) {
  const key = heardOn.join(' ')
  const known = event.heads.get(key)
  if (known) return known
  const isHeard = (channel: string) => heardOn.includes(channel)
  const used = event.names.filter((names) => names.heardOn.some(isHeard))
  const standard = used.flatMap((names) => names.channels)
  const channels = JSON.stringify([...new Set([...standard, ...heardOn])])
  const events = JSON.stringify(used.flatMap((names) => names.events))
  const text = `{"type":"event","data":{"events":${events},"channels":${channels},"timestamp":"${event.at}","payload":`
  const head = { text, payload: payloadFor(event, used) }
  event.heads.set(key, head)
  return head
}

function isDocument({ kind }: RealtimeEvent): boolean {
  return kind === 'post' || kind === 'comment'
}

/** A post that is told as a row alone names its table, as the calls about rows do. */
function payloadFor({ change, payload, payloads }: Event, used: Names[]): Buffer {
  const isRow = used.every((names) => names.isRow === true)
  const known = payloads.get(isRow)
  if (known) return known
  const made = Buffer.from(JSON.stringify(isDocument(change) ? toPost(payload, isRow) : payload))
  payloads.set(isRow, made)
  return made
}

/** Documents have the form of level 1.4 (api.md §12), rows that of the newer clients. */
function toPost(payload: Event['payload'], isRow: boolean): Event['payload'] {
  const { $collectionId, $sequence, ...rest } = payload
  return isRow
    ? { ...rest, $tableId: $collectionId, ...($sequence ? { $sequence: String($sequence) } : {}) }
    : { ...rest, $collectionId }
}

// --- names of channels and events (api.md §7.3): what a change is called, and on which channels it
// is sent

/** Path of a subject as kinds and ids: `databases`, `blogdb`, `collections`, `posts`, … */
type Path = readonly (readonly [kind: string, id: string])[]

/** A change of a post is told in two ways: as a document, and as a row to newer clients. */
type Names = {
  isRow?: boolean
  events: string[]
  /** Those that everybody is told who hears of the change in this spelling. */
  channels: string[]
  /** All channels on which it is sent, with wildcards, and followed by what was done. */
  heardOn: string[]
}

type Place = { databaseId: string; collectionId: string }

/** @returns none of a change that is no event */
function namesOf({ databaseId, collectionId }: Place, change: RealtimeEvent): Names[] {
  switch (change.kind) {
    case 'post':
    case 'comment': {
      const ownId = change.kind === 'post' ? collectionId : COMMENTS_COLLECTION_ID
      const pathOf = (root: string, group: string, kind: string): Path => [
        [root, databaseId],
        [group, ownId],
        [kind, change.id],
      ]
      const rows = [pathOf('tablesdb', 'tables', 'rows'), pathOf('databases', 'tables', 'rows')]
      return [
        namesIn([pathOf('databases', 'collections', 'documents')], 'documents', change.action),
        { ...namesIn(rows, 'rows', change.action), isRow: true },
      ]
    }
    case 'file': {
      const path: Path = [
        ['buckets', change.bucketId],
        ['files', change.id],
      ]
      return [namesIn([path], 'files', change.action)]
    }
    case 'account':
      return [namesOfAccount(change)]
    case 'access':
      return []
  }
}

function namesIn(paths: Path[], all: string, action: string): Names {
  const plain = paths.flatMap((path) => [spellings(path, { isList: true })[0], spellings(path)[0]])
  const wild = paths.flatMap((path) => [...spellings(path), ...spellings(path, { isList: true })])
  const heard = [all, ...wild]
  const withAction = heard.map((channel) => `${channel}.${action}`)
  return {
    events: paths.flatMap((path) => eventNames(path, action)),
    channels: [all, ...plain.filter((one) => one !== undefined)],
    // Other programs know neither of these actions: only channels that name one receive it.
    heardOn:
      action === 'publish' || action === 'unpublish' ? withAction : [...heard, ...withAction],
  }
}

function namesOfAccount({ userId, name }: Extract<RealtimeEvent, { kind: 'account' }>): Names {
  const [kind = '', id, action] = name.split('.')
  // Of their own: programs that hear of the account expect its fields.
  const of = kind === 'notifications' ? kind : 'account'
  const channels = [of, `${of}.${userId}`]
  const user: Path = [['users', userId]]
  const ends = [...new Set([kind, name])]
  const events =
    action === undefined || id === undefined
      ? [
          ...ends.flatMap((end) => spellings(user).map((text) => `${text}.${end}`)),
          ...spellings(user),
        ]
      : eventNames([...user, [kind, id]], action)
  return { events, channels, heardOn: channels }
}

/** The full name and those of what it is part of, with every combination of wildcards. */
function eventNames(path: Path, action: string): string[] {
  const whole = spellings(path)
  const parts = path.map((_, at) => spellings(path.slice(0, path.length - at)))
  return [...whole.map((text) => `${text}.${action}`), ...parts.flat()]
}

/** The plain one first, then the one of wildcards only, then the mixed ones. */
function spellings(path: Path, { isList = false } = {}): string[] {
  const ids = isList ? path.length - 1 : path.length
  const masks = Array.from({ length: 2 ** ids }, (_, mask) => mask)
  const all = masks.length - 1
  const order = all > 0 ? [0, all, ...masks.slice(1, -1)] : [0]
  return order.map((mask) =>
    path
      .map(([kind, id], at) => {
        if (at >= ids) return kind
        return `${kind}.${isMasked(mask, at, ids) ? '*' : id}`
      })
      .join('.'),
  )
}

/** The mixed ones begin with a wildcard in the middle. */
function isMasked(mask: number, at: number, ids: number): boolean {
  return (mask & (1 << ((at + ids - 1) % ids))) !== 0
}
