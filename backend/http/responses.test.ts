// A prepared head is the one that Node would have made of the same headers.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import {
  baseHeaders,
  encode,
  FILLED,
  isCopyCurrent,
  makeSendHead,
  prepareHead,
} from './responses.ts'

const OWN = {
  vary: 'Cookie',
  'content-security-policy': `script-src 'nonce-${FILLED}'`,
  etag: '"a"',
}
const WHOLE = { ...OWN, 'content-type': 'text/html', 'content-length': '5' }

async function ask(isPrepared: boolean, requests: string): Promise<string> {
  const server = createServer(({ method, url }, answer) => {
    const [status, headers] = url === '/304' ? ([304, OWN] as const) : ([200, WHOLE] as const)
    if (isPrepared) send(answer, prepareHead(status, headers), 'b')
    else {
      const all = { ...baseHeaders({ requestId: 'c', isHttps: true }), ...headers }
      const filled = Object.entries(all).map(([name, value]) => [name, value.replace(FILLED, 'b')])
      answer.writeHead(status, filled.flat())
    }
    if (status === 304 || method === 'HEAD') answer.end()
    else answer.end(Buffer.from('12345'))
  })
  const send = makeSendHead(true, () => server.keepAliveTimeout)
  server.keepAliveTimeout = 7000
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.end(requests)
  const answered = await text(socket)
  server.close()
  return answered
}

const request = (line: string, more = '') => `${line} HTTP/1.1\r\nhost: x\r\n${more}\r\n`

test.each([
  ['whole', request('GET /200')],
  ['unchanged', request('GET /304')],
  ['without its bytes', request('HEAD /200')],
  ['closing its connection', request('GET /200', 'connection: close\r\n')],
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
  expect(() => prepareHead(200, { etag: 'a\r\nset-cookie: b' })).toThrow(TypeError)
})

// Compressed responses as they are cached.

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

test.each(['br', 'gzip', 'identity'] as const)(
  'what is cached in %s takes no more memory than its length',
  async (encoding) => {
    const text = 'The word is samar. '.repeat(500)
    const bytes = await encode(text, encoding)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
    expect(String(DECODE[encoding](bytes))).toBe(text)
  },
)

// Which copies of a caller are still current.

test.each([
  { named: '"a"', etag: '"a"', isCurrent: true },
  { named: 'W/"a"', etag: '"a"', isCurrent: true },
  { named: '"a"', etag: 'W/"a"', isCurrent: true },
  { named: 'W/"a"', etag: 'W/"a"', isCurrent: true },
  { named: '"x" , W/"a"', etag: '"a"', isCurrent: true },
  { named: '*', etag: '"a"', isCurrent: true },
  { named: '"x"', etag: '"a"', isCurrent: false },
  { named: 'a', etag: '"a"', isCurrent: false },
  { named: '', etag: '"a"', isCurrent: false },
  { named: undefined, etag: '"a"', isCurrent: false },
])('a copy named $named of what is named $etag: $isCurrent', ({ named, etag, isCurrent }) => {
  const headers = { 'cache-control': 'no-cache', 'if-none-match': named }
  expect(isCopyCurrent({ headers } as FastifyRequest, etag)).toBe(isCurrent)
})

test('a request that asks by time alone has no copy', () => {
  const headers = { 'if-modified-since': new Date().toUTCString() }
  expect(isCopyCurrent({ headers } as FastifyRequest, '"a"')).toBe(false)
})
