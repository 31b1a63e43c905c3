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
   * listening: null is nobody who is signed in.
   */
  handleConnected: (user: Account | null) => void
  /** Until it is connected again. */
  handleLost: () => void
}

export type Live = {
  /** @returns ends it */
  listen(listener: LiveListener): () => void
  /** The cookie names another person by now. */
  connectAnew(): void
}

/** A page that nobody looks at keeps its connection for so long. */
const HIDDEN_MS = 60_000
/** Channels that nobody listens to any more go with the next change of the channels, or then. */
const LEFT_MS = 30_000
/** A connection that ends sooner counts as one that did not come about. */
const STEADY_MS = 5000
/** Where no connection ever comes about, so often is enough: something between does not let it. */
const TRIES_MAX = 3
/** Whoever was turned away because there are too many waits for the longest of the client's times. */
const TURNED_AWAY_TRIES = 100
const CODE = { policy: 1008, tryLater: 1013 }

export function makeLive({ client }: Api): Live {
  // biome-ignore lint/complexity/useLiteralKeys: only so is a private member known to be one
  const line = client['realtime']
  const { createSocket, onMessage } = line
  const listeners = new Set<LiveListener>()
  const left = new Set<() => void>()
  let user: Account | null | undefined
  let connectedAtMs: number | undefined
  /** Something came from the server: nothing between keeps connections away. */
  let isReachable = false
  let isRefused = false
  let isAway = document.visibilityState === 'hidden'
  let tries = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  line.createSocket = open
  line.onMessage = handleMessage

  function open(): void {
    const { socket } = line
    if (isRefused || isAway || !navigator.onLine || listeners.size === 0) return
    // Closed before it is open it would be a line in the console: it opens first.
    if (socket?.readyState === WebSocket.CONNECTING) return
    clearTimeout(again)
    createSocket()
    line.reconnect = false
    if (line.socket && line.socket !== socket) watch(line.socket)
  }

  function watch(socket: WebSocket): void {
    if (connectedAtMs !== undefined) handleLost()
    line.lastMessage = undefined
    socket.addEventListener('open', () => {
      if (isAway || listeners.size === 0) socket.close()
      else open()
    })
    socket.addEventListener('close', () => {
      // Else the client would try again, too, and say so in the console.
      line.reconnect = false
      if (socket === line.socket) handleClose()
    })
  }

  function handleMessage(event: MessageEvent): void {
    if (event.target !== line.socket) return
    isReachable = true
    // The client would write it into the console.
    if (String(event.data).startsWith('{"type":"error"'))
      line.lastMessage = JSON.parse(event.data) as typeof line.lastMessage
    else onMessage(event)
    const { type, data } = (line.lastMessage ?? {}) as { type?: string; data?: unknown }
    if (type !== 'connected') return
    connectedAtMs = performance.now()
    user = (data as { user?: Account | null }).user ?? null
    for (const { handleConnected } of listeners) handleConnected(user)
  }

  function handleClose(): void {
    const isSteady = connectedAtMs !== undefined && performance.now() - connectedAtMs > STEADY_MS
    if (connectedAtMs !== undefined) handleLost()
    if (isAway) return
    const { type, data } = (line.lastMessage ?? {}) as { type?: string; data?: { code?: number } }
    const code = type === 'error' ? data?.code : undefined
    if (code === CODE.policy) isRefused = true
    if (isSteady) tries = 0
    if (code === CODE.tryLater) tries = Math.max(tries, TURNED_AWAY_TRIES)
    line.reconnectAttempts = tries
    const waitMs = line.getTimeout()
    tries += 1
    if (isRefused || (!isReachable && tries >= TRIES_MAX)) return
    clearTimeout(again)
    again = setTimeout(open, waitMs)
  }

  function handleLost(): void {
    connectedAtMs = undefined
    user = undefined
    for (const listener of listeners) listener.handleLost()
  }

  function dropLeft(): void {
    clearTimeout(leaving)
    for (const unsubscribe of left) unsubscribe()
    left.clear()
    if (listeners.size === 0) close()
  }

  function close(): void {
    if (line.socket?.readyState === WebSocket.OPEN) line.socket.close()
  }

  function leave(): void {
    isAway = true
    clearTimeout(again)
    close()
  }

  function comeBack(): void {
    clearTimeout(hiding)
    isAway = document.visibilityState === 'hidden'
    open()
  }

  // A page with an open connection could not be kept for "Back".
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) comeBack()
  })
  window.addEventListener('online', comeBack)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') comeBack()
    else hiding = setTimeout(leave, HIDDEN_MS)
  })

  return {
    listen(listener) {
      listeners.add(listener)
      dropLeft()
      const unsubscribe = client.subscribe(listener.channels, (event) => {
        if (listeners.has(listener)) listener.handleEvent(event)
      })
      // A known set of channels keeps its connection, which has greeted already.
      const isListed = !!line.url && areListed(line.url, listener.channels)
      if (isListed && user !== undefined) listener.handleConnected(user)
      return () => {
        listeners.delete(listener)
        left.add(unsubscribe)
        clearTimeout(leaving)
        leaving = setTimeout(dropLeft, LEFT_MS)
      }
    },
    connectAnew() {
      line.url = ''
      open()
    },
  }
}

function areListed(address: string, channels: string[]): boolean {
  const listed = new URL(address).searchParams.getAll('channels[]')
  return channels.every((channel) => listed.includes(channel))
}
