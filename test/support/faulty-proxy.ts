// A TCP proxy that can freeze, cut or truncate connections. It passes bytes unchanged, so that
// signatures stay valid.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type FaultyProxy = AsyncDisposable & {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** From now on connections are accepted but no byte is returned. */
  freeze(): void
  /** Closes each connection after this many returned bytes. */
  cutAfter(bytes: number): void
  /** Stops returning bytes on each connection after this many. */
  stallAfter(bytes: number): void
  repair(): void
}

type Fault = { kind: 'none' } | { kind: 'cut' | 'silent'; bytes: number }

export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let fault: Fault = { kind: 'none' }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let sentBytes = 0
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (piece: Buffer) => {
      if (fault.kind === 'none') return void client.write(piece)
      const remainingBytes = Math.max(0, fault.bytes - sentBytes)
      client.write(piece.subarray(0, remainingBytes))
      sentBytes += Math.min(remainingBytes, piece.length)
      if (fault.kind === 'cut' && piece.length > remainingBytes) client.end(() => client.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no port')
  /** Closes open connections: a keep-alive connection would not see the fault. */
  const set = (next: Fault) => {
    fault = next
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    freeze: () => set({ kind: 'silent', bytes: 0 }),
    cutAfter: (bytes) => set({ kind: 'cut', bytes }),
    stallAfter: (bytes) => set({ kind: 'silent', bytes }),
    repair: () => set({ kind: 'none' }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
