// Which sites may read and write: the tables of api.md §1.5 and threat-model.md §7.
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { makeLog } from '../process/log.ts'
import { makeRateLimits } from './rate-limits.ts'
import { makeServer } from './server.ts'
import { originsFor, readReturnUrl } from './viewer.ts'

const OWN = 'http://localhost:3000'
const FRIEND = 'https://friend.example'
const STRANGERS = [
  'null',
  'https://evil.example',
  'http://localhost:3001',
  'https://localhost:3000',
  'http://localhost',
  'http://localhost:3000.evil.example',
  'http://localhost:30000',
  'http://evil.example/http://localhost:3000',
  'https://friend.example.evil.example',
  'https://xfriend.example',
  'https://sub.friend.example',
  'http://friend.example',
  'HTTPS://FRIEND.EXAMPLE',
  'https://friend.example/',
  `${OWN}, https://evil.example`,
]

async function makeApp() {
  const written: string[] = []
  const log: Record<string, unknown>[] = []
  const { app } = await makeServer(
    {
      log: makeLog('info', { write: (line) => void log.push(JSON.parse(line)) }),
      projectId: 'blog',
      publicUrl: OWN,
      isHttps: false,
      allowedOrigins: [OWN, FRIEND],
      trustedProxies: [],
      rateLimits: makeRateLimits({ isOn: false }),
      resolveViewer: async ({ headers }) => {
        if (headers.cookie === 'blocked') throw new Refusal('user_blocked')
        return headers['x-appwrite-key'] === 'right' ? { role: 'key' } : { role: 'guest' }
      },
    },
    [
      (api) => {
        api.route({
          method: ['POST', 'PUT', 'PATCH', 'DELETE'],
          url: '/thing',
          handler: async ({ method }) => ({ count: written.push(method) }),
        })
        api.get('/thing', async () => ({}))
      },
    ],
  )
  const call = (
    method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    headers: Record<string, string>,
    url = '/v1/thing',
  ) => {
    const sent = { host: 'localhost:3000', 'x-appwrite-project': 'blog', ...headers }
    return app.inject({ method, url, headers: sent })
  }
  return { call, written, log, [Symbol.asyncDispose]: () => app.close() }
}

