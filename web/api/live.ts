// The page's one WebSocket to the server, for all subscribers, through the client's `subscribe`.
// The client alone logs each lost connection in the console and reconnects for ever; this class
// keeps the socket open only while the page is visible, and limits the attempts (decision 0039). It
// is loaded separately, after the page.
import type { Account } from '#contract/accounts.ts'
import type { Api } from './client.ts'

export type LiveEvent = { events: string[]; payload: unknown }

export type LiveSubscriber = {
  channels: string[]
  handleEvent: (event: LiveEvent) => void
  /**
   * Called when the page is connected: from now on it misses no event, but it may have missed
   * earlier ones. `user` is the viewer as the server names them; null for a guest.
   */
  handleConnected: (user: Account | null) => void
  /**
   * Called when the connection is lost, or replaced because the channels have changed;
   * `handleConnected` is called when it is back.
   */
  handleLost: (isReplaced: boolean) => void
}

/** How long a hidden page keeps its connection. */
const HIDDEN_MS = 60_000
/** Channels without subscribers are dropped when a subscriber is added, or after this time. */
const UNUSED_MS = 30_000
/** A connection that ends sooner counts as a failed attempt. */
const STABLE_MS = 5000
/** After this many attempts without any connection, a proxy is assumed to block WebSockets. */
const ATTEMPTS_MAX = 3
/** The attempts to assume if the server is overloaded, so that the client waits longest. */
const OVERLOAD_ATTEMPTS = 100
const CODE = { policy: 1008, tryLater: 1013 }

type Timer = ReturnType<typeof setTimeout> | undefined

/** Private members of the client, which are safe to use because the package's version is fixed. */
type ClientRealtime = {
  socket?: WebSocket
  url?: string
  lastMessage?: unknown
  reconnect: boolean
  reconnectAttempts: number
  getTimeout: () => number
  createSocket: () => void
  onMessage: (event: MessageEvent) => void
}

/** The connection of a page. */
export class Live {
  readonly #client: Api['client']
  readonly #realtime: ClientRealtime
  readonly #createSocket: () => void
  readonly #onMessage: (event: MessageEvent) => void
  readonly #subscribers = new Set<LiveSubscriber>()
  /** Functions that end the client's subscriptions for subscribers that have unsubscribed. */
  readonly #unused = new Set<() => void>()
  /** The user of the connection: null for a guest, undefined without a connection. */
  #user: Account | null | undefined
  #connectedAtMs = 0
  /** True once the server has sent a message, so no proxy blocks WebSockets. */
  #isReachable = false
  #isRefused = false
  /** The page was opened in the background, or has been hidden for `HIDDEN_MS`. */
  #isHidden = document.visibilityState === 'hidden'
  #attempts = 0
  /** True until the next attempt: meanwhile a change of the channels does not open a socket. */
  #isWaiting = false
  #reconnectTimer: Timer
  #unusedTimer: Timer

  constructor({ client }: Api) {
    this.#client = client
    this.#realtime = Reflect.get(client, 'realtime') // a private member
    this.#createSocket = this.#realtime.createSocket
    this.#onMessage = this.#realtime.onMessage
    this.#realtime.createSocket = () => {
      if (!this.#isWaiting) this.#open()
    }
    this.#realtime.onMessage = (event) => this.#handleMessage(event)
    this.#followVisibility()
  }

