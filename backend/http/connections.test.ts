// A client counts as disconnected when its connection closes, not when its request ends.
import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { disconnectSignal } from './connections.ts'

async function open() {
  const app = Fastify()
  const seen = Promise.withResolvers<AbortSignal>()
  const answer = Promise.withResolvers<string>()
  app.post('/', (_request, reply) => {
    seen.resolve(disconnectSignal(reply))
    return answer.promise
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return { url, port: Number(url.port), seen: seen.promise, answer, close: () => app.close() }
}

test('a client that closes its connection is gone, and the reason is a refusal', async () => {
  const { port, seen, answer, close } = await open()
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n')
  const signal = await seen
  expect(signal.aborted).toBe(false)
  socket.destroy()
  await once(signal, 'abort')
  expect(signal.reason).toMatchObject({ status: 400 })
  answer.resolve('late')
  await close()
})

test('a client whose request has ended counts as connected until its response is sent, and is not aborted afterwards', async () => {
  const { url, seen, answer, close } = await open()
  const response = fetch(url, { method: 'POST', body: 'text' })
  const signal = await seen
  answer.resolve('here')
  expect(await (await response).text()).toBe('here')
  await close()
  expect(signal.aborted).toBe(false)
})
