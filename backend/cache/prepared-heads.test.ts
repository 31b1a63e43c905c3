// A prepared head is the one that Node would have made of the same headers.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { baseHeaders } from '../http/responses.ts'
import { FILLED, prepareHeaders, sendHead } from './response-cache.ts'

const OWN = {
  vary: 'Cookie',
  'content-security-policy': `script-src 'nonce-${FILLED}'`,
  etag: '"a"',
}
const WHOLE = { ...OWN, 'content-type': 'text/html', 'content-length': '5' }

const COMMON = {
  common: prepareHeaders(200, baseHeaders(FILLED, true)),
  keepAliveMs: 7000,
}

async function ask(isPrepared: boolean, requests: string): Promise<string> {
  const server = createServer(({ method, url }, answer) => {
    const [status, headers] = url === '/304' ? ([304, OWN] as const) : ([200, WHOLE] as const)
    if (isPrepared) sendHead(answer, prepareHeaders(status, headers), { ...COMMON, piece: 'b' })
    else {
      const all = { ...baseHeaders('c', true), ...headers }
      const filled = Object.entries(all).map(([name, value]) => [name, value.replace(FILLED, 'b')])
      answer.writeHead(status, filled.flat())
    }
    if (status === 304 || method === 'HEAD') answer.end()
    else answer.end(Buffer.from('12345'))
  })
  server.keepAliveTimeout = COMMON.keepAliveMs
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.end(requests)
  const answered = await text(socket)
  server.close()
  return answered
}

const request = (line: string) => `${line} HTTP/1.1\r\nhost: x\r\n\r\n`

test.each([
  ['whole', request('GET /200')],
  ['unchanged', request('GET /304')],
  ['without its bytes', request('HEAD /200')],
  ['several in one go', request('GET /200') + request('GET /304') + request('GET /200')],
])('an answer that is %s', async (_what, requests) => {
  const same = (answers: string) =>
    answers.replace(/^(x-request-id|Date): .*$/gm, (_line, name) => `${name}: of its own`)
  const prepared = await ask(true, requests)
  expect(same(prepared)).toBe(same(await ask(false, requests)))
  expect(prepared).toMatch(/^x-request-id: [0-9a-f]{20}\r$/m)
  expect(prepared).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m)
})

test('what no header may hold is refused when the head is prepared', () => {
  expect(() => prepareHeaders(200, { etag: 'a\r\nset-cookie: b' })).toThrow(TypeError)
})