describe('writes', () => {
  test.each([
    { name: 'no browser headers', headers: {} },
    { name: 'the own origin', headers: { origin: OWN } },
    { name: 'a listed one', headers: { origin: FRIEND } },
    {
      name: 'a listed one, cross-site',
      headers: { origin: FRIEND, 'sec-fetch-site': 'cross-site' },
    },
    {
      name: 'the address of this machine that was asked for, as at another port of a container',
      headers: { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' },
    },
    { name: 'the same origin', headers: { origin: OWN, 'sec-fetch-site': 'same-origin' } },
    { name: 'the address bar', headers: { 'sec-fetch-site': 'none' } },
    { name: 'a page of the own site', headers: { referer: `${OWN}/post/one?two=3` } },
    {
      name: 'a listed origin, whatever the page',
      headers: { origin: OWN, referer: 'https://evil.example/' },
    },
    {
      name: 'the right key from anywhere',
      headers: { origin: 'https://evil.example', 'x-appwrite-key': 'right' },
    },
  ])('pass with $name', async ({ headers }) => {
    await using app = await makeApp()
    expect((await app.call('POST', headers)).statusCode).toBe(200)
    expect(app.written).toEqual(['POST'])
  })

  test.each<{ name: string; headers: Record<string, string> }>([
    ...STRANGERS.map((origin) => ({ name: `the origin ${origin}`, headers: { origin } })),
    {
      name: 'a name of another machine that leads to this one',
      headers: { host: 'evil.example:3000', origin: 'http://evil.example:3000' },
    },
    {
      name: 'another port of this machine than was asked for',
      headers: { host: 'localhost:8080', origin: 'http://localhost:8081' },
    },
    { name: 'a foreign page', headers: { referer: 'https://evil.example/post' } },
    { name: 'a page whose address starts like ours', headers: { referer: `${OWN}.evil.example/` } },
    { name: 'a page address that is none', headers: { referer: 'nonsense' } },
    {
      name: 'the own origin from another site, which no browser says',
      headers: { origin: OWN, 'sec-fetch-site': 'cross-site' },
    },
    {
      name: 'the own origin from another host of the site',
      headers: { origin: OWN, 'sec-fetch-site': 'same-site' },
    },
    { name: 'another site and no origin', headers: { 'sec-fetch-site': 'cross-site' } },
    { name: 'another host of the site and no origin', headers: { 'sec-fetch-site': 'same-site' } },
    {
      name: 'another site that says our page',
      headers: { 'sec-fetch-site': 'cross-site', referer: `${OWN}/` },
    },
    { name: 'a wrong key', headers: { origin: 'https://evil.example', 'x-appwrite-key': 'wrong' } },
  ])('are refused with $name', async ({ headers }) => {
    await using app = await makeApp()
    const answer = await app.call('POST', headers)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 403, type: 'general_unknown_origin' })
    expect(app.written).toEqual([])
    expect(app.log.filter(({ event }) => event === 'refused origin')).toHaveLength(1)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s counts as a write', async (method) => {
    await using app = await makeApp()
    expect((await app.call(method, { origin: 'https://evil.example' })).statusCode).toBe(403)
    expect(app.written).toEqual([])
    expect((await app.call(method, { origin: OWN })).statusCode).toBe(200)
  })

  test('reads, however, are allowed from everywhere', async () => {
    await using app = await makeApp()
    expect(
      (await app.call('GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }))
        .statusCode,
    ).toBe(200)
    expect((await app.call('HEAD', { origin: 'null' })).statusCode).toBe(200)
  })
})

describe('CORS', () => {
  test.each([OWN, FRIEND])('the headers name %s and allow credentials', async (origin) => {
    await using app = await makeApp()
    const { headers } = await app.call('GET', { origin })
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Fallback-Cookies',
      vary: 'Origin',
    })
  })

  const corsOf = (headers: Record<string, unknown>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'))

  test.each(STRANGERS)('%s gets no CORS headers for reads', async (origin) => {
    await using app = await makeApp()
    for (const preflight of [{}, { 'access-control-request-method': 'GET' }])
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await app.call(method, { origin, ...preflight })
        expect(corsOf(headers)).toEqual([])
        expect(headers.vary).toBe('Origin')
      }
  })

  test('a site that is not listed can read that its write is refused, and why', async () => {
    await using app = await makeApp()
    const origin = 'https://evil.example'
    const preflight = await app.call('OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-appwrite-project',
    })
    expect(preflight).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '0',
      },
    })
    const answer = await app.call('POST', { origin, 'sec-fetch-site': 'cross-site' })
    expect(answer.json()).toMatchObject({ code: 403, type: 'general_unknown_origin' })
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    })
    expect(answer.headers['x-viewer']).toBe(undefined)
    expect(app.written).toEqual([])
  })

  test('the response to a refused write reveals nothing about the user of the page', async () => {
    await using app = await makeApp()
    const origin = 'https://evil.example'
    const [guest, blocked] = await Promise.all([
      app.call('POST', { origin }),
      app.call('POST', { origin, cookie: 'blocked' }),
    ])
    expect(blocked.json()).toEqual(guest.json())
    const names = ({ headers }: typeof guest) => Object.keys(headers).sort()
    expect(names(blocked)).toEqual(names(guest))
    expect((await app.call('POST', { cookie: 'blocked' })).statusCode).toBe(401)
  })

  test.each([
    'null',
    'capacitor://localhost',
    'https://evil.example/',
    `https://${'a'.repeat(300)}`,
  ])('no response names the origin %s', async (origin) => {
    await using app = await makeApp()
    const answer = await app.call('POST', { origin })
    expect(answer.statusCode).toBe(403)
    expect(corsOf(answer.headers)).toEqual([])
    const preflight = { origin, 'access-control-request-method': 'POST' }
    expect(corsOf((await app.call('OPTIONS', preflight)).headers)).toEqual([])
  })

  test('a refused origin is logged once a minute, even after only a preflight', async () => {
    await using app = await makeApp()
    const refused = () => app.log.filter(({ event }) => event === 'refused origin')
    for (let time = 0; time < 5; time++) await app.call('POST', { origin: 'https://one.example' })
    await app.call('OPTIONS', {
      origin: 'https://two.example',
      'access-control-request-method': 'GET',
    })
    await app.call('POST', { referer: 'https://three.example/path?secret' })
    expect(refused().map(({ origin }) => origin)).toEqual([
      'https://one.example',
      'https://two.example',
      'https://three.example',
    ])
    await app.call('POST', { origin: `evil\u0085\u009b${'x'.repeat(5000)}` })
    expect(refused().at(-1)?.origin).toMatch(/^evilx{251}$/)
    for (let site = 0; site < 300; site++)
      await app.call('POST', { origin: `https://${site}.test` })
    expect(refused().length).toBeLessThanOrEqual(101)
    expect(refused().at(-1)?.origin).toBe('other origins')
  })

  test('the headers that a listed site requests are allowed if they are valid names', async () => {
    await using app = await makeApp()
    const allowedHeaders = async (origin: string, requestedHeaders: string) => {
      const answer = await app.call('OPTIONS', {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': requestedHeaders,
      })
      return String(answer.headers['access-control-allow-headers']).split(', ')
    }
    const usual = await allowedHeaders(FRIEND, '')
    const requestedHeaders =
      'X-Appwrite-Dev-Key,x-appwrite-impersonate-user-id, content-type ,x-appwrite-dev-key'
    expect(await allowedHeaders(FRIEND, requestedHeaders)).toEqual([
      ...usual,
      'x-appwrite-dev-key',
      'x-appwrite-impersonate-user-id',
    ])
    expect(await allowedHeaders(FRIEND, `a b,*x(,é,,"q",${'x'.repeat(65)},x:y`)).toEqual(usual)
    const many = Array.from({ length: 500 }, (_, at) => `x-${at}`).join()
    expect(await allowedHeaders(FRIEND, many)).toHaveLength(usual.length + 64)
  })

  test.each(['/v1/thing', '/v1/no/such/thing', '/v1/account'])(
    'a preflight of %s needs no project and names what may be sent',
    async (url) => {
      await using app = await makeApp()
      const answer = await app.call(
        'OPTIONS',
        { origin: OWN, 'x-appwrite-project': '', 'access-control-request-method': 'PATCH' },
        url,
      )
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['content-type']).toBe(undefined)
      expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, PUT, PATCH, DELETE')
      const allowed = String(answer.headers['access-control-allow-headers']).split(', ')
      expect(allowed).toEqual(
        expect.arrayContaining([
          'content-type',
          'content-range',
          'x-appwrite-id',
          'x-appwrite-project',
          'x-fallback-cookies',
        ]),
      )
      expect(allowed).toEqual(
        expect.arrayContaining([
          'x-appwrite-response-format',
          'x-sdk-language',
          'x-sdk-name',
          'x-sdk-platform',
          'x-sdk-version',
        ]),
      )
      expect(app.written).toEqual([])
    },
  )

  test('a refusal can be read by a listed site', async () => {
    await using app = await makeApp()
    const answer = await app.call('GET', { origin: FRIEND }, '/v1/no/such/thing')
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['access-control-allow-origin']).toBe(FRIEND)
  })
})

