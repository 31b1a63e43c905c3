// Sends a change to every connection that listens and may see it. The payload becomes text once for
// each spelling, never once for each connection.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { wireTime } from '#contract/ids.ts'
import type { Change } from '../database/changes.ts'
import type { Log } from '../process/log.ts'
import { type Names, namesOf, type Spelling } from './channels.ts'
import { type Connection, type Connections, cut, isFull } from './connections.ts'
import { findHearers, type RightsNeeds } from './rights.ts'

export type FanOutNeeds = RightsNeeds & {
  databaseId: string
  collectionId: string
  /** From posts: a post as the key reads it, and who may see it; undefined when it is gone. */
  findPost: (id: string) => Promise<Pick<PostChange, 'payload' | 'access'> | undefined>
  log: Log
}

type PostChange = Extract<Change, { kind: 'post' }>
/** Which of a connection's channels a change was sent on. */
type Heard = Map<Connection, string[]>

/** A change on its way: what of it is the same for many is made once. */
type Event = {
  change: Change
  payload: Record<string, unknown>
  names: Partial<Record<Spelling, Names>>
  /** By the spellings that a connection listens in. */
  payloads: Partial<Record<Spelling, Text>>
  /** What stands before the payload, by the channels that a connection listens to. */
  heads: Map<string, { text: string; payload: Text }>
  at: string
}
type Text = { text: string; bytes: Buffer }

/** A longer payload is sent in a frame of its own, and never copied. */
const COPIED_MAX_BYTES = 16_384
/** Who may hear is asked for so many together; then calls come first, so that none waits long. */
const SENT_AT_ONCE = 100
const SPELLINGS: readonly Spelling[] = ['documents', 'rows']

export async function fanOut(needs: FanOutNeeds, change: Change): Promise<void> {
  const names = namesOf(needs, change)
  const heard = findListeners(needs.connections, names)
  if (heard.size === 0) return
  const told = await withPayload(needs, change)
  if (!told || !('payload' in told) || !told.payload) return
  const event: Event = {
    change: told,
    payload: withoutSecrets(told.payload as Record<string, unknown>),
    names,
    payloads: {},
    heads: new Map(),
    at: wireTime(needs.now()),
  }
  const listeners = [...heard.keys()]
  for (let at = 0; at < listeners.length; at += SENT_AT_ONCE) {
    await nextTurn()
    for (const connection of await findHearers(needs, listeners.slice(at, at + SENT_AT_ONCE), told))
      send(needs, event, connection, heard.get(connection) ?? [])
  }
}

function findListeners({ index }: Connections, names: Partial<Record<Spelling, Names>>): Heard {
  const heard: Heard = new Map()
  for (const spelling of SPELLINGS)
    for (const channel of names[spelling]?.heardOn ?? [])
      for (const connection of index.get(channel) ?? []) {
        const known = heard.get(connection)
        if (known) known.push(channel)
        else heard.set(connection, [channel])
      }
  return heard
}

/** A post that another process has changed is read: as it is now, and for whom it is now. */
async function withPayload(needs: FanOutNeeds, change: Change): Promise<Change | undefined> {
  if (change.kind !== 'post' || change.payload) return change
  const found = await needs.findPost(change.id)
  return found && { ...change, ...found }
}

const SECRETS = ['secret', 'providerAccessToken', 'providerRefreshToken']

function withoutSecrets(payload: Record<string, unknown>): Record<string, unknown> {
  const blank = SECRETS.filter((name) => Object.hasOwn(payload, name)).map((name) => [name, ''])
  return { ...payload, ...Object.fromEntries(blank) }
}

function send(
  { log }: Pick<FanOutNeeds, 'log'>,
  event: Event,
  connection: Connection,
  channels: string[],
): void {
  const { socket, subscriptions } = connection
  if (socket.readyState !== OPEN) return
  if (isFull(connection)) {
    cut(log, connection)
    return
  }
  const ids = subscriptions && idsOf(event, subscriptions, channels)
  const isNamed = connection.named.some((one) => channels.includes(one))
  if (ids?.length === 0 && !isNamed) return
  const { text, payload } = headFor(event, channels)
  const end = ids?.length ? `,"subscriptions":${JSON.stringify(ids)}}}` : '}}'
  if (payload.bytes.length <= COPIED_MAX_BYTES) socket.send(text + payload.text + end)
  else {
    socket.send(text, { fin: false })
    socket.send(payload.bytes, { binary: false, fin: false })
    socket.send(end, { fin: true })
  }
}

const OPEN = 1

function idsOf(
  { payload }: Event,
  subscriptions: NonNullable<Connection['subscriptions']>,
  channels: string[],
): string[] {
  return [...subscriptions]
    .filter(([, { channels: own, wants }]) => {
      const isHeard = own.some((one) => channels.includes(one))
      return isHeard && (wants?.holds(payload) ?? true)
    })
    .map(([id]) => id)
}

function headFor(event: Event, heardOn: string[]) {
  const key = heardOn.join(' ')
  const known = event.heads.get(key)
  if (known) return known
  const used = SPELLINGS.filter((spelling) => isUsed(event.names[spelling], heardOn))
  const standard = used.flatMap((spelling) => event.names[spelling]?.channels ?? [])
  const channels = JSON.stringify([...new Set([...standard, ...heardOn])])
  const events = JSON.stringify(used.flatMap((spelling) => event.names[spelling]?.events ?? []))
  const text = `{"type":"event","data":{"events":${events},"channels":${channels},"timestamp":"${event.at}","payload":`
  const head = { text, payload: payloadFor(event, used) }
  event.heads.set(key, head)
  return head
}

function isUsed(names: Names | undefined, heardOn: string[]): boolean {
  return names?.heardOn.some((channel) => heardOn.includes(channel)) ?? false
}

/** A post that is told as a row alone names its table, as the calls about rows do. */
function payloadFor({ change, payload, payloads }: Event, used: Spelling[]): Text {
  const isRow = change.kind === 'post' && !used.includes('documents')
  const key = isRow ? 'rows' : 'documents'
  const known = payloads[key]
  if (known) return known
  const text = JSON.stringify(change.kind === 'post' ? toPost(payload, isRow) : payload)
  payloads[key] = { text, bytes: Buffer.from(text) }
  return payloads[key]
}

/** Documents have the form of level 1.4 (api.md §12), rows that of the newer clients. */
function toPost(payload: Event['payload'], isRow: boolean): Event['payload'] {
  const { $collectionId, $sequence, ...rest } = payload
  return isRow
    ? { ...rest, $tableId: $collectionId, $sequence: String($sequence) }
    : { ...rest, $collectionId }
}
