// A TCP proxy between the blog and a server. A test can cut, pause or refuse its connections;
// otherwise it passes bytes unchanged.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `before`: the server never receives the COMMIT. `after`: only its response is lost. */
type CommitCut = 'before' | 'after'

/** COMMIT as the client library sends it, with its final zero byte. */
const COMMIT = 'commit\0'

/** How much of the sent text is stored to recognise a connection. */
const SENT_TEXT_MAX_CHARS = 2000

export type TcpProxy = AsyncDisposable & {
  /** The address of the target through this proxy. */
  through(url: string): string
  /** Resets every connection. */
  reset(): void
  /** Resets every connection and refuses new ones. */
  refuse(): Promise<void>
  /** Accepts connections again. */
  accept(): Promise<void>
  /**
   * From now on no bytes pass in either direction, on open and new connections.
   *
   * @param sentText only on open connections that have sent this text
   */
  pause(sentText?: string): void
  /** Passes all bytes that were held back. */
  resume(): void
  /**
   * Cuts the connection that sends the next COMMIT of PostgreSQL.
   *
   * @param sentText a text that the transaction has sent before; other transactions pass
   */
  cutAtCommit(cut: CommitCut, sentText?: string): void
  /** How many connections were opened so far. */
  connections(): number
}

/** @param target the address of the server; only host and port are used */
export async function makeTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const sentBytes: Sent = new Map()
  let isSilent = false
  let opened = 0
  let cut: CommitCut | undefined
  let requiredText = ''

  const track = (socket: Socket) => trackSocket(sockets, socket)
  function serve(client: Socket): void {
    opened++
    const upstream = track(connect(Number(port), hostname))
    track(client)
    let isMute = false
    let hasSentText = false
    sentBytes.set(client, { upstream, text: '' })
    client.on('data', (bytes) => {
      recordSent(sentBytes, client, bytes)
      if (cut !== undefined) hasSentText ||= bytes.includes(requiredText)
      if (bytes.includes(COMMIT)) {
        const kind = hasSentText ? cut : undefined
        hasSentText = false
        if (kind !== undefined) cut = undefined
        if (kind === 'before') return void resetBoth(client, upstream)
        isMute ||= kind === 'after'
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => (isMute ? resetBoth(client, upstream) : client.write(bytes)))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    if (isSilent) for (const socket of [client, upstream]) socket.pause()
  }
  let server: Server
  async function listen(at: number): Promise<number> {
    server = createServer(serve).listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const ownPort = await listen(0)
  return {
    through: (url) => withLocalPort(url, ownPort),
    reset,
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      reset()
      await closed
    },
    accept: () => listen(ownPort).then(() => {}),
    pause(sentText) {
      if (sentText !== undefined) return pauseSome(sentBytes, sentText)
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    cutAtCommit(next, sentText = '') {
      cut = next
      requiredText = sentText
    },
    connections: () => opened,
    async [Symbol.asyncDispose]() {
      server.close()
      reset()
    },
  }
}

function withLocalPort(url: string, port: number): string {
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return address.href
}

/** The beginning of what each client has sent, and its connection to the server. */
type Sent = Map<Socket, { upstream: Socket; text: string }>

function pauseSome(sent: Sent, sentText: string): void {
  for (const [client, { upstream, text }] of sent)
    if (text.includes(sentText)) for (const socket of [client, upstream]) socket.pause()
}

function recordSent(sent: Sent, client: Socket, bytes: Buffer | string): void {
  const entry = sent.get(client)
  if (entry && entry.text.length < SENT_TEXT_MAX_CHARS) entry.text += bytes.toString()
}

function trackSocket(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket.setNoDelay())
  return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
}

function resetBoth(...ends: Socket[]): void {
  for (const end of ends) end.resetAndDestroy()
}
