// The server without product routes: order of checks, headers, limits of size and time, the form of errors.
import { afterEach, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH, JSON_MAX_KEYS } from '#contract/limits.ts'
import { sendPath, sendRaw } from '#test/support/raw-request.ts'
import { makeLog } from '../process/log.ts'
import { makeRateLimits } from './rate-limits.ts'
import { makeServer, type Routes, type Server, type ServerNeeds } from './server.ts'
import type { Viewer } from './viewer.ts'

const ALICE: Viewer = { role: 'user', userId: 'alice', email: 'alice@example.test', name: 'Alice', isVerified: false, sessionId: 's1' }
const VERSION = '1.4.13'

let opened: Server | undefined
afterEach(async () => {
  await opened?.app.close()
  opened = undefined
})

/** A listening server with an echo, a nothing, a failure and a signed-in-only route. */
async function openServer(needs: Partial<ServerNeeds> = {}) {
  const log: Record<string, unknown>[] = []
  const calls: string[] = []
  const routes: Routes = (api) => {
    api.post('/echo', async (request) => {
      calls.push('echo')
      return { body: request.body }
    })
    api.get('/nothing', async (_request, reply) => reply.code(204).send())
    api.get('/bug', async () => {
      throw new Error('secret detail in /some/file.ts')
    })
    api.get('/full', async () => {
      throw Object.assign(new Error('disk'), { code: 'SQLITE_FULL' })
    })
    api.get('/broken-disk', async () => {
      throw Object.assign(new Error('disk'), { code: 'SQLITE_IOERR_FSYNC' })
    })
    api.get('/refused', async () => {
      throw new Refusal('document_not_found')
    })
    api.post('/mine', { config: { scope: 'account' } }, async () => ({}))
    api.get('/users', { config: { scope: 'users.read' } }, async () => ({}))
    api.get('/counted', { config: { counts: () => [{ name: 'counted', rule: [2, 60], key: 'all' }] } }, async () => ({}))
  }
  let fatal = 0
  const server = await makeServer(
    {
      log: makeLog('info', { write: (line) => void log.push(JSON.parse(line)) }),
      projectId: 'blog',
      publicUrl: 'http://localhost:3000',
      allowedOrigins: ['http://localhost:3000', 'https://friend.example'],
      trustedProxies: [],
      rateLimits: makeRateLimits({ isOn: true }),
      findViewer: async ({ headers }) => (headers.cookie === 'alice' ? ALICE : headers['x-appwrite-key'] ? { role: 'key' } : { role: 'guest' }),
      onFatal: () => fatal++,
      ...needs,
    },
    [routes],
  )
  opened = server
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const call = (path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(url + path, { ...init, headers: { 'x-appwrite-project': 'blog', ...headers } })
  const post = (path: string, body: BodyInit, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    call(path, { method: 'POST', body, headers })
  return { url, call, post, calls, log, server, fatal: () => fatal }
}

describe('projects', () => {
  test.each([
    { name: 'none', path: '/v1/nothing', project: undefined, status: 404 },
    { name: 'an unknown one', path: '/v1/nothing', project: 'other', status: 404 },
    { name: 'another letter case', path: '/v1/nothing', project: 'BLOG', status: 404 },
    { name: 'the right header', path: '/v1/nothing', project: 'blog', status: 204 },
    { name: 'the right one in the query, a wrong header', path: '/v1/nothing?project=blog', project: 'other', status: 204 },
    { name: 'a wrong one in the query, the right header', path: '/v1/nothing?project=other', project: 'blog', status: 404 },
    { name: 'two in the query', path: '/v1/nothing?project=blog&project=blog', project: 'blog', status: 404 },
  ])('$name: $status', async ({ path, project, status }) => {
    const { url } = await openServer()
    const answer = await fetch(url + path, { headers: project === undefined ? {} : { 'x-appwrite-project': project } })
    expect(answer.status).toBe(status)
    if (status === 404) expect(await answer.json()).toEqual({ message: 'Unknown project.', code: 404, type: 'project_not_found', version: VERSION })
  })

  test('a write reads its project from the header only', async () => {
    const { call, calls } = await openServer()
    const answer = await call('/v1/echo?project=blog', { method: 'POST', body: '{}', headers: { 'x-appwrite-project': 'other' } })
    expect(answer.status).toBe(404)
    expect(calls).toEqual([])
  })

  test('the version and the ping need none', async () => {
    const { url } = await openServer()
    expect(await (await fetch(`${url}/v1/health/version`)).json()).toEqual({ version: VERSION })
    expect((await fetch(`${url}/v1/ping`)).status).toBe(200)
    expect((await fetch(`${url}/v1/health`)).status).toBe(404)
  })
})

describe('errors', () => {
  test('a refusal has exactly four fields in a fixed order, and is not cached', async () => {
    const { call } = await openServer()
    const answer = await call('/v1/refused')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('{"message":"There is no such post.","code":404,"type":"document_not_found","version":"1.4.13"}')
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    expect(answer.headers.get('expires')).toBe('0')
    expect(answer.headers.get('pragma')).toBe('no-cache')
  })

  test('a bug is answered without details and logged with the request id', async () => {
    const { call, log } = await openServer()
    const answer = await call('/v1/bug')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ message: 'Something went wrong on the server.', code: 500, type: 'general_unknown', version: VERSION })
    expect(log.find(({ msg }) => msg === 'unexpected error')).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f]{20}$/), route: '/v1/bug' })
  })

  test('a full disk is 503 and no reason to stop, a failing one is', async () => {
    const { call, fatal } = await openServer()
    expect((await call('/v1/full')).status).toBe(503)
    expect(fatal()).toBe(0)
    expect((await call('/v1/broken-disk')).status).toBe(503)
    expect(fatal()).toBe(1)
  })

  test.each([
    ['GET', '/v1/nowhere'],
    ['PUT', '/v1/echo'],
    ['GET', '/v1/echo'],
    ['POST', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nothing/'],
    ['GET', '/v1//nothing'],
    ['GET', '/v1/Nothing'],
    ['GET', '/V1/nothing'],
    ['GET', '//v1/nothing'],
    ['POST', '/elsewhere'],
  ])('%s %s is no address: 404 as JSON', async (method, path) => {
    const { call } = await openServer()
    const answer = await call(path, { method, ...(method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }) })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 404, type: 'general_route_not_found' })
  })

  test.each([
    '/v1/%',
    '/v1/%ZZ',
    '/v1/nothing%00',
    '/v1/%00',
    '/v1/..%2fnothing',
    '/v1/%2e%2e/nothing',
    '/v1/../v1/nothing',
    '/v1\\nothing',
    `/v1/${'a'.repeat(4000)}`,
    '/v1/nothing;project=blog',
    '/%5c%5cv1/nothing',
  ])('the path %s never reaches a handler nor breaks the server', async (path) => {
    const { url } = await openServer()
    const { status, body } = await sendPath(url, path, { 'x-appwrite-project': 'blog' })
    expect([400, 404]).toContain(status)
    expect(JSON.parse(body)).toMatchObject({ code: status, version: VERSION })
  })

  test.each(['?%', '?a=%ZZ', '?=', '?&&&', '?a[=1', '?__proto__=1', '?queries[__proto__]=1', '?%00=%00', `?a=${'%41'.repeat(2000)}`])(
    'the query %s is harmless',
    async (query) => {
      const { url } = await openServer()
      expect((await sendPath(url, `/v1/nothing${query}`, { 'x-appwrite-project': 'blog' })).status).toBe(204)
    },
  )
})

