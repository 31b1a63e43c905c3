// A WebSub hub that remembers what it was told.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestHub = AsyncDisposable & {
  url: string
  /** What the next calls are answered with, if at all; 204 when there is nothing left. */
  answers: (number | 'silence')[]
  /** Waits for so many calls in all. @returns the feeds they named */
  calls(count: number): Promise<string[]>
}

export async function openHub(): Promise<TestHub> {
  const told: string[] = []
  const answers: (number | 'silence')[] = []
  let heard = () => {}
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const sent = new URLSearchParams(text)
      const isPing = request.method === 'POST' && sent.get('hub.mode') === 'publish'
      told.push(isPing ? (sent.get('hub.url') ?? '') : `${request.method} ${text}`)
      const answer = answers.shift() ?? 204
      if (answer !== 'silence') response.writeHead(answer).end('x'.repeat(1000))
      heard()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`,
    answers,
    async calls(count) {
      while (told.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        heard = resolve
        await promise
      }
      return [...told]
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
