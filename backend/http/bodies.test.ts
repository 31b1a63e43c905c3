// Bodies and clients that are too large, too slow or broken.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeServer, openServer } from '#test/support/bare-server.ts'
import { sendPath, sendRaw } from '#test/support/raw-request.ts'
import {
  BODY_WINDOW_MS,
  JSON_MAX_DEPTH,
  JSON_MAX_KEYS,
  JSON_MAX_VALUES,
  LONG_BODY_MAX_BYTES,
} from './request-params.ts'
import { JSON_BODY_MAX_BYTES } from './server.ts'

const VERSION = '1.4.13'

afterEach(closeServer)

describe('bodies', () => {
  test.each([
    { name: 'broken JSON', body: '{"a":' },
    { name: 'nothing', body: '' },
  ])('$name counts as {}', async ({ body }) => {
    const { post } = await openServer()
    expect(await (await post('/v1/echo', body)).json()).toEqual({ body: {} })
  })

  test('prototype keys are dropped', async () => {
    const { post } = await openServer()
    const answer = await post(
      '/v1/echo',
      '{"__proto__":{"isAdmin":true},"a":{"__proto__":1,"b":2}}',
    )
    expect(await answer.json()).toEqual({ body: { a: { b: 2 } } })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined)
    const escaped = await post('/v1/echo', '{"\\u005f_proto__":{"isAdmin":true},"b":"\\u005f"}')
    expect(await escaped.json()).toEqual({ body: { b: '_' } })
  })

  test.each([
    {
      name: 'as deep as allowed',
      body: '['.repeat(JSON_MAX_DEPTH) + ']'.repeat(JSON_MAX_DEPTH),
      status: 200,
    },
    {
      name: 'one level deeper',
      body: '['.repeat(JSON_MAX_DEPTH + 1) + ']'.repeat(JSON_MAX_DEPTH + 1),
      status: 400,
    },
    { name: 'as many keys as allowed', body: manyKeys(JSON_MAX_KEYS), status: 200 },
    { name: 'one key more', body: manyKeys(JSON_MAX_KEYS + 1), status: 400 },
    { name: 'not closed and too deep', body: '['.repeat(60_000), status: 400 },
    { name: 'as long as allowed', body: `"${'a'.repeat(JSON_BODY_MAX_BYTES - 2)}"`, status: 200 },
    { name: 'one byte more', body: `"${'a'.repeat(JSON_BODY_MAX_BYTES - 1)}"`, status: 413 },
  ])('$name: $status', async ({ body, status }) => {
    const { post, calls } = await openServer()
    const answer = await post('/v1/echo', body)
    expect(answer.status).toBe(status)
    expect(calls).toEqual(status === 200 ? ['echo'] : [])
    if (status !== 200)
      expect(await answer.json()).toMatchObject({
        code: status,
        type: 'general_argument_invalid',
        version: VERSION,
      })
  })

  test('calls with a larger body limit accept a long body of a signed-in user', async () => {
    const { post, calls } = await openServer()
    const json = { 'content-type': 'application/json' }
    const send = async (bytes: number, headers: Record<string, string>) =>
      (await post('/v1/long', `"${'a'.repeat(bytes - 2)}"`, { ...json, ...headers })).status
    expect(await send(JSON_BODY_MAX_BYTES, {})).toBe(200)
    expect(await send(JSON_BODY_MAX_BYTES + 1, {})).toBe(401)
    expect(await send(LONG_BODY_MAX_BYTES, { cookie: 'alice' })).toBe(200)
    expect(await send(LONG_BODY_MAX_BYTES + 1, { cookie: 'alice' })).toBe(413)
    const values = `[${'0,'.repeat(JSON_MAX_VALUES)}0]`
    expect((await post('/v1/long', values, { ...json, cookie: 'alice' })).status).toBe(400)
    expect(calls).toEqual(['long', 'long'])
  })

  test('a long body is refused before it is received', async () => {
    const { url, post, calls } = await openServer()
    const head = `POST /v1/long HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\ncontent-type: application/json\r\n`
    const ofGuest = [`content-length: ${JSON_BODY_MAX_BYTES + 1}`, 'transfer-encoding: chunked']
    for (const length of ofGuest) {
      const { status } = await sendRaw(url, `${head}${length}\r\n\r\n`)
      expect(status).toBe(401)
    }
    const json = { 'content-type': 'application/json', cookie: 'alice' }
    for (let at = 0; at < 5; at++) await (await post('/v1/long', '{}', json)).text()
    const { status } = await sendRaw(
      url,
      `${head}cookie: alice\r\nconnection: close\r\ncontent-length: 1000000\r\n\r\n`,
    )
    expect(status).toBe(429)
    expect(calls).toHaveLength(5)
  })

  test('reading a body takes time linear in its length, whatever its content', async () => {
    const { post } = await openServer()
    const json = { 'content-type': 'application/json', cookie: 'alice' }
    const half = LONG_BODY_MAX_BYTES / 2
    const bodies = [
      `["\\u0041"${',0'.repeat(half - 10)}]`,
      `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":0`)}}`,
      '['.repeat(2 * half),
      `"\\u0041${'\\"'.repeat(half - 5)}"`,
      `1${'0'.repeat(2 * half - 1)}`,
    ]
    for (const body of bodies) {
      const before = process.threadCpuUsage()
      await (await post('/v1/long', body, json)).text()
      expect(process.threadCpuUsage(before).user).toBeLessThan(300_000)
    }
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'text/plain; a=application/json',
    'application/xml',
  ])('a body as %s is refused', async (contentType) => {
    const { url, calls } = await openServer()
    const { status } = await sendRaw(
      url,
      `POST /v1/echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-appwrite-project: blog\r\ncontent-type: ${contentType}\r\ncontent-length: 2\r\n\r\n{}`,
    )
    expect(status).toBe(400)
    expect(calls).toEqual([])
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('a body as %s is read', async (contentType) => {
    const { post } = await openServer()
    expect(
      await (await post('/v1/echo', '{"a":1}', { 'content-type': contentType })).json(),
    ).toEqual({ body: { a: 1 } })
  })

  test('the body of a GET is ignored', async () => {
    const { url } = await openServer()
    const { status } = await sendRaw(
      url,
      'GET /v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-appwrite-project: blog\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nnull',
    )
    expect(status).toBe(204)
  })

  test('no header, query or field turns one method into another', async () => {
    const { call, calls } = await openServer()
    await call('/v1/echo?_method=POST', { headers: { 'x-http-method-override': 'POST' } })
    expect(calls).toEqual([])
  })
})

