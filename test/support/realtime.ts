// A WebSocket to the realtime endpoint of a test blog, and the messages received on it.
import { WebSocket } from 'ws'
import type { Answer, TestBlog } from './blog.ts'

export type Message = { type: string; data: Answer['body'] }

export type RealtimeSocket = Disposable & {
  socket: WebSocket
  /** All messages received so far. */
  messages: Message[]
  /** The next message that `next` has not returned yet. */
  next(): Promise<Message>
  send(message: unknown): void
  /** Resolves with the close code. */
  closed: Promise<number>
}

export type SocketOptions = {
  channels?: string[]
  cookie?: string | undefined
  headers?: Record<string, string>
  project?: string
}

export function openSocket(
  { url }: Pick<TestBlog, 'url'>,
  { channels = ['documents'], cookie, headers = {}, project = 'blog' }: SocketOptions = {},
): RealtimeSocket {
  const query = new URLSearchParams({ project })
  for (const channel of channels) query.append('channels[]', channel)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?${query}`, {
    headers: { ...(cookie ? { cookie } : {}), ...headers },
  })
  const messages: Message[] = []
  const waiting: ((message: Message) => void)[] = []
  let returned = 0
  socket.on('message', (data) => {
    messages.push(JSON.parse(data.toString()))
    waiting.shift()?.(messages.at(-1) as Message)
  })
  socket.on('error', () => {})
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.on('close', resolve)
  return {
    socket,
    messages,
    next() {
      const { promise, resolve } = Promise.withResolvers<Message>()
      const received = messages[returned++]
      if (received) resolve(received)
      else waiting.push(resolve)
      return promise
    },
    send: (message) => socket.send(JSON.stringify(message)),
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  }
}

/** Opens a socket and reads its `connected` message. */
export async function openConnectedSocket(
  blog: Pick<TestBlog, 'url'>,
  options: SocketOptions = {},
): Promise<RealtimeSocket> {
  const socket = openSocket(blog, options)
  const { type } = await socket.next()
  if (type !== 'connected') throw new Error(`${type} came first`)
  return socket
}

/** Sends a ping. @returns the messages that were received before its pong */
export async function readUntilPong(socket: RealtimeSocket): Promise<Message[]> {
  socket.send({ type: 'ping' })
  const before: Message[] = []
  for (;;) {
    const message = await socket.next()
    if (message.type === 'pong') return before
    before.push(message)
  }
}
