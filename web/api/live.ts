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

export type Live = {
  /** @returns ends it */
  listen(listener: LiveListener): () => void
  /** The cookie names another user by now. */
  connectAnew(): void
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

/** The connection and its state. */
type Line = {
  client: ClientLine
  createSocket: () => void
  onMessage: (event: MessageEvent) => void
  listeners: Set<LiveListener>
  /** End the subscriptions of listeners that are gone. */
  left: Set<() => void>
  /** Who is listening; undefined while it is not connected. */
  user: Account | null | undefined
  connectedAtMs: number
  /** A message came from the server: no proxy blocks connections. */
  isReachable: boolean
  isRefused: boolean
  /** The page is hidden. */
  isAway: boolean
  tries: number
  /** Until it is time to try again, or the page is visible again: other channels change nothing. */
  isWaiting: boolean
  again: Timer
  leaving: Timer
}

export function makeLive({ client }: Api): Live {
  const inside: ClientLine = Reflect.get(client, 'realtime') // a private member
  const { createSocket, onMessage } = inside
  const line: Line = {
    ...{ client: inside, createSocket, onMessage, listeners: new Set(), left: new Set() },
    ...{ user: undefined, connectedAtMs: 0, isReachable: false, isRefused: false, tries: 0 },
    isWaiting: false,
    ...{ isAway: document.visibilityState === 'hidden', again: undefined, leaving: undefined },
  }
  inside.createSocket = () => {
    if (!line.isWaiting) open(line)
  }
  inside.onMessage = (event) => handleMessage(line, event)
  followPage(line)
  return {
    listen(listener) {
      line.listeners.add(listener)
      dropLeft(line)
      const unsubscribe = client.subscribe(listener.channels, (event) => {
        if (line.listeners.has(listener)) listener.handleEvent(event)
      })
      // A known set of channels keeps its connection, which has greeted already.
      const isListed = !!inside.url && areListed(inside.url, listener.channels)
      if (isListed && line.user !== undefined) listener.handleConnected(line.user)
      return () => {
        line.listeners.delete(listener)
        line.left.add(unsubscribe)
        clearTimeout(line.leaving)
        line.leaving = setTimeout(() => dropLeft(line), LEFT_MS)
      }
    },
    connectAnew() {
      inside.url = ''
      open(line)
    },
  }
}

function open(line: Line): void {
  const { client, listeners } = line
  const { socket } = client
  if (line.isRefused || line.isAway || !navigator.onLine || listeners.size === 0) return
  // Closed before it is open it would be a line in the console: it opens first.
  if (socket?.readyState === WebSocket.CONNECTING) return
  clearTimeout(line.again)
  line.isWaiting = false
  line.createSocket()
  client.reconnect = false
  if (client.socket && client.socket !== socket) watch(line, client.socket)
}

function watch(line: Line, socket: WebSocket): void {
  const { client } = line
  noteLost(line)
  delete client.lastMessage
  socket.addEventListener('open', () => {
    if (line.isAway || line.listeners.size === 0) socket.close()
    else open(line)
  })
  socket.addEventListener('close', () => {
    // Otherwise the client would try again, too, and write that into the console.
    client.reconnect = false
    if (socket === client.socket) handleClose(line)
  })
}

function handleMessage(line: Line, event: MessageEvent): void {
  const { client } = line
  if (event.target !== client.socket) return
  line.isReachable = true
  // The client would write it into the console.
  if (String(event.data).startsWith('{"type":"error"')) client.lastMessage = JSON.parse(event.data)
  else line.onMessage(event)
  const { type, data } = lastMessage(client)
  if (type !== 'connected') return
  line.connectedAtMs = performance.now()
  line.user = data?.user ?? null
  for (const { handleConnected } of line.listeners) handleConnected(line.user)
}

function handleClose(line: Line): void {
  const { client } = line
  const upMs = line.user === undefined ? 0 : performance.now() - line.connectedAtMs
  noteLost(line)
  if (line.isAway) return
  const { type, data } = lastMessage(client)
  const code = type === 'error' ? data?.code : undefined
  if (code === CODE.policy) line.isRefused = true
  if (upMs > STEADY_MS) line.tries = 0
  if (code === CODE.tryLater) line.tries = Math.max(line.tries, TURNED_AWAY_TRIES)
  client.reconnectAttempts = line.tries
  const waitMs = client.getTimeout()
  line.tries += 1
  line.isWaiting = true
  if (!line.isReachable && line.tries >= TRIES_MAX) return
  clearTimeout(line.again)
  line.again = setTimeout(() => open(line), waitMs)
}

function noteLost(line: Line): void {
  if (line.user === undefined) return
  line.user = undefined
  for (const { handleLost } of line.listeners) handleLost()
}

function dropLeft(line: Line): void {
  clearTimeout(line.leaving)
  for (const unsubscribe of line.left) unsubscribe()
  line.left.clear()
  if (line.listeners.size === 0) close(line)
}

function close({ client }: Line): void {
  if (client.socket?.readyState === WebSocket.OPEN) client.socket.close()
}

function followPage(line: Line): void {
  let hiding: Timer
  const isHidden = () => document.visibilityState === 'hidden'
  function leave() {
    line.isAway = true
    clearTimeout(line.again)
    close(line)
  }
  function comeBack() {
    clearTimeout(hiding)
    line.isAway = isHidden()
    open(line)
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

function lastMessage({ lastMessage: last }: Line['client']): {
  type?: string
  data?: { code?: number; user?: Account | null }
} {
  return (last ?? {}) as ReturnType<typeof lastMessage>
}

function areListed(address: string, channels: string[]): boolean {
  const listed = new URL(address).searchParams.getAll('channels[]')
  return channels.every((channel) => listed.includes(channel))
}
