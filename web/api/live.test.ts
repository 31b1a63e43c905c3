import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSocket, fakePage } from '#test/support/fake-socket.ts'
import { makeApi } from './client.ts'
import { Live } from './live.ts'

const SETTINGS = { projectId: 'blog' } as Parameters<typeof makeApi>[0]
const ORIGIN = 'https://blog.example'
const STEADY_MS = 6000

let page: ReturnType<typeof fakePage>
beforeEach(() => {
  page = fakePage()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function makeListening(channel = 'documents') {
  const live = new Live(makeApi(SETTINGS, { origin: ORIGIN }))
  const heard: string[] = []
  const listen = (name: string) =>
    live.listen({
      channels: [name],
      handleEvent: ({ events }) => void heard.push(`${name}: ${events[0]}`),
      handleConnected: (user) => void heard.push(`${name}: connected as ${user?.$id ?? 'nobody'}`),
      handleLost: () => void heard.push(`${name}: lost`),
    })
  const leave = listen(channel)
  vi.advanceTimersByTime(100)
  return { live, heard, listen, leave }
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

test('a listener hears of its connection, of who it is for, and of events', () => {
  const { heard } = makeListening()
  expect(FakeSocket.last().url).toBe(
    'wss://blog.example/v1/realtime?project=blog&channels%5B%5D=documents',
  )
  FakeSocket.last().greet({ $id: 'alice', $updatedAt: '' })
  FakeSocket.last().say({ type: 'event', data: { events: ['a.create'], channels: ['documents'] } })
  vi.advanceTimersByTime(1)
  FakeSocket.last().close()
  expect(heard).toEqual(['documents: connected as alice', 'documents: a.create', 'documents: lost'])
})

test('a connection that breaks comes back after 1, 5, 10 and 60 s, and without a word', () => {
  makeListening()
  FakeSocket.last().greet()
  vi.advanceTimersByTime(STEADY_MS)
  const times: number[] = []
  for (let attempt = 0; attempt < 103; attempt++) {
    FakeSocket.last().fail()
    times.push(waited())
  }
  const runs = times.filter((time, at) => time !== times[at - 1])
  expect(runs).toEqual([1, 5, 10, 60])
  expect([times.indexOf(5), times.indexOf(10), times.indexOf(60)]).toEqual([5, 15, 100])
  FakeSocket.last().greet()
  vi.advanceTimersByTime(STEADY_MS)
  FakeSocket.last().fail()
  expect(waited()).toBe(1)
})

test('a server that greets and hangs up again is asked ever more seldom', () => {
  makeListening()
  const times = Array.from({ length: 8 }, () => {
    FakeSocket.last().greet()
    FakeSocket.last().close()
    return waited()
  })
  expect(times).toEqual([1, 1, 1, 1, 1, 5, 5, 5])
})

test('an error with 1008 is the end; whoever is one too many waits a minute', () => {
  makeListening()
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

test('where nothing ever comes from the server three attempts are all, and one with each return', () => {
  const { listen } = makeListening()
  for (let attempt = 0; attempt < 2; attempt++) {
    FakeSocket.last().fail()
    expect(waited()).toBe(1)
  }
  FakeSocket.last().fail()
  listen('documents.a')
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(4)
  FakeSocket.last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test('nothing is tried without a network', () => {
  makeListening()
  FakeSocket.last().greet()
  page.navigator.onLine = false
  FakeSocket.last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  page.navigator.onLine = true
  page.window.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(2)
})

test('a page that is left or hidden for a minute closes it, and opens it again when it is back', () => {
  makeListening()
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

test('other channels are one socket more, which waits until the last one is open', () => {
  const { heard, listen, leave } = makeListening('documents.a')
  leave()
  listen('documents.b')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(1)
  FakeSocket.last().greet()
  expect(FakeSocket.made).toHaveLength(2)
  expect(FakeSocket.last().channels).toEqual(['documents.b'])
  FakeSocket.last().greet()
  expect(heard).toEqual(['documents.b: connected as nobody'])
})

test('it is closed when nobody listens any more, and belongs to whom the cookie names', () => {
  const { live, leave } = makeListening()
  FakeSocket.last().greet()
  live.connectAnew()
  expect(FakeSocket.made).toHaveLength(2)
  FakeSocket.last().greet()
  leave()
  vi.advanceTimersByTime(31_000)
  expect(FakeSocket.last().readyState).toBe(FakeSocket.CLOSED)
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  { name: 'it is open', happens: () => {} },
  { name: 'it is to come back', happens: () => FakeSocket.last().fail() },
])('the next listener is connected, also when all others left while $name', ({ happens }) => {
  const { heard, listen, leave } = makeListening()
  FakeSocket.last().greet()
  happens()
  leave()
  vi.advanceTimersByTime(60_000)
  listen('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(2)
  FakeSocket.last().greet()
  expect(heard.at(-1)).toBe('documents: connected as nobody')
})

test('a connection that opens after its listeners have left holds up no later one', () => {
  const { listen, leave } = makeListening()
  leave()
  FakeSocket.last().open()
  listen('documents')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(2)
})