  /** @returns a function that ends the subscription */
  subscribe(subscriber: LiveSubscriber): () => void {
    this.#subscribers.add(subscriber)
    this.#dropUnused()
    const unsubscribe = this.#client.subscribe(subscriber.channels, (event) => {
      if (this.#subscribers.has(subscriber)) subscriber.handleEvent(event)
    })
    // If the open socket already has these channels, the server sends no second `connected`.
    const { url } = this.#realtime
    const isListed = !!url && hasChannels(url, subscriber.channels)
    if (isListed && this.#user !== undefined) subscriber.handleConnected(this.#user)
    return () => {
      this.#subscribers.delete(subscriber)
      this.#unused.add(unsubscribe)
      clearTimeout(this.#unusedTimer)
      this.#unusedTimer = setTimeout(() => this.#dropUnused(), UNUSED_MS)
    }
  }

  /** Call this when the cookie names another user. */
  reconnect(): void {
    this.#realtime.url = ''
    this.#open()
  }

  #open(): void {
    const { socket } = this.#realtime
    const isOff = this.#isRefused || this.#isHidden || this.#subscribers.size === 0
    if (isOff || !navigator.onLine) return
    // Closing a socket that is not open yet would be logged in the console.
    if (socket?.readyState === WebSocket.CONNECTING) return
    clearTimeout(this.#reconnectTimer)
    this.#isWaiting = false
    this.#createSocket()
    this.#realtime.reconnect = false
    if (this.#realtime.socket && this.#realtime.socket !== socket)
      this.#watch(this.#realtime.socket)
  }

  #watch(socket: WebSocket): void {
    this.#handleLost(true)
    delete this.#realtime.lastMessage
    socket.addEventListener('open', () => {
      if (this.#isHidden || this.#subscribers.size === 0) socket.close()
      else this.#open()
    })
    socket.addEventListener('close', () => {
      // Otherwise the client would also reconnect, and log that in the console.
      this.#realtime.reconnect = false
      if (socket === this.#realtime.socket) this.#handleClose()
    })
  }

  #handleMessage(event: MessageEvent): void {
    if (event.target !== this.#realtime.socket) return
    this.#isReachable = true
    // Passes only events to the client. It would log an error message in the console, and read
    // `localStorage` for a `connected` message, which throws if the browser blocks site data.
    if (String(event.data).startsWith('{"type":"event"')) this.#onMessage(event)
    else this.#realtime.lastMessage = JSON.parse(event.data)
    const { type, data } = lastMessage(this.#realtime)
    if (type !== 'connected') return
    this.#connectedAtMs = performance.now()
    this.#user = data?.user ?? null
    for (const { handleConnected } of this.#subscribers) handleConnected(this.#user)
  }

  #handleClose(): void {
    const connectedMs = this.#user === undefined ? 0 : performance.now() - this.#connectedAtMs
    this.#handleLost(false)
    if (this.#isHidden || this.#subscribers.size === 0) return
    const { type, data } = lastMessage(this.#realtime)
    const code = type === 'error' ? data?.code : undefined
    if (code === CODE.policy) this.#isRefused = true
    if (connectedMs > STABLE_MS) this.#attempts = 0
    if (code === CODE.tryLater) this.#attempts = Math.max(this.#attempts, OVERLOAD_ATTEMPTS)
    this.#realtime.reconnectAttempts = this.#attempts
    const waitMs = this.#realtime.getTimeout()
    this.#attempts += 1
    this.#isWaiting = true
    if (!this.#isReachable && this.#attempts >= ATTEMPTS_MAX) return
    clearTimeout(this.#reconnectTimer)
    this.#reconnectTimer = setTimeout(() => {
      this.#isWaiting = false
      this.#open()
    }, waitMs)
  }

  #handleLost(isReplaced: boolean): void {
    if (this.#user === undefined) return
    this.#user = undefined
    for (const { handleLost } of this.#subscribers) handleLost(isReplaced)
  }

  #dropUnused(): void {
    clearTimeout(this.#unusedTimer)
    for (const unsubscribe of this.#unused) unsubscribe()
    this.#unused.clear()
    if (this.#subscribers.size === 0) this.#close()
  }

  #close(): void {
    const { socket } = this.#realtime
    if (socket?.readyState === WebSocket.OPEN) socket.close()
  }

  #followVisibility(): void {
    let hideTimer: Timer
    const isHidden = () => document.visibilityState === 'hidden'
    const disconnect = () => {
      this.#isHidden = true
      clearTimeout(this.#reconnectTimer)
      this.#close()
    }
    const connect = () => {
      clearTimeout(hideTimer)
      this.#isHidden = isHidden()
      this.#open()
    }
    // Browsers do not cache a page with an open connection for "Back".
    window.addEventListener('pagehide', disconnect)
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) connect()
    })
    window.addEventListener('online', connect)
    document.addEventListener('visibilitychange', () => {
      clearTimeout(hideTimer)
      if (isHidden()) hideTimer = setTimeout(disconnect, HIDDEN_MS)
      else connect()
    })
  }
}

function lastMessage({ lastMessage: last }: ClientRealtime): {
  type?: string
  data?: { code?: number; user?: Account | null }
} {
  return (last ?? {}) as ReturnType<typeof lastMessage>
}

function hasChannels(address: string, channels: string[]): boolean {
  const listed = new URL(address).searchParams.getAll('channels[]')
  return channels.every((channel) => listed.includes(channel))
}