describe('slow and broken clients', () => {
  test('headers that do not end: 408', async () => {
    // The end of the headers does not arrive in time.
    const { url } = await openServer({ headersMs: 1000 })
    const { status, body } = await sendRaw(url, 'GET /v1/nothing HTTP/1.1\r\nhost: x\r\n')
    expect(status).toBe(408)
    expect(JSON.parse(body)).toMatchObject({ code: 408, version: VERSION })
  })

  // The test decides when a time limit has passed, so that a busy host makes no difference.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** Waits until a body is watched, then lets its time limit pass. */
  async function endBodyTime(): Promise<void> {
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(BODY_WINDOW_MS)
  }

  test('a JSON body that does not end: 408, and the connection closes', async () => {
    const { url, calls } = await openServer()
    const slow = sendRaw(
      url,
      'POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"',
    )
    await endBodyTime()
    const { status, headers, body } = await slow
    expect(status).toBe(408)
    expect(headers.connection).toBe('close')
    expect(JSON.parse(body)).toMatchObject({ code: 408, type: 'general_argument_invalid' })
    expect(calls).toEqual([])
  })

  test.each([
    {
      name: 'outside the API',
      head: 'POST /post HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100',
    },
    {
      name: 'in pieces of unknown number',
      head: 'POST /v1/nowhere HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked',
    },
  ])('a body that does not end, $name: 408', async ({ head }) => {
    const { url } = await openServer()
    const slow = sendRaw(url, `${head}\r\nhost: x\r\nx-appwrite-project: blog\r\n\r\n`)
    await endBodyTime()
    const { status, body } = await slow
    expect(status).toBe(408)
    expect(JSON.parse(body)).toMatchObject({ code: 408, type: 'general_argument_invalid' })
  })

  test('a connection whose request was answered early is closed when the body does not arrive', async () => {
    const { url, calls } = await openServer()
    const answered = Promise.withResolvers<void>()
    const slow = sendRaw(
      url,
      'POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\norigin: https://evil.example\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"',
      answered.resolve,
    )
    await answered.promise
    await endBodyTime()
    const { status, body } = await slow
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ type: 'general_unknown_origin' })
    expect(calls).toEqual([])
  })

  describe('uploads', () => {
    const head =
      'POST /v1/form HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 400000\r\n\r\n'

    function passWindows(count: number): void {
      for (let window = 0; window < count; window++) vi.advanceTimersByTime(BODY_WINDOW_MS)
    }

    test('an upload slower than 1 KiB/s: 408, and the connection closes', async () => {
      const { url, formRead, finishForm } = await openServer()
      finishForm()
      const slow = sendRaw(url, `${head}--x`)
      await formRead
      passWindows(1)
      const { status, body } = await slow
      expect(status).toBe(408)
      expect(JSON.parse(body)).toMatchObject({ code: 408, type: 'general_argument_invalid' })
    })

    test('an upload that waits for the server is not cut off', async () => {
      const { url, formStarted, finishForm } = await openServer()
      const waiting = sendRaw(url, head + 'a'.repeat(400_000))
      await formStarted
      passWindows(3)
      finishForm()
      expect((await waiting).status).toBe(200)
    })

    test('an upload that had to wait gets one more whole window', async () => {
      const { url, formStarted, formRead, finishForm } = await openServer()
      const slow = sendRaw(url, `${head}--x`)
      await formStarted
      passWindows(2)
      finishForm()
      await formRead
      passWindows(1)
      expect(vi.getTimerCount()).toBe(1)
      passWindows(1)
      expect(vi.getTimerCount()).toBe(0)
      expect((await slow).status).toBe(408)
    })
  })

  test('headers of more than 16 KiB: 431', async () => {
    const { url } = await openServer()
    const { status, body } = await sendPath(url, '/v1/nothing', {
      'x-appwrite-project': 'blog',
      'x-long': 'a'.repeat(17_000),
    })
    expect(status).toBe(431)
    expect(JSON.parse(body)).toMatchObject({ code: 431, version: VERSION })
  })

  test.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /v1/nothing HTTP/1.1\r\n\r\n',
    'POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  ])('broken HTTP is 400: %j', async (bytes) => {
    const { url } = await openServer()
    expect((await sendRaw(url, bytes)).status).toBe(400)
    expect((await sendPath(url, '/v1/nothing', { 'x-appwrite-project': 'blog' })).status).toBe(204)
  })
})

describe('requests that no client makes', () => {
  test.each([
    { name: 'no host', bytes: 'GET /v1/nothing HTTP/1.1\r\nx-appwrite-project: blog\r\n\r\n' },
    {
      name: 'an unknown expectation',
      bytes:
        'GET /v1/nothing HTTP/1.1\r\nhost: x\r\nexpect: banana\r\nx-appwrite-project: blog\r\n\r\n',
    },
    {
      name: 'a tunnel',
      bytes: 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n',
    },
  ])('$name is 400 in the form of the API, and the connection closes', async ({ bytes }) => {
    const { url } = await openServer()
    const { status, headers, body } = await sendRaw(url, bytes)
    expect([status, headers.connection]).toEqual([400, 'close'])
    expect(JSON.parse(body)).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
      version: VERSION,
    })
    expect((await sendPath(url, '/v1/nothing', { 'x-appwrite-project': 'blog' })).status).toBe(204)
  })
})

function manyKeys(count: number): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
  )
}
