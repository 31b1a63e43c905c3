import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeApi } from './client.ts'
import { makeLive } from './live.ts'

const SETTINGS = { projectId: 'blog' } as Parameters<typeof makeApi>[0]
const ORIGIN = 'https://blog.example'
const STEADY_MS = 6000

class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  static made: FakeSocket[] = []
  readonly url: string
  readyState = FakeSocket.CONNECTING

  constructor(url: string) {
    super()
    this.url = url
    FakeSocket.made.push(this)
  }
  get channels(): string[] {
    return new URL(this.url).searchParams.getAll('channels[]')
  }
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  greet(user: object | null = null): void {
    this.open()
    this.say({ type: 'connected', data: { channels: this.channels, user } })
  }
  close(): void {
    if (this.readyState === FakeSocket.CONNECTING) throw new Error('A line in the console')
    this.readyState = FakeSocket.CLOSED
    this.dispatchEvent(Object.assign(new Event('close'), { reason: '' }))
  }
  fail(): void {
    this.readyState = FakeSocket.CLOSED
    this.dispatchEvent(Object.assign(new Event('close'), { reason: '' }))
  }
}

let page: EventTarget & { visibilityState: string }
let browser: EventTarget
let network: { onLine: boolean }

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.made = []
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  browser = Object.assign(new EventTarget(), {
    localStorage: { getItem: () => null },
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
  })
  network = { onLine: true }
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', network)
  vi.stubGlobal('window', browser)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function makeListening(channel = 'documents') {
  const live = makeLive(makeApi(SETTINGS, { origin: ORIGIN }))
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

function last(): FakeSocket {
  const socket = FakeSocket.made.at(-1)
  if (!socket) throw new Error('There is no socket')
  return socket
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
  expect(last().url).toBe('wss://blog.example/v1/realtime?project=blog&channels%5B%5D=documents')
  last().greet({ $id: 'alice', $updatedAt: '' })
  last().say({ type: 'event', data: { events: ['a.create'], channels: ['documents'] } })
  vi.advanceTimersByTime(1)
  last().close()
  expect(heard).toEqual(['documents: connected as alice', 'documents: a.create', 'documents: lost'])
})

test('a connection that breaks comes back after 1, 5, 10 and 60 s, and without a word', () => {
  makeListening()
  last().greet()
  vi.advanceTimersByTime(STEADY_MS)
  const times: number[] = []
  for (let attempt = 0; attempt < 103; attempt++) {
    last().fail()
    times.push(waited())
  }
  const runs = times.filter((time, at) => time !== times[at - 1])
  expect(runs).toEqual([1, 5, 10, 60])
  expect([times.indexOf(5), times.indexOf(10), times.indexOf(60)]).toEqual([5, 15, 100])
  last().greet()
  vi.advanceTimersByTime(STEADY_MS)
  last().fail()
  expect(waited()).toBe(1)
})

test('a server that greets and hangs up again is asked ever more seldom', () => {
  makeListening()
  const times = Array.from({ length: 8 }, () => {
    last().greet()
    last().close()
    return waited()
  })
  expect(times).toEqual([1, 1, 1, 1, 1, 5, 5, 5])
})

test('an error with 1008 is the end; whoever is one too many waits a minute', () => {
  makeListening()
  last().open()
  last().say({ type: 'error', data: { code: 1013, message: 'Too many open connections' } })
  last().close()
  expect(waited()).toBe(60)
  last().open()
  last().say({ type: 'error', data: { code: 1008, message: 'Missing or unknown project ID' } })
  last().close()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test('where nothing ever comes from the server three attempts are all, and one with each return', () => {
  makeListening()
  for (let attempt = 0; attempt < 2; attempt++) {
    last().fail()
    expect(waited()).toBe(1)
  }
  last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  browser.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(4)
  last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})

test('nothing is tried without a network', () => {
  makeListening()
  last().greet()
  network.onLine = false
  last().fail()
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  network.onLine = true
  browser.dispatchEvent(new Event('online'))
  expect(FakeSocket.made).toHaveLength(2)
})

test('a page that is left or hidden for a minute closes it, and opens it again when it is back', () => {
  makeListening()
  last().greet()
  browser.dispatchEvent(new Event('pagehide'))
  expect(last().readyState).toBe(FakeSocket.CLOSED)
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
  browser.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(FakeSocket.made).toHaveLength(2)
  last().greet()

  const show = (visibilityState: string) => {
    Object.assign(page, { visibilityState })
    page.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  vi.advanceTimersByTime(59_000)
  show('visible')
  vi.advanceTimersByTime(59_000)
  expect(last().readyState).toBe(FakeSocket.OPEN)
  show('hidden')
  vi.advanceTimersByTime(60_000)
  expect(last().readyState).toBe(FakeSocket.CLOSED)
  show('visible')
  expect(FakeSocket.made).toHaveLength(3)
})

test('other channels are one socket more, which waits until the last one is open', () => {
  const { heard, listen, leave } = makeListening('documents.a')
  leave()
  listen('documents.b')
  vi.advanceTimersByTime(100)
  expect(FakeSocket.made).toHaveLength(1)
  last().greet()
  expect(FakeSocket.made).toHaveLength(2)
  expect(last().channels).toEqual(['documents.b'])
  last().greet()
  expect(heard).toEqual(['documents.b: connected as nobody'])
})

test('it is closed when nobody listens any more, and belongs to whom the cookie names', () => {
  const { live, leave } = makeListening()
  last().greet()
  live.connectAnew()
  expect(FakeSocket.made).toHaveLength(2)
  last().greet()
  leave()
  vi.advanceTimersByTime(31_000)
  expect(last().readyState).toBe(FakeSocket.CLOSED)
  expect(waited()).toBe(Number.POSITIVE_INFINITY)
})
