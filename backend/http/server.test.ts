// The server without product routes: order of checks, headers, the form of errors, counts.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { closeServer, openServer } from '#test/support/bare-server.ts'
import { sendPath } from '#test/support/raw-request.ts'
import { makeRateLimits } from './rate-limits.ts'
import type { ServerOptions } from './server.ts'

const VERSION = '1.4.13'

afterEach(closeServer)

describe('projects', () => {
  test.each([
    { name: 'none', path: '/v1/nothing', project: undefined, status: 404 },
    { name: 'an unknown one', path: '/v1/nothing', project: 'other', status: 404 },
    { name: 'another letter case', path: '/v1/nothing', project: 'BLOG', status: 404 },
    { name: 'the right header', path: '/v1/nothing', project: 'blog', status: 204 },
    {
      name: 'the right one in the query, a wrong header',
      path: '/v1/nothing?project=blog',
      project: 'other',
      status: 204,
    },
    {
      name: 'a wrong one in the query, the right header',
      path: '/v1/nothing?project=other',
      project: 'blog',
      status: 404,
    },
    {
      name: 'the right one twice in the query, as the clients 16.0.1 to 16.1.0 send it',
      path: '/v1/nothing?project=blog&project=blog',
      project: undefined,
      status: 204,
    },
    {
      name: 'a wrong one last in the query',
      path: '/v1/nothing?project=blog&project=other',
      project: 'blog',
      status: 404,
    },
    {
      name: 'a list in the query',
      path: '/v1/nothing?project[]=blog',
      project: 'blog',
      status: 404,
    },
  ])('$name: $status', async ({ path, project, status }) => {
    const { url } = await openServer()
    const answer = await fetch(url + path, {
      headers: project === undefined ? {} : { 'x-appwrite-project': project },
    })
    expect(answer.status).toBe(status)
    if (status === 404)
      expect(await answer.json()).toEqual({
        message: 'Unknown project.',
        code: 404,
        type: 'project_not_found',
        version: VERSION,
      })
  })

  test('a write reads its project from the header only', async () => {
    const { call, calls } = await openServer()
    const answer = await call('/v1/echo?project=blog', {
      method: 'POST',
      body: '{}',
      headers: { 'x-appwrite-project': 'other' },
    })
    expect(answer.status).toBe(404)
    expect(calls).toEqual([])
  })

  test('the version and the ping need no project', async () => {
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
    expect(await answer.text()).toBe(
      '{"message":"There is no such post.","code":404,"type":"document_not_found","version":"1.4.13"}',
    )
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    expect(answer.headers.get('expires')).toBe('0')
    expect(answer.headers.get('pragma')).toBe('no-cache')
  })

  test('an unexpected error is answered without details and logged with the request id', async () => {
    const { call, log } = await openServer()
    const answer = await call('/v1/bug')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      message: 'Something went wrong on the server.',
      code: 500,
      type: 'general_unknown',
      version: VERSION,
    })
    expect(log.find(({ msg }) => msg === 'unexpected error')).toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f]{20}$/),
      route: '/v1/bug',
    })
  })

  test('a full disk is 503, a damaged page fails only its request', async () => {
    const { call } = await openServer()
    const full = await call('/v1/full')
    expect(full.status).toBe(503)
    expect(full.headers.get('retry-after')).toBe('60')
    expect((await call('/v1/damaged-page')).status).toBe(500)
    expect((await call('/v1/nothing')).status).toBe(204)
  })

  test('each 503 is logged with its cause and a count, once a second for each cause', async () => {
    const { call, log } = await openServer()
    const lines = () => log.filter(({ event }) => event === 'unavailable')
    await Promise.all(Array.from({ length: 5 }, () => call('/v1/full')))
    expect(lines()[0]).toMatchObject({
      cause: 'SQLITE_FULL: disk',
      count: 1,
      route: '/v1/full',
      msg: 'answered 503',
    })
    const countLogged = () => lines().reduce((sum, { count }) => sum + Number(count), 0)
    await expect.poll(countLogged).toBe(5)
    expect(lines().length).toBeLessThan(5)
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
    ['QUERY', '/v1/nothing'],
    ['QUERY', '/elsewhere'],
  ])('%s %s is no route: 404 as JSON', async (method, path) => {
    const { call } = await openServer()
    const answer = await call(path, {
      method,
      ...(method === 'GET' || method === 'QUERY'
        ? {}
        : { body: '{}', headers: { 'content-type': 'application/json' } }),
    })
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
  ])('the path %s neither reaches a handler nor breaks the server', async (path) => {
    const { url } = await openServer()
    const { status, body } = await sendPath(url, path, { 'x-appwrite-project': 'blog' })
    expect([400, 404]).toContain(status)
    expect(JSON.parse(body)).toMatchObject({ code: status, version: VERSION })
  })

  test.each([
    '?%',
    '?a=%ZZ',
    '?=',
    '?&&&',
    '?a[=1',
    '?__proto__=1',
    '?queries[__proto__]=1',
    '?%00=%00',
    `?a=${'%41'.repeat(2000)}`,
  ])('the query %s is harmless', async (query) => {
    const { url } = await openServer()
    expect(
      (await sendPath(url, `/v1/nothing${query}`, { 'x-appwrite-project': 'blog' })).status,
    ).toBe(204)
  })
})

