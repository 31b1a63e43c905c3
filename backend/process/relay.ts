// The supervisor's part in what workers tell each other: passes on what is for all others, answers
// what it is asked, hands the turn to write from one to the next, and says who leads. Knows no
// process: a peer is whatever takes messages.
import { makeSharedSyncs, type SharedSyncs } from './shared-syncs.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

export type Answers = Readonly<Record<string, (body: unknown, from: number) => unknown>>

export type Relay = {
  /** @param from the number of a worker; before its hello nothing is heard of it */
  receive(from: number, send: (message: ToWorker) => void, message: FromWorker): void
  /** A worker has ended. `isLost`: not by itself, so that it may have left something unsaid. */
  leave(id: number, isLost: boolean): void
}

type Peer = {
  id: number
  send: (message: ToWorker) => void
  isReady: boolean
  unheard: Set<number>
}
/** Something on its way to all others. */
type Delivery = { waitFor: Set<number>; done: () => void }
/** A turn to write of which not all has been told; what it has to say waits for those before. */
type Turn = { id: number; waiting: (() => void)[] }
type State = {
  peers: Map<number, Peer>
  deliveries: Map<number, Delivery>
  delivered: number
  holder: number | undefined
  wanting: { id: number; call: number }[]
  /** In the order in which they were given. */
  untold: Turn[]
  leader: number | undefined
  syncs: SharedSyncs
}

export function makeRelay(answers: Answers): Relay {
  const state: State = {
    ...{ peers: new Map(), deliveries: new Map(), delivered: 0 },
    ...{ holder: undefined, wanting: [], untold: [], leader: undefined },
    syncs: makeSharedSyncs(),
  }
  return {
    receive(from, send, message) {
      if (message.kind === 'hello')
        state.peers.set(from, { id: from, send, isReady: false, unheard: new Set() })
      const peer = state.peers.get(from)
      if (peer) receive(state, answers, peer, message)
    },
    leave: (id, isLost) => leave(state, id, isLost),
  }
}

function receive(state: State, answers: Answers, peer: Peer, message: FromWorker): void {
  const { id } = peer
  if (message.kind === 'ready') {
    peer.isReady = true
    appointLeader(state)
  } else if (message.kind === 'tell')
    for (const other of othersOf(state, peer)) other.send(told(message, peer))
  else if (message.kind === 'tell in order')
    inOrder(state, peer, () => deliver(state, peer, message))
  else if (message.kind === 'heard') noteHeard(state, peer, message.delivery)
  else if (message.kind === 'ask') {
    const body = answers[message.topic]?.(message.body, id)
    peer.send({ kind: 'answer', call: message.call, body })
  } else if (message.kind === 'want turn') {
    state.wanting.push({ id, call: message.call })
    handTurnOn(state)
  } else if (message.kind === 'leave turn') leaveTurn(state, id, message.isUnused)
  else if (message.kind === 'turn told') endTurn(state, id)
  else if (message.kind === 'want sync') state.syncs.want({ ...peer, call: message.call })
  else if (message.kind === 'synced') state.syncs.ended(id, message.isDone)
}

function othersOf({ peers }: State, peer: Peer): Peer[] {
  return [...peers.values()].filter((other) => other !== peer)
}

function told({ topic, body }: { topic: string; body: unknown }, { id }: Peer) {
  return { kind: 'told', topic, body, from: id } as const
}

/** Those that do not answer requests yet hear it, too; nobody waits for them. */
function deliver(
  state: State,
  from: Peer,
  message: Extract<FromWorker, { kind: 'tell in order' }>,
): void {
  const { call } = message
  const delivery = ++state.delivered
  const waitFor = new Set<number>()
  from.send({ kind: 'passed on', call })
  for (const other of othersOf(state, from)) {
    other.send({ ...told(message, from), delivery })
    if (!other.isReady) continue
    waitFor.add(other.id)
    other.unheard.add(delivery)
  }
  const done = () => from.send({ kind: 'all heard', call })
  if (waitFor.size === 0) done()
  else state.deliveries.set(delivery, { waitFor, done })
}

function noteHeard({ deliveries }: State, peer: Peer, id: number): void {
  peer.unheard.delete(id)
  const delivery = deliveries.get(id)
  delivery?.waitFor.delete(peer.id)
  if (delivery?.waitFor.size !== 0) return
  deliveries.delete(id)
  delivery.done()
}

/** A worker tells of its turns one after the other: this belongs to the oldest of them. */
function inOrder({ untold }: State, { id }: Peer, work: () => void): void {
  const own = untold.find((turn) => turn.id === id)
  if (!own || own === untold[0]) work()
  else own.waiting.push(work)
}

function endTurn({ untold }: State, id: number): void {
  const at = untold.findIndex((turn) => turn.id === id)
  const [ended] = at < 0 ? [] : untold.splice(at, 1)
  // What it has said waits for those before it, as part of the last of them.
  if (at > 0) untold[at - 1]?.waiting.push(...(ended?.waiting ?? []))
  else
    for (const turn of [ended, untold[0]]) for (const work of turn?.waiting.splice(0) ?? []) work()
}

function handTurnOn(state: State): void {
  const { peers, wanting } = state
  if (state.holder !== undefined) {
    peers.get(state.holder)?.send({ kind: 'turn wanted' })
    return
  }
  const next = wanting.shift()
  if (!next) return
  state.holder = next.id
  state.untold.push({ id: next.id, waiting: [] })
  const holder = peers.get(next.id)
  holder?.send({ kind: 'turn', call: next.call })
  if (wanting.length > 0) holder?.send({ kind: 'turn wanted' })
}

/** Also of one that waits for it, and no longer. */
function leaveTurn(state: State, id: number, isUnused = false): void {
  if (state.holder === id) {
    state.holder = undefined
    if (isUnused)
      state.untold.splice(
        state.untold.findLastIndex((turn) => turn.id === id),
        1,
      )
  } else state.wanting = state.wanting.filter((one) => one.id !== id)
  handTurnOn(state)
}

function leave(state: State, id: number, isLost: boolean): void {
  const peer = state.peers.get(id)
  if (!peer) return
  state.peers.delete(id)
  state.syncs.leave(id)
  for (const delivery of [...peer.unheard]) noteHeard(state, peer, delivery)
  while (state.untold.some((turn) => turn.id === id)) endTurn(state, id)
  for (const other of state.peers.values()) other.send({ kind: 'gone', id, isLost })
  state.wanting = state.wanting.filter((one) => one.id !== id)
  if (state.holder === id) leaveTurn(state, id)
  if (state.leader !== id) return
  state.leader = undefined
  appointLeader(state)
}

/** The one that has answered requests for longest. */
function appointLeader(state: State): void {
  if (state.leader !== undefined) return
  const oldest = [...state.peers.values()].find(({ isReady }) => isReady)
  state.leader = oldest?.id
  oldest?.send({ kind: 'lead' })
}
