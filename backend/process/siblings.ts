// The other workers of this machine, as a worker reaches them through its supervisor (relay.ts).
// A process without a supervisor is alone: it leads, and everything for others is done at once.
import { setTimeout as delay } from 'node:timers/promises'
import type { FromWorker, StopHow, ToWorker } from './worker-messages.ts'

export type Siblings = {
  /** How many processes serve the blog on this machine. */
  count: number
  /** Tells all others. */
  tell(topic: string, body: unknown): void
  /**
   * Tells all others in the order in which processes had the turn to write.
   *
   * @param passedOn called when its place in that order has come, before anything later is heard
   * @returns once they have heard it, or after so long
   */
  tellInOrder(
    topic: string,
    body: unknown,
    wait: { passedOn: () => void; ms: number },
  ): Promise<void>
  /** What it returns is waited for before the one that tells is told that all have heard. */
  hear(topic: string, ear: (body: unknown, from: number) => unknown): void
  /** Asks the supervisor. */
  ask(topic: string, body: unknown): Promise<unknown>
  /** Another worker has ended; `isLost`: it was killed, and may have left something unsaid. */
  hearEnds(ear: (id: number, isLost: boolean) => void): void
  /** Called once, as soon as this process does what only one on the machine must do. */
  whenLeading(begin: () => void): void
  /** Undefined where nobody else on this machine writes to the database. */
  turn: WriteTurn | undefined
  /**
   * Has what this process has written to a file synced, by its own sync or by that of another
   * process that writes to the same file.
   *
   * @throws what `sync` throws
   */
  sync(sync: () => Promise<void>): Promise<void>
}

/** The turn to write to the database, which goes from process to process. */
export type WriteTurn = {
  /**
   * Waits for the turn of this process, for a limited time. One call at a time.
   *
   * @returns undefined when it did not come in time
   */
  take(giveUpAtMs: number): Promise<TurnTaken | undefined>
}
/** `leave`: others may write. `told`: what was written has been told to the others. */
export type TurnTaken = { leave(): void; told(): void }

export type Supervised = Siblings & {
  /** Counted up from 1 with every worker that the supervisor starts. */
  id: number
  /** It answers requests from now on. */
  ready(): void
  /** Everybody on this machine must stop at once. */
  fail(): void
  whenStopped(stop: (how: StopHow) => void): void
}

/** The channel to the supervisor. */
export type Channel = {
  send(message: FromWorker): void
  receive(ear: (message: ToWorker) => void): void
}

export const ALONE: Siblings = {
  count: 1,
  tell: () => {},
  async tellInOrder(_topic, _body, { passedOn }) {
    passedOn()
  },
  hear: () => {},
  ask: () => Promise.reject(new Error('There is no supervisor to ask')),
  hearEnds: () => {},
  whenLeading: (begin) => begin(),
  turn: undefined,
  sync: (sync) => sync(),
}