test('a blog with a public URL does not accept loopback origins', () => {
  for (const publicUrl of ['https://blog.example', 'http://192.168.1.7:3000'])
    expect(originsFor('localhost:8080', { publicUrl, allowedOrigins: [publicUrl] })).toEqual([
      publicUrl,
    ])
})

// Return URLs.

const ALLOWED = ['https://blog.example', 'http://localhost:3000']

describe('a return URL is accepted', () => {
  test.each([
    ['https://blog.example', 'https://blog.example/'],
    [
      'https://blog.example/verifyOAuth?next=%2Fpost#top',
      'https://blog.example/verifyOAuth?next=%2Fpost#top',
    ],
    ['HTTPS://BLOG.EXAMPLE:443/login', 'https://blog.example/login'],
    ['http://localhost:3000/login', 'http://localhost:3000/login'],
  ])('%s', (text, url) => expect(readReturnUrl('url', text, ALLOWED)).toBe(url))
})

describe('a return URL is refused', () => {
  test.each([
    '',
    '/login',
    '//blog.example/login',
    'javascript:alert(1)',
    'data:text/html,hi',
    'ftp://blog.example/',
    'https://evil.example/',
    'https://blog.example.evil.example/',
    'https://evil.example/https://blog.example/',
    'https://blog.example@evil.example/',
    'https://me:secret@blog.example/',
    'https://me@blog.example/',
    'https:\\\\evil.example\\@blog.example/',
    'https://blog.example\\@evil.example/',
    'https://evil.example\\.blog.example/',
    'https://blog.example/\nLocation: https://evil.example',
    'https://blog.example/\t',
    ' https://blog.example/',
    'https:blog.example/login',
    'https:/blog.example/login',
    'http://blog.example/',
    'https://blog.example:8443/',
    'http://localhost:3001/',
    'http://localhost/',
    `https://blog.example/${'a'.repeat(2048)}`,
    'null',
  ])('%j', (text) =>
    expect(() => readReturnUrl('success', text, ALLOWED)).toThrow(
      expect.objectContaining({
        type: 'general_argument_invalid',
        message: 'Invalid `success` param: URL host must be one of: blog.example, localhost',
      }),
    ),
  )
})