describe('answers', () => {
  test('a 204 has no content type and no body', async () => {
    const { call } = await openServer()
    const answer = await call('/v1/nothing')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('content-type')).toBe(null)
    expect(await answer.text()).toBe('')
  })

  test('every answer of the API is plain, unsniffed and kept nowhere', async () => {
    const { call } = await openServer()
    for (const path of ['/v1/nothing', '/v1/nowhere', '/v1/health/version']) {
      const { headers } = await call(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('vary')).toBe('Origin')
      expect([headers.get('x-powered-by'), headers.get('server'), headers.get('strict-transport-security')]).toEqual([null, null, null])
    }
  })

  test('on https browsers are told to stay there', async () => {
    const { call } = await openServer({ publicUrl: 'https://blog.example' })
    expect((await call('/v1/nothing')).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('HEAD is GET without the body', async () => {
    const { call } = await openServer()
    const answer = await call('/v1/health/version', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('20')
    expect(await answer.text()).toBe('')
    expect((await call('/v1/refused', { method: 'HEAD' })).status).toBe(404)
  })

  test('while stopping every answer closes its connection', async () => {
    const { call, server } = await openServer()
    expect((await call('/v1/nothing')).headers.get('connection')).toBe('keep-alive')
    server.startStopping()
    expect((await call('/v1/nothing')).headers.get('connection')).toBe('close')
  })
})

describe('bodies', () => {
  test.each([
    { name: 'broken JSON', body: '{"a":' },
    { name: 'nothing', body: '' },
    { name: 'nested past the stack', body: '['.repeat(200_000) },
  ])('$name counts as {}', async ({ body }) => {
    const { post } = await openServer()
    expect(await (await post('/v1/echo', body)).json()).toEqual({ body: {} })
  })

  test('prototype keys are dropped', async () => {
    const { post } = await openServer()
    const answer = await post('/v1/echo', '{"__proto__":{"isAdmin":true},"a":{"__proto__":1,"b":2}}')
    expect(await answer.json()).toEqual({ body: { a: { b: 2 } } })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined)
  })

  test.each([
    { name: 'as deep as allowed', body: '['.repeat(JSON_MAX_DEPTH) + ']'.repeat(JSON_MAX_DEPTH), status: 200 },
    { name: 'one level deeper', body: '['.repeat(JSON_MAX_DEPTH + 1) + ']'.repeat(JSON_MAX_DEPTH + 1), status: 400 },
    { name: 'as many keys as allowed', body: manyKeys(JSON_MAX_KEYS), status: 200 },
    { name: 'one key more', body: manyKeys(JSON_MAX_KEYS + 1), status: 400 },
    { name: 'as long as allowed', body: `"${'a'.repeat(JSON_BODY_MAX_BYTES - 2)}"`, status: 200 },
    { name: 'one byte more', body: `"${'a'.repeat(JSON_BODY_MAX_BYTES - 1)}"`, status: 413 },
  ])('$name: $status', async ({ body, status }) => {
    const { post, calls } = await openServer()
    const answer = await post('/v1/echo', body)
    expect(answer.status).toBe(status)
    expect(calls).toEqual(status === 200 ? ['echo'] : [])
    if (status !== 200) expect(await answer.json()).toMatchObject({ code: status, type: 'general_argument_invalid', version: VERSION })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json\tx',
    'application/jsonx',
    'text/plain;application/json',
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

  test.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'])(
    'a body as %s is read',
    async (contentType) => {
      const { post } = await openServer()
      expect(await (await post('/v1/echo', '{"a":1}', { 'content-type': contentType })).json()).toEqual({ body: { a: 1 } })
    },
  )

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
  const timeouts = { headersMs: 1000, jsonMs: 200 }

  test('headers that do not end: 408', async () => {
    const { url } = await openServer({ timeouts })
    const { status, body } = await sendRaw(url, 'GET /v1/nothing HTTP/1.1\r\nhost: x\r\n')
    expect(status).toBe(408)
    expect(JSON.parse(body)).toMatchObject({ code: 408, version: VERSION })
  })

  test('a JSON body that does not end: 408, and the connection closes', async () => {
    const { url, calls } = await openServer({ timeouts })
    const { status, headers, body } = await sendRaw(
      url,
      'POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"',
    )
    expect(status).toBe(408)
    expect(headers.connection).toBe('close')
    expect(JSON.parse(body)).toMatchObject({ code: 408, type: 'general_argument_invalid' })
    expect(calls).toEqual([])
  })

  test('headers of more than 16 KiB: 431', async () => {
    const { url } = await openServer()
    const { status, body } = await sendPath(url, '/v1/nothing', { 'x-appwrite-project': 'blog', 'x-long': 'a'.repeat(17_000) })
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

describe('scopes and counts', () => {
  test('what a caller lacks is said by role', async () => {
    const { call, post, log } = await openServer()
    expect(await (await post('/v1/mine', '{}')).json()).toEqual({
      message: 'User (role: guests) missing scope (account)',
      code: 401,
      type: 'general_unauthorized_scope',
      version: VERSION,
    })
    expect(await (await call('/v1/users', { headers: { cookie: 'alice' } })).json()).toMatchObject({
      message: 'alice@example.test (role: users) missing scope (users.read)',
    })
    expect((await call('/v1/users', { headers: { 'x-appwrite-key': 'k' } })).status).toBe(200)
    // The denied write is an event, the denied read is not.
    expect(log.filter(({ event }) => event === 'denied write')).toMatchObject([{ route: '/v1/mine', requestId: expect.any(String) }])
  })

  test('a counted answer says what is left, the one too many when to come back; keys are not counted', async () => {
    const { call, log } = await openServer()
    const first = await call('/v1/counted')
    expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['2', '1'])
    expect(Number(first.headers.get('x-ratelimit-reset')) % 60).toBe(0)
    await call('/v1/counted')
    const third = await call('/v1/counted')
    expect(third.status).toBe(429)
    expect(await third.json()).toMatchObject({ code: 429, type: 'general_rate_limit_exceeded' })
    expect(third.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(third.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    const withKey = await call('/v1/counted', { headers: { 'x-appwrite-key': 'k' } })
    expect([withKey.status, withKey.headers.get('x-ratelimit-limit')]).toEqual([200, null])
    expect(log.filter(({ event }) => event === 'rate limit')).toHaveLength(1)
  })

  test('X-Forwarded-For counts only behind a trusted proxy', async () => {
    const addresses: string[] = []
    const findViewer: ServerNeeds['findViewer'] = async ({ ip }) => {
      addresses.push(ip)
      return { role: 'guest' }
    }
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const open = await openServer({ findViewer })
    await open.call('/v1/nothing', { headers })
    await open.server.app.close()
    const proxied = await openServer({ findViewer, trustedProxies: ['loopback'] })
    await proxied.call('/v1/nothing', { headers })
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.9'])
  })
})

function manyKeys(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))
}
