// A WebSocket controlled by the test, and fakes of the page around it, for clients under a fake
// clock.
import { vi } from 'vitest'

export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  static instances: FakeSocket[] = []
  readonly url: string
  /** What the client sent. */
  readonly sent: string[] = []
  readyState = FakeSocket.CONNECTING

  constructor(url: string) {
    super()
    this.url = url
    FakeSocket.instances.push(this)
  }
  static latest(): FakeSocket {
    const socket = FakeSocket.instances.at(-1)
    if (!socket) throw new Error('There is no socket')
    return socket
  }
  get channels(): string[] {
    return new URL(this.url).searchParams.getAll('channels[]')
  }
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  acceptConnection(user: object | null = null): void {
    this.open()
    this.receive({ type: 'connected', data: { channels: this.channels, user } })
  }
  send(text: string): void {
    this.sent.push(text)
  }
  /** The event comes later, as in a browser. */
  close(code = 1000): void {
    if (this.readyState === FakeSocket.CONNECTING) throw new Error('A browser would log an error')
    this.readyState = FakeSocket.CLOSING
    setTimeout(() => this.end(code))
  }
  /** The server closes the connection. */
  closeByServer(): void {
    this.end(1000)
  }
  /** Ends the connection, or the attempt to open it, with an error. */
  fail(): void {
    this.dispatchEvent(new Event('error'))
    this.end(1006)
  }
  private end(code: number): void {
    this.readyState = FakeSocket.CLOSED
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }))
  }
}

/** The parts of a window that the clients use. */
export function makeWindow(stored: Record<string, string> = {}) {
  return Object.assign(new EventTarget(), {
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    setInterval: (work: () => void, ms: number) => setInterval(work, ms),
    clearInterval: (timer: NodeJS.Timeout) => clearInterval(timer),
  })
}

/** Installs a fake clock, sockets and a visible, online page for one test. */
export function fakePage() {
  vi.useFakeTimers()
  FakeSocket.instances = []
  const faked = {
    window: makeWindow(),
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    navigator: { onLine: true },
  }
  vi.stubGlobal('WebSocket', FakeSocket)
  for (const [name, value] of Object.entries(faked)) vi.stubGlobal(name, value)
  return faked
}
