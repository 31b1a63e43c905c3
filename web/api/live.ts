// The one connection on which the server tells what changes: through the client's `subscribe`, with
// one socket for all listeners of the page. The client alone would write each break into the
// console, and try again for ever; here it is open while the page is looked at, and quiet
// (decision 0039). A chunk of its own: it is loaded once the page stands.
import type { Account } from '#contract/accounts.ts'
import type { Api } from './client.ts'

export type LiveEvent = { events: string[]; payload: unknown }

export type LiveListener = {
  channels: string[]
  handleEvent: (event: LiveEvent) => void
  /**
   * From now on nothing is missed; what happened before may have been. The server says who is
   * listening: null for a guest.
   */
  handleConnected: (user: Account | null) => void
  /** Until it is connected again. */
  handleLost: () => void
}

/** A hidden page keeps its connection for so long. */
const HIDDEN_MS = 60_000
/** Channels without listeners are dropped with the next change of the channels, or then. */
const LEFT_MS = 30_000
/** A connection that ends sooner counts as one that did not come about. */
const STEADY_MS = 5000
/** Where no connection ever succeeds, a proxy blocks it: no more tries than that. */
const TRIES_MAX = 3
/** A client that the server turns away as one too many waits for its longest time. */
const TURNED_AWAY_TRIES = 100
const CODE = { policy: 1008, tryLater: 1013 }

type Timer = ReturnType<typeof setTimeout> | undefined

/** The client's members for sockets and messages: private, but its version is fixed. */
type ClientLine = {
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
  readonly #inside: ClientLine
  readonly #createSocket: () => void
  readonly #onMessage: (event: MessageEvent) => void
  readonly #listeners = new Set<LiveListener>()
  /** End the subscriptions of listeners that are gone. */
  readonly #left = new Set<() => void>()
  /** Who is listening; undefined while it is not connected. */
  #user: Account | null | undefined
  #connectedAtMs = 0
  /** A message came from the server: no proxy blocks connections. */
  #isReachable = false
  #isRefused = false
  /** The page is hidden. */
  #isAway = document.visibilityState === 'hidden'
  #tries = 0
  /** Until it is time to try again, or the page is visible again: other channels change nothing. */
  #isWaiting = false
  #again: Timer
  #leaving: Timer

  constructor({ client }: Api) {
    this.#client = client
    this.#inside = Reflect.get(client, 'realtime') // a private member
    this.#createSocket = this.#inside.createSocket
    this.#onMessage = this.#inside.onMessage
    this.#inside.createSocket = () => {
      if (!this.#isWaiting) this.#open()
    }
    this.#inside.onMessage = (event) => this.#handleMessage(event)
    this.#followPage()
  }

  /** @returns ends it */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    this.#dropLeft()
    const unsubscribe = this.#client.subscribe(listener.channels, (event) => {
      if (this.#listeners.has(listener)) listener.handleEvent(event)
    })
    // A known set of channels keeps its connection, which has greeted already.
    const { url } = this.#inside
    const isListed = !!url && areListed(url, listener.channels)
    if (isListed && this.#user !== undefined) listener.handleConnected(this.#user)
    return () => {
      this.#listeners.delete(listener)
      this.#left.add(unsubscribe)
      clearTimeout(this.#leaving)
      this.#leaving = setTimeout(() => this.#dropLeft(), LEFT_MS)
    }
  }

  /** The cookie names another user by now. */
  connectAnew(): void {
    this.#inside.url = ''
    this.#open()
  }

  #open(): void {
    const { socket } = this.#inside
    const isOff = this.#isRefused || this.#isAway || this.#listeners.size === 0
    if (isOff || !navigator.onLine) return
    // Closed before it is open it would be a line in the console: it opens first.
    if (socket?.readyState === WebSocket.CONNECTING) return
    clearTimeout(this.#again)
    this.#isWaiting = false
    this.#createSocket()
    this.#inside.reconnect = false
    if (this.#inside.socket && this.#inside.socket !== socket) this.#watch(this.#inside.socket)
  }

  #watch(socket: WebSocket): void {
    this.#noteLost()
    delete this.#inside.lastMessage
    socket.addEventListener('open', () => {
      if (this.#isAway || this.#listeners.size === 0) socket.close()
      else this.#open()
    })
    socket.addEventListener('close', () => {
      // Otherwise the client would try again, too, and write that into the console.
      this.#inside.reconnect = false
      if (socket === this.#inside.socket) this.#handleClose()
    })
  }

  #handleMessage(event: MessageEvent): void {
    if (event.target !== this.#inside.socket) return
    this.#isReachable = true
    // The client would write an error into the console, and read `localStorage` once it is
    // connected, which throws where the browser blocks site data.
    if (String(event.data).startsWith('{"type":"event"')) this.#onMessage(event)
    else this.#inside.lastMessage = JSON.parse(event.data)
    const { type, data } = lastMessage(this.#inside)
    if (type !== 'connected') return
    this.#connectedAtMs = performance.now()
    this.#user = data?.user ?? null
    for (const { handleConnected } of this.#listeners) handleConnected(this.#user)
  }

  #handleClose(): void {
    const upMs = this.#user === undefined ? 0 : performance.now() - this.#connectedAtMs
    this.#noteLost()
    if (this.#isAway || this.#listeners.size === 0) return
    const { type, data } = lastMessage(this.#inside)
    const code = type === 'error' ? data?.code : undefined
    if (code === CODE.policy) this.#isRefused = true
    if (upMs > STEADY_MS) this.#tries = 0
    if (code === CODE.tryLater) this.#tries = Math.max(this.#tries, TURNED_AWAY_TRIES)
    this.#inside.reconnectAttempts = this.#tries
    const waitMs = this.#inside.getTimeout()
    this.#tries += 1
    this.#isWaiting = true
    if (!this.#isReachable && this.#tries >= TRIES_MAX) return
    clearTimeout(this.#again)
    this.#again = setTimeout(() => {
      this.#isWaiting = false
      this.#open()
    }, waitMs)
  }

  #noteLost(): void {
    if (this.#user === undefined) return
    this.#user = undefined
    for (const { handleLost } of this.#listeners) handleLost()
  }

  #dropLeft(): void {
    clearTimeout(this.#leaving)
    for (const unsubscribe of this.#left) unsubscribe()
    this.#left.clear()
    if (this.#listeners.size === 0) this.#close()
  }

  #close(): void {
    const { socket } = this.#inside
    if (socket?.readyState === WebSocket.OPEN) socket.close()
  }

  #followPage(): void {
    let hiding: Timer
    const isHidden = () => document.visibilityState === 'hidden'
    const leave = () => {
      this.#isAway = true
      clearTimeout(this.#again)
      this.#close()
    }
    const comeBack = () => {
      clearTimeout(hiding)
      this.#isAway = isHidden()
      this.#open()
    }
    // A page with an open connection could not be kept for "Back".
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) comeBack()
    })
    window.addEventListener('online', comeBack)
    document.addEventListener('visibilitychange', () => {
      clearTimeout(hiding)
      if (isHidden()) hiding = setTimeout(leave, HIDDEN_MS)
      else comeBack()
    })
  }
}

function lastMessage({ lastMessage: last }: ClientLine): {
  type?: string
  data?: { code?: number; user?: Account | null }
} {
  return (last ?? {}) as ReturnType<typeof lastMessage>
}

function areListed(address: string, channels: string[]): boolean {
  const listed = new URL(address).searchParams.getAll('channels[]')
  return channels.every((channel) => listed.includes(channel))
}