describe('answers', () => {
  test('a 204 has no content type and no body', async () => {
    const { call } = await openServer()
    const answer = await call('/v1/nothing')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('content-type')).toBe(null)
    expect(await answer.text()).toBe('')
  })

  test('every answer of the API forbids sniffing and caching', async () => {
    const { call } = await openServer()
    for (const path of ['/v1/nothing', '/v1/nowhere', '/v1/health/version']) {
      const { headers } = await call(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('vary')).toBe('Origin')
      expect([
        headers.get('x-powered-by'),
        headers.get('server'),
        headers.get('strict-transport-security'),
      ]).toEqual([null, null, null])
    }
  })

  test('on https every answer carries HSTS', async () => {
    const { call } = await openServer({ publicUrl: 'https://blog.example' })
    expect((await call('/v1/nothing')).headers.get('strict-transport-security')).toBe(
      'max-age=31536000',
    )
  })

  test('HEAD is GET without the body', async () => {
    const { call } = await openServer()
    const answer = await call('/v1/health/version', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('20')
    expect(await answer.text()).toBe('')
    expect((await call('/v1/refused', { method: 'HEAD' })).status).toBe(404)
  })

  test('while the server is stopping, every response closes its connection, even to earlier requests', async () => {
    const { call, server, started, finishSlow } = await openServer()
    expect((await call('/v1/nothing')).headers.get('connection')).toBe('keep-alive')
    const slow = call('/v1/slow')
    await started
    server.startStopping()
    expect((await call('/v1/nothing')).headers.get('connection')).toBe('close')
    finishSlow()
    expect((await slow).headers.get('connection')).toBe('close')
  })

  test('a request whose headers are still arriving is answered while the server closes', async () => {
    const { url, server } = await openServer()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const accepted = once(server.app.server, 'connection')
    socket.write('GET /v1/refused HTTP/1.1\r\nhost: x\r\n')
    const [serverSide] = (await accepted) as [Socket]
    while (serverSide.bytesRead === 0) await setImmediate()
    server.startStopping()
    const closed = server.app.close()
    while (server.app.server.listening) await setImmediate()
    socket.write('x-appwrite-project: blog\r\n\r\n')
    const chunks = await socket.setEncoding('utf8').toArray()
    await closed
    expect(chunks.join('')).toMatch(
      /^HTTP\/1.1 404 .*connection: close.*"type":"document_not_found"/is,
    )
  })

  test('the content type of JSON is spelled as clients of this API know it', async () => {
    const { call } = await openServer()
    for (const path of ['/v1/health/version', '/v1/refused', '/elsewhere'])
      expect((await call(path)).headers.get('content-type')).toBe('application/json; charset=UTF-8')
  })
})

describe('scopes and counts', () => {
  test('a refusal for a missing scope names the role of the caller', async () => {
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
    expect(log.filter(({ event }) => event === 'denied write')).toMatchObject([
      { route: '/v1/mine', requestId: expect.any(String) },
    ])
  })

  test('a refused upload is logged as an event, a refused preview is not', async () => {
    const { call, post, log } = await openServer()
    expect((await call('/v1/image')).status).toBe(400)
    expect((await post('/v1/image', '{}')).status).toBe(400)
    expect(log.filter(({ event }) => event === 'refused upload')).toMatchObject([
      { method: 'POST', type: 'storage_file_type_unsupported' },
    ])
  })

  test('the answer to a counted call says how many are left, and a refusal when to try again; the API key is not counted', async () => {
    const { call, log } = await openServer()
    const first = await call('/v1/counted')
    expect([
      first.headers.get('x-ratelimit-limit'),
      first.headers.get('x-ratelimit-remaining'),
    ]).toEqual(['2', '1'])
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

  test('beyond the limit the viewer is not resolved, except for a request with a key', async () => {
    let resolutions = 0
    const { call } = await openServer({
      rateLimits: {
        ...makeRateLimits({ isOn: true }),
        take() {
          throw new Refusal('general_rate_limit_exceeded')
        },
      },
      async resolveViewer({ headers }) {
        resolutions++
        return headers['x-appwrite-key'] === 'k' ? { role: 'key' } : { role: 'guest' }
      },
    })
    expect((await call('/v1/nothing', { headers: { cookie: 'alice' } })).status).toBe(429)
    expect(resolutions).toBe(0)
    expect((await call('/v1/nothing', { headers: { 'x-appwrite-key': 'k' } })).status).toBe(204)
    expect((await call('/v1/nothing', { headers: { 'x-appwrite-key': 'x' } })).status).toBe(429)
  })

  test('a request beyond the limit is refused even if its address cannot be decoded', async () => {
    const refuse = () => {
      throw new Refusal('general_rate_limit_exceeded')
    }
    const rateLimits = { ...makeRateLimits({ isOn: true }), take: refuse }
    const { url, server, log } = await openServer({ rateLimits })
    server.app.refusePage = async () => refuse()
    for (const path of ['/v1/%ff', '/%ff', '/v1/%'])
      expect((await sendPath(url, path)).status, path).toBe(429)
    expect(log.filter(({ event }) => event === 'rate limit')).toHaveLength(3)
  })

  test('X-Forwarded-For counts only behind a trusted proxy', async () => {
    const addresses: string[] = []
    const resolveViewer: ServerOptions['resolveViewer'] = async ({ ip }) => {
      addresses.push(ip)
      return { role: 'guest' }
    }
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const open = await openServer({ resolveViewer })
    await open.call('/v1/nothing', { headers })
    await open.server.app.close()
    const proxied = await openServer({ resolveViewer, trustedProxies: ['loopback'] })
    await proxied.call('/v1/nothing', { headers })
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.9'])
  })
})
