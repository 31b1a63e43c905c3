// A connection between the blog and a server that a test can cut, silence or refuse. Bytes pass
// unchanged otherwise.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `before`: the server never hears of the commit. `after`: only its answer is lost. */
type CommitCut = 'before' | 'after'

/** As the client library sends it; a zero ends the text. */
const COMMIT = 'commit\0'

/** Of what a connection has sent, to be told from others by. */
const SENT_TEXT_MAX_CHARS = 2000

export type TcpProxy = AsyncDisposable & {
  /** The address of the target, through here. */
  through(url: string): string
  /** Resets every connection. */
  reset(): void
  /** Resets every connection and refuses new ones. */
  refuse(): Promise<void>
  /** Lets them in again. */
  accept(): Promise<void>
  /**
   * From now on nothing passes in either direction, on old connections and new ones.
   *
   * @param behind only on those that are there and have sent this text
   */
  pause(behind?: string): void
  /** Everything that was held back passes. */
  resume(): void
  /**
   * Cuts the connection that sends the next COMMIT of PostgreSQL.
   *
   * @param behind a text that the transaction has sent before: work beside it is let through
   */
  cutAtCommit(cut: CommitCut, behind?: string): void
  /** How many were opened so far. */
  connections(): number
}

/** @param target the address of the server, of which host and port count */
export async function makeTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const sent: Sent = new Map()
  let isSilent = false
  let opened = 0
  let cut: CommitCut | undefined
  let requiredText = ''

  const keep = (socket: Socket) => trackSocket(sockets, socket)
  function serve(client: Socket): void {
    opened++
    const upstream = keep(connect(Number(port), hostname))
    keep(client)
    let isMute = false
    let isBehind = false
    sent.set(client, { upstream, text: '' })
    client.on('data', (bytes) => {
      recordSent(sent, client, bytes)
      if (cut !== undefined) isBehind ||= bytes.includes(requiredText)
      if (cut !== undefined && isBehind && bytes.includes(COMMIT)) {
        const now = cut
        cut = undefined
        if (now === 'before') return void resetBoth(client, upstream)
        isMute = true
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
    through(url) {
      const address = new URL(url)
      address.hostname = '127.0.0.1'
      address.port = String(ownPort)
      return address.href
    },
    reset,
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      reset()
      await closed
    },
    accept: () => listen(ownPort).then(() => {}),
    pause(behind) {
      if (behind !== undefined) return pauseSome(sent, behind)
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    cutAtCommit(next, behind = '') {
      cut = next
      requiredText = behind
    },
    connections: () => opened,
    async [Symbol.asyncDispose]() {
      server.close()
      reset()
    },
  }
}

/** What each connection has sent, and where it leads. */
type Sent = Map<Socket, { upstream: Socket; text: string }>

function pauseSome(sent: Sent, behind: string): void {
  for (const [client, { upstream, text }] of sent)
    if (text.includes(behind)) for (const socket of [client, upstream]) socket.pause()
}

function recordSent(sent: Sent, client: Socket, bytes: Buffer | string): void {
  const own = sent.get(client)
  if (own && own.text.length < SENT_TEXT_MAX_CHARS) own.text += bytes.toString()
}

function trackSocket(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket.setNoDelay())
  return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
}

function resetBoth(...ends: Socket[]): void {
  for (const end of ends) end.resetAndDestroy()
}
