// A WebSocket to the realtime endpoint of a test blog, and what came on it.
import { WebSocket } from 'ws'
import type { Answer, TestBlog } from './blog.ts'

export type Message = { type: string; data: Answer['body'] }

export type RealtimeSocket = Disposable & {
  socket: WebSocket
  /** All that came so far. */
  messages: Message[]
  /** The next message that was not taken yet. */
  next(): Promise<Message>
  send(message: unknown): void
  /** The code of the close. */
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
  let taken = 0
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
      const known = messages[taken++]
      if (known) resolve(known)
      else waiting.push(resolve)
      return promise
    },
    send: (message) => socket.send(JSON.stringify(message)),
    closed,
    [Symbol.dispose]: () => socket.terminate(),
  }
}

/** One that has read `connected`. */
export async function openConnectedSocket(
  blog: Pick<TestBlog, 'url'>,
  options: SocketOptions = {},
): Promise<RealtimeSocket> {
  const line = openSocket(blog, options)
  const { type } = await line.next()
  if (type !== 'connected') throw new Error(`${type} came first`)
  return line
}

/** Once this is answered, everything that was sent before has come. */
export async function readUntilPong(line: RealtimeSocket): Promise<Message[]> {
  line.send({ type: 'ping' })
  const before: Message[] = []
  for (;;) {
    const message = await line.next()
    if (message.type === 'pong') return before
    before.push(message)
  }
}
