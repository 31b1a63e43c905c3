// What workers tell each other through their supervisor, without processes: each channel delivers
// in order, as that of a process does.
import { expect, test } from 'vitest'
import { makeRelay, type Relay } from './relay.ts'
import { makeSiblings, type Supervised } from './siblings.ts'
import type { ToWorker } from './worker-messages.ts'

const SOON_MS = 10_000

function join(relay: Relay, id: number): Supervised & { heard: unknown[] } {
  let ear: (message: ToWorker) => void = () => {}
  const send = (message: ToWorker) => queueMicrotask(() => ear(message))
  const siblings = makeSiblings(
    {
      send: (message) => queueMicrotask(() => relay.receive(id, send, message)),
      receive: (hear) => {
        ear = hear
      },
    },
    { id, count: 2 },
  )
  const heard: unknown[] = []
  siblings.hear('news', (body) => void heard.push(body))
  return { ...siblings, heard }
}

const inTime = () => performance.now() + SOON_MS
const delivered = () => new Promise((resolve) => setImmediate(resolve))

function tell(one: Supervised & { heard: unknown[] }, body: string): Promise<void> {
  return one.tellInOrder('news', body, { passedOn: () => one.heard.push(body), ms: SOON_MS })
}

test('everybody hears what was written in the order of the turns, whatever is told first', async () => {
  const relay = makeRelay({})
  const [one, other, third] = [join(relay, 1), join(relay, 2), join(relay, 3)]
  const first = await one.turn?.take(inTime())
  const waiting = other.turn?.take(inTime())
  await delivered()
  first?.leave()
  const second = await waiting
  second?.leave()
  // The one that wrote later has its bytes on disk first.
  const late = tell(other, 'second')
  second?.told()
  await delivered()
  expect([one.heard, other.heard, third.heard]).toEqual([[], [], []])
  const early = tell(one, 'first')
  first?.told()
  await Promise.all([late, early])
  for (const { heard } of [one, other, third]) expect(heard).toEqual(['first', 'second'])
})

test('the turn stays with the one that writes alone, and goes on as soon as another wants it', async () => {
  const relay = makeRelay({})
  const [one, other] = [join(relay, 1), join(relay, 2)]
  for (let write = 0; write < 3; write++) {
    const turn = await one.turn?.take(inTime())
    turn?.leave()
    turn?.told()
  }
  const turn = await other.turn?.take(inTime())
  let isBack = false
  const back = one.turn?.take(inTime()).then((taken) => {
    isBack = true
    return taken
  })
  await delivered()
  expect(isBack).toBe(false)
  turn?.leave()
  expect(await back).not.toBe(undefined)
})

test('a turn that does not come in time is given back, and comes again', async () => {
  const relay = makeRelay({})
  const [one, other] = [join(relay, 1), join(relay, 2)]
  const held = await one.turn?.take(inTime())
  expect(await other.turn?.take(performance.now())).toBe(undefined)
  held?.leave()
  held?.told()
  expect(await other.turn?.take(inTime())).not.toBe(undefined)
})

test('one that ends holds up nobody: its turn goes on, and what it had to say is not waited for', async () => {
  const relay = makeRelay({})
  const [one, other] = [join(relay, 1), join(relay, 2)]
  const gone: [number, boolean][] = []
  other.hearEnds((id, isLost) => gone.push([id, isLost]))
  one.ready()
  other.ready()
  let leads = 'nobody'
  one.whenLeading(() => {
    leads = 'one'
  })
  other.whenLeading(() => {
    leads = 'other'
  })
  await delivered()
  expect(leads).toBe('one')
  await one.turn?.take(inTime())
  const waiting = other.turn?.take(inTime())
  await delivered()
  relay.leave(1, true)
  const turn = await waiting
  turn?.leave()
  await tell(other, 'alone')
  expect(gone).toEqual([[1, true]])
  expect(other.heard).toEqual(['alone'])
  expect(leads).toBe('other')
})

test('the supervisor answers what it is asked', async () => {
  const relay = makeRelay({ double: (body, from) => [Number(body) * 2, from] })
  expect(await join(relay, 7).ask('double', 21)).toEqual([42, 7])
})

test('one sync is for all that wanted one before it began, and one that ends in it is replaced', async () => {
  const relay = makeRelay({})
  const [one, other, third] = [join(relay, 1), join(relay, 2), join(relay, 3)]
  const syncs: { by: string; end: () => void }[] = []
  const syncBy = (by: string) => () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    syncs.push({ by, end: resolve })
    return promise
  }
  const first = one.sync(syncBy('one'))
  const waiting = [other.sync(syncBy('other')), third.sync(syncBy('third'))]
  await delivered()
  expect(syncs.map(({ by }) => by)).toEqual(['one'])
  syncs[0]?.end()
  await first
  await delivered()
  expect(syncs.map(({ by }) => by)).toEqual(['one', 'other'])
  relay.leave(2, true)
  await delivered()
  expect(syncs.map(({ by }) => by)).toEqual(['one', 'other', 'third'])
  syncs[2]?.end()
  await waiting[1]
})

test('a sync that failed is tried by each of the others itself', async () => {
  const relay = makeRelay({})
  const [one, other, third] = [join(relay, 1), join(relay, 2), join(relay, 3)]
  const gate = Promise.withResolvers<void>()
  const first = one.sync(() => gate.promise)
  const failing = [other, third].map((each) => each.sync(() => Promise.reject(new Error('disk'))))
  await delivered()
  gate.resolve()
  await first
  for (const each of failing) await expect(each).rejects.toThrow('disk')
})
