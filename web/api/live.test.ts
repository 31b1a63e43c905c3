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
      handleLost: (isReplaced) =>
        void received.push(`${name}: ${isReplaced ? 'replaced' : 'lost'}`),
    })
  const unsubscribe = subscribe(channel)
  vi.advanceTimersByTime(100)
  return { live, received, subscribe, unsubscribe }
}

/** Advances the clock until the next attempt. @returns how many seconds that took */
function secondsToNextAttempt(): number {
  const socketsBefore = FakeSocket.instances.length
  for (let seconds = 1; seconds <= 90; seconds++) {
    vi.advanceTimersByTime(1000)
    if (FakeSocket.instances.length > socketsBefore) return seconds
  }
  return Number.POSITIVE_INFINITY
}

test('a subscriber is notified when it is connected and as whom, of each event on its channels, and when the connection is lost', () => {
  const { received } = makeSubscribed()
  expect(FakeSocket.latest().url).toBe(
    'wss://blog.example/v1/realtime?project=blog&channels%5B%5D=documents',
  )
  FakeSocket.latest().acceptConnection({ $id: 'alice', $updatedAt: '' })
  FakeSocket.latest().receive({
    type: 'event',
    data: { events: ['a.create'], channels: ['documents'] },
  })
  vi.advanceTimersByTime(1)
  FakeSocket.latest().closeByServer()
  expect(received).toEqual([
    'documents: connected as alice',
    'documents: a.create',
    'documents: lost',
  ])
})

test('a lost connection is opened again after 1, 5, 10 and 60 s, and nothing is logged', () => {
  makeSubscribed()
  FakeSocket.latest().acceptConnection()
  vi.advanceTimersByTime(STABLE_MS)
  const times: number[] = []
  for (let attempt = 0; attempt < 103; attempt++) {
    FakeSocket.latest().fail()
    times.push(secondsToNextAttempt())
  }
  const intervals = times.filter((time, index) => time !== times[index - 1])
  expect(intervals).toEqual([1, 5, 10, 60])
  expect([times.indexOf(5), times.indexOf(10), times.indexOf(60)]).toEqual([5, 15, 100])
  FakeSocket.latest().acceptConnection()
  vi.advanceTimersByTime(STABLE_MS)
  FakeSocket.latest().fail()
  expect(secondsToNextAttempt()).toBe(1)
})

test('a server that soon closes each connection is tried at growing intervals', () => {
  makeSubscribed()
  const times = Array.from({ length: 8 }, () => {
    FakeSocket.latest().acceptConnection()
    FakeSocket.latest().closeByServer()
    return secondsToNextAttempt()
  })
  expect(times).toEqual([1, 1, 1, 1, 1, 5, 5, 5])
})

test('there are no further attempts after error 1008; after 1013 the next one is made a minute later', () => {
  makeSubscribed()
  FakeSocket.latest().open()
  FakeSocket.latest().receive({
    type: 'error',
    data: { code: 1013, message: 'Too many open connections' },
  })
  FakeSocket.latest().closeByServer()
  expect(secondsToNextAttempt()).toBe(60)
  FakeSocket.latest().open()
  FakeSocket.latest().receive({
    type: 'error',
    data: { code: 1008, message: 'Missing or unknown project ID' },
  })
  FakeSocket.latest().closeByServer()
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
})

test('if the server has never sent a message there are three attempts, and one more each time the browser goes online', () => {
  const { subscribe } = makeSubscribed()
  for (let attempt = 0; attempt < 2; attempt++) {
    FakeSocket.latest().fail()
    expect(secondsToNextAttempt()).toBe(1)
  }
  FakeSocket.latest().fail()
  subscribe('documents.a')
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.instances).toHaveLength(4)
  FakeSocket.latest().fail()
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
})

test('there is no attempt while the browser is offline', () => {
  makeSubscribed()
  FakeSocket.latest().acceptConnection()
  page.navigator.onLine = false
  FakeSocket.latest().fail()
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
  page.navigator.onLine = true
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.instances).toHaveLength(2)
})

test('a page that is left, or hidden for a minute, closes its socket and opens another when it is shown again', () => {
  makeSubscribed()
  FakeSocket.latest().acceptConnection()
  page.window.dispatchEvent(new Event('pagehide'))
  vi.advanceTimersByTime(1)
  expect(FakeSocket.latest().readyState).toBe(FakeSocket.CLOSED)
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
  page.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(FakeSocket.instances).toHaveLength(2)
  FakeSocket.latest().acceptConnection()

  const show = (visibilityState: string) => {
    Object.assign(page.document, { visibilityState })
    page.document.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  vi.advanceTimersByTime(59_000)
  show('visible')
  vi.advanceTimersByTime(59_000)
  expect(FakeSocket.latest().readyState).toBe(FakeSocket.OPEN)
  show('hidden')
  vi.advanceTimersByTime(60_001)
  expect(FakeSocket.latest().readyState).toBe(FakeSocket.CLOSED)
  show('visible')
  expect(FakeSocket.instances).toHaveLength(3)
})

test('a change of channels opens one more socket, once the last one is open', () => {
  const { received, subscribe, unsubscribe } = makeSubscribed('documents.a')
  unsubscribe()
  subscribe('documents.b')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.instances).toHaveLength(1)
  FakeSocket.latest().acceptConnection()
  expect(FakeSocket.instances).toHaveLength(2)
  expect(FakeSocket.latest().channels).toEqual(['documents.b'])
  FakeSocket.latest().acceptConnection()
  expect(received).toEqual(['documents.b: connected as nobody'])
})

test('a subscriber that comes later replaces the socket, which is no lost connection', () => {
  const { received, subscribe } = makeSubscribed('documents.a')
  FakeSocket.latest().acceptConnection()
  subscribe('documents.b')
  vi.advanceTimersByTime(100)
  FakeSocket.latest().acceptConnection()
  expect(received.filter((message) => message.startsWith('documents.a'))).toEqual([
    'documents.a: connected as nobody',
    'documents.a: replaced',
    'documents.a: connected as nobody',
  ])
})

test('when the cookie names another user the socket is replaced; when no subscriber is left it is closed', () => {
  const { live, unsubscribe } = makeSubscribed()
  FakeSocket.latest().acceptConnection()
  live.reconnect()
  expect(FakeSocket.instances).toHaveLength(2)
  FakeSocket.latest().acceptConnection()
  unsubscribe()
  vi.advanceTimersByTime(31_000)
  expect(FakeSocket.latest().readyState).toBe(FakeSocket.CLOSED)
  expect(secondsToNextAttempt()).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  { name: 'the socket was open', prepare: () => {} },
  { name: 'it waited to reconnect', prepare: () => FakeSocket.latest().fail() },
])('the next subscriber is connected, even if all others left while $name', ({ prepare }) => {
  const { received, subscribe, unsubscribe } = makeSubscribed()
  FakeSocket.latest().acceptConnection()
  prepare()
  unsubscribe()
  vi.advanceTimersByTime(60_000)
  subscribe('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.instances).toHaveLength(2)
  FakeSocket.latest().acceptConnection()
  expect(received.at(-1)).toBe('documents: connected as nobody')
})

test('a socket that opens after its subscribers have left does not block a later one', () => {
  const { subscribe, unsubscribe } = makeSubscribed()
  unsubscribe()
  FakeSocket.latest().open()
  vi.advanceTimersByTime(1)
  subscribe('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.instances).toHaveLength(2)
})
