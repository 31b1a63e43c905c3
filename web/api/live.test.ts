import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSocket, fakePage } from '#test/support/fake-socket.ts'
import { makeApi } from './client.ts'
import { Live } from './live.ts'

const SETTINGS = { projectId: 'blog' } as Parameters<typeof makeApi>[0]
const ORIGIN = 'https://blog.example'
const STABLE_MS = 6000

let page: ReturnType<typeof fakePage>
beforeEach(() => {
  page = fakePage()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function makeSubscribed(channel = 'documents') {
  const live = new Live(makeApi(SETTINGS, { origin: ORIGIN }))
  const received: string[] = []
  const subscribe = (name: string) =>
    live.subscribe({
      channels: [name],
      handleEvent: ({ events }) => void received.push(`${name}: ${events[0]}`),
      handleConnected: (user) =>
        void received.push(`${name}: connected as ${user?.$id ?? 'nobody'}`),
      handleLost: () => void received.push(`${name}: lost`),
    })
  const unsubscribe = subscribe(channel)
  vi.advanceTimersByTime(100)
  return { live, received, subscribe, unsubscribe }
}

/** How long it takes until the next attempt, in seconds. */
function waited(): number {
  const before = FakeSocket.made.length
  for (let seconds = 1; seconds <= 90; seconds++) {
    vi.advanceTimersByTime(1000)
    if (FakeSocket.made.length > before) return seconds
  }
  return Number.POSITIVE_INFINITY
}

test('a subscriber learns when it is connected, as whom, and every event of its channels', () => {
  const { received } = makeSubscribed()
  expect(FakeSocket.last().url).toBe(
    'wss://blog.example/v1/realtime?project=blog&channels%5B%5D=documents',
  )
  FakeSocket.last().greet({ $id: 'alice', $updatedAt: '' })
  FakeSocket.last().say({ type: 'event', data: { events: ['a.create'], channels: ['documents'] } })
  vi.advanceTimersByTime(1)
  FakeSocket.last().close()
  expect(received).toEqual([
    'documents: connected as alice',
    'documents: a.create',
    'documents: lost',
  ])
})

test('a lost connection is opened again after 1, 5, 10 and 60 s, and nothing is logged', () => {
  makeSubscribed()
  FakeSocket.last().greet()
  vi.advanceTimersByTime(STABLE_MS)
  const times: number[] = []
  for (let attempt = 0; attempt < 103; attempt++) {
    FakeSocket.last().fail()
    times.push(waited())
  }
  const runs = times.filter((time, at) => time !== times[at - 1])
  expect(runs).toEqual([1, 5, 10, 60])
  expect([times.indexOf(5), times.indexOf(10), times.indexOf(60)]).toEqual([5, 15, 100])
  FakeSocket.last().greet()
  vi.advanceTimersByTime(STABLE_MS)
  FakeSocket.last().fail()
  expect(waited()).toBe(1)
})

test('a server that closes each connection soon is tried at growing intervals', () => {
  makeSubscribed()
  const times = Array.from({ length: 8 }, () => {
    FakeSocket.last().greet()
    FakeSocket.last().close()
    return waited()
  })
  expect(times).toEqual([1, 1, 1, 1, 1, 5, 5, 5])
})

test('after an error with 1008 no attempt follows; after 1013 the next one waits a minute', () => {
  makeSubscribed()
  FakeSocket.last().open()
  FakeSocket.last().say({
    type: 'error',
    data: { code: 1013, message: 'Too many open connections' },
  })
  FakeSocket.last().close()
  expect(waited()).toBe(60)
  FakeSocket.last().open()
  FakeSocket.last().say({
    type: 'error',
    data: { code: 1008, message: 'Missing or unknown project ID' },
  })
  FakeSocket.last().close()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test('without any message from the server there are three attempts, and one whenever the page is visible again', () => {
  const { subscribe } = makeSubscribed()
  for (let attempt = 0; attempt < 2; attempt++) {
    FakeSocket.last().fail()
    expect(waited()).toBe(1)
  }
  FakeSocket.last().fail()
  subscribe('documents.a')
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(4)
  FakeSocket.last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test('there is no attempt while the browser is offline', () => {
  makeSubscribed()
  FakeSocket.last().greet()
  page.navigator.onLine = false
  FakeSocket.last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  page.navigator.onLine = true
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(2)
})

test('a page that is left, or hidden for a minute, closes its socket and opens another one when it is back', () => {
  makeSubscribed()
  FakeSocket.last().greet()
  page.window.dispatchEvent(new Event('pagehide'))
  expect(FakeSocket.last().readyState).toBe(FakeSocket.CLOSED)
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  page.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(FakeSocket.made).toHaveLength(2)
  FakeSocket.last().greet()

  const show = (visibilityState: string) => {
    Object.assign(page.document, { visibilityState })
    page.document.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  vi.advanceTimersByTime(59_000)
  show('visible')
  vi.advanceTimersByTime(59_000)
  expect(FakeSocket.last().readyState).toBe(FakeSocket.OPEN)
  show('hidden')
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.last().readyState).toBe(FakeSocket.CLOSED)
  show('visible')
  expect(FakeSocket.made).toHaveLength(3)
})

test('a change of channels opens one more socket, once the last one is open', () => {
  const { received, subscribe, unsubscribe } = makeSubscribed('documents.a')
  unsubscribe()
  subscribe('documents.b')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(1)
  FakeSocket.last().greet()
  expect(FakeSocket.made).toHaveLength(2)
  expect(FakeSocket.last().channels).toEqual(['documents.b'])
  FakeSocket.last().greet()
  expect(received).toEqual(['documents.b: connected as nobody'])
})

test('the socket is closed when no subscriber is left, and opened again when the cookie names another user', () => {
  const { live, unsubscribe } = makeSubscribed()
  FakeSocket.last().greet()
  live.reconnect()
  expect(FakeSocket.made).toHaveLength(2)
  FakeSocket.last().greet()
  unsubscribe()
  vi.advanceTimersByTime(31_000)
  expect(FakeSocket.last().readyState).toBe(FakeSocket.CLOSED)
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  { name: 'it is open', happens: () => {} },
  { name: 'it is to come back', happens: () => FakeSocket.last().fail() },
])('the next subscriber is connected, also when all others left while $name', ({ happens }) => {
  const { received, subscribe, unsubscribe } = makeSubscribed()
  FakeSocket.last().greet()
  happens()
  unsubscribe()
  vi.advanceTimersByTime(60_000)
  subscribe('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(2)
  FakeSocket.last().greet()
  expect(received.at(-1)).toBe('documents: connected as nobody')
})

test('a socket that opens after its subscribers have left does not block a later one', () => {
  const { subscribe, unsubscribe } = makeSubscribed()
  unsubscribe()
  FakeSocket.last().open()
  subscribe('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(2)
})