export function makeSiblings(
  channel: Channel,
  { id, count }: { id: number; count: number },
): Supervised {
  const ears = new Map<string, (body: unknown, from: number) => unknown>()
  const endEars: ((id: number, isLost: boolean) => void)[] = []
  const calls = new Map<number, (answer: unknown) => void>()
  const passing = new Map<number, () => void>()
  const turn = makeTurn(channel)
  const leading = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<StopHow>()
  let last = 0

  function call(message: (call: number) => FromWorker): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    calls.set(++last, resolve)
    channel.send(message(last))
    return promise
  }
  function end(one: number, answer: unknown): void {
    calls.get(one)?.(answer)
    calls.delete(one)
  }
  async function hearOne({ topic, body, from, delivery }: Told): Promise<void> {
    try {
      const pending = ears.get(topic)?.(body, from)
      if (pending instanceof Promise) await pending
    } finally {
      if (delivery !== undefined) channel.send({ kind: 'heard', delivery })
    }
  }
  channel.receive((message) => {
    if (message.kind === 'told') void hearOne(message)
    else if (message.kind === 'passed on') {
      passing.get(message.call)?.()
      passing.delete(message.call)
    } else if (message.kind === 'all heard') end(message.call, undefined)
    else if (message.kind === 'answer') end(message.call, message.body)
    else if (message.kind === 'gone') for (const ear of endEars) ear(message.id, message.isLost)
    else if (message.kind === 'lead') leading.resolve()
    else if (message.kind === 'sync') end(message.call, MUST_SYNC)
    else if (message.kind === 'stop') stopped.resolve(message.how)
    else turn.receive(message)
  })
  channel.send({ kind: 'hello' })
  return {
    id,
    count,
    tell: (topic, body) => channel.send({ kind: 'tell', topic, body }),
    async tellInOrder(topic, body, { passedOn, ms }) {
      passing.set(last + 1, passedOn)
      const heard = call((one) => ({ kind: 'tell in order', topic, body, call: one }))
      await Promise.race([heard, delay(ms, undefined, { ref: false })])
    },
    hear: (topic, ear) => void ears.set(topic, ear),
    ask: (topic, body) => call((one) => ({ kind: 'ask', topic, body, call: one })),
    hearEnds: (ear) => void endEars.push(ear),
    whenLeading: (begin) => void leading.promise.then(begin),
    turn,
    async sync(sync) {
      const answer = await call((one) => ({ kind: 'want sync', call: one }))
      if (answer === true) return
      let isDone = false
      try {
        await sync()
        isDone = true
      } finally {
        if (answer === MUST_SYNC) channel.send({ kind: 'synced', isDone })
      }
    },
    ready: () => channel.send({ kind: 'ready' }),
    fail: () => channel.send({ kind: 'fatal' }),
    whenStopped: (stop) => void stopped.promise.then(stop),
  }
}

/** The answer to the one that syncs for all. */
const MUST_SYNC = Symbol('sync')

type Told = Extract<ToWorker, { kind: 'told' }>

/**
 * The turn stays here until another process wants it, so that one that writes alone asks nobody. It
 * may go on before what was written in it is on disk, and told: the supervisor keeps the order.
 */
function makeTurn({ send }: Channel): WriteTurn & { receive(message: ToWorker): void } {
  let isOurs = false
  let isInUse = false
  let isWanted = false
  let asked = 0
  let granted: (() => void) | undefined
  /** For each turn of which not all was told, how much is left; the last one may go on. */
  const untold: { left: number; isOver: boolean }[] = []

  function leave(): void {
    isOurs = false
    isWanted = false
    send({ kind: 'leave turn' })
    const turn = untold.at(-1)
    if (turn) turn.isOver = true
    sayTold()
  }
  function sayTold(): void {
    while (untold[0]?.isOver && untold[0].left === 0) {
      untold.shift()
      send({ kind: 'turn told' })
    }
  }
  async function ask(giveUpAtMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    granted = () => resolve(true)
    const timer = setTimeout(() => resolve(false), Math.max(0, giveUpAtMs - performance.now()))
    send({ kind: 'want turn', call: ++asked })
    const isGranted = await promise
    clearTimeout(timer)
    granted = undefined
    if (isGranted) untold.push({ left: 0, isOver: false })
    else send({ kind: 'leave turn', isUnused: true })
    return isGranted
  }
  return {
    async take(giveUpAtMs) {
      if (!isOurs && !(await ask(giveUpAtMs))) return undefined
      const turn = untold.at(-1)
      if (turn) turn.left++
      isInUse = true
      return {
        leave() {
          isInUse = false
          if (isWanted) leave()
        },
        told() {
          if (turn) turn.left--
          sayTold()
        },
      }
    },
    receive(message) {
      // One that came too late has been given back.
      if (message.kind === 'turn' && message.call === asked && granted) {
        isOurs = true
        granted()
      } else if (message.kind === 'turn wanted') {
        isWanted = isOurs
        if (isOurs && !isInUse && !granted) leave()
      }
    },
  }
}
