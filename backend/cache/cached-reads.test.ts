// Cached responses before the router: who gets one, and who does not.
import { afterEach, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { closeServer, openServer } from '#test/support/bare-server.ts'
import { sendRaw } from '#test/support/raw-request.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import type { Viewer } from '../http/viewer.ts'
import { addFastPath } from './cached-reads.ts'
import { keyOf, makeResponseCache } from './response-cache.ts'

afterEach(closeServer)

const HEAD = 'HTTP/1.1\r\nhost: x\r\nx-appwrite-project: blog\r\n'
/** Behind another one, so that its connection ends. */
const LAST = 'POST /v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const VERSION = { version: 1, likes: 1 }
const USER: Viewer = {
  role: 'user',
  userId: 'alice',
  email: '',
  name: '',
  sessionId: 's',
  isVerified: false,
  accountRole: 'author',
}

describe('a cached response', () => {
  let version = VERSION
  const answerEarly = (
    { server }: Awaited<ReturnType<typeof openServer>>,
    { rateLimits = makeRateLimits({ isOn: true }), hasOwn = false } = {},
  ) => {
    version = VERSION
    const cache = makeResponseCache(async () => version)
    const made = { route: '/', isCompressible: false, headers: {}, bodyHeaders: {} }
    const url = '/v1/nothing'
    const store = (audience: 'guest' | 'unverified', tag: string) =>
      cache.store(keyOf(audience, url, {}), VERSION, { ...made, body: Buffer.from('kept'), tag })
    store('guest', '"kept"')
    store('unverified', '"of users"').ownPosts = 'all'
    addFastPath(server.app.server, {
      cache,
      projectId: 'blog',
      isHttps: true,
      trustedProxies: [],
      rateLimits,
      hasCredentials: ({ cookie }) => cookie !== undefined,
      resolveViewer: async ({ headers: { cookie } }) =>
        cookie === 'nobody' ? { role: 'guest' } : USER,
      hasOwnPosts: async () => hasOwn,
      recordResponse: undefined,
      isStopping: server.isStopping,
    })
  }

  test.each([
    ['is given to a plain read', `GET /v1/nothing ${HEAD}\r\n`, true],
    ['is given without its bytes', `HEAD /v1/nothing ${HEAD}\r\n`, true],
    ['is for no write', `POST /v1/nothing ${HEAD}content-length: 0\r\n\r\n`, false],
    [
      'of guests is for nobody with a session',
      `GET /v1/nothing ${HEAD}cookie: nobody\r\n\r\n`,
      false,
    ],
    [
      'is for no other site',
      `GET /v1/nothing ${HEAD}origin: https://friend.example\r\n\r\n`,
      false,
    ],
    ['is for no request with a body', `GET /v1/nothing ${HEAD}content-length: 0\r\n\r\n`, false],
    [
      'is for none in pieces',
      `GET /v1/nothing ${HEAD}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      false,
    ],
    [
      'is for no last request of a connection',
      `GET /v1/nothing ${HEAD}connection: close\r\n\r\n`,
      false,
    ],
    ['is for none without a host', 'GET /v1/nothing HTTP/1.1\r\nconnection: close\r\n\r\n', false],
    ['is for no older HTTP', 'GET /v1/nothing HTTP/1.0\r\nhost: x\r\n\r\n', false],
  ])('%s', async (_what, bytes, isGiven) => {
    const opened = await openServer({ publicUrl: 'https://blog.example' })
    answerEarly(opened)
    const { headers, body } = await sendRaw(opened.url, bytes + LAST)
    const [own = ''] = body.split('HTTP/1.1 ')
    expect([headers.etag, own]).toEqual(
      isGiven ? ['"kept"', bytes.startsWith('HEAD') ? '' : 'kept'] : [undefined, expect.anything()],
    )
    if (isGiven) expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  })

  test('is for nobody while the server stops', async () => {
    const opened = await openServer()
    answerEarly(opened)
    const ask = async () => {
      const { status, headers } = await opened.call('/v1/nothing')
      return [status, headers.get('etag'), headers.get('connection')]
    }
    expect(await ask()).toEqual([200, '"kept"', 'keep-alive'])
    opened.server.startStopping()
    expect(await ask()).toEqual([204, null, 'close'])
  })

  test('is for nobody without a request left', async () => {
    const limits = makeRateLimits({ isOn: true })
    const take = () => {
      throw new Refusal('general_rate_limit_exceeded')
    }
    const rateLimits = { ...limits, take }
    const opened = await openServer({ rateLimits })
    answerEarly(opened, { rateLimits })
    expect((await opened.call('/v1/nothing')).status).toBe(429)
  })

  test('is not valid once the public version is another one', async () => {
    const opened = await openServer()
    answerEarly(opened)
    const ask = async () => (await opened.call('/v1/nothing')).headers.get('etag')
    expect(await ask()).toBe('"kept"')
    version = { ...VERSION, likes: 2 }
    expect(await ask()).toBe(null)
    version = { ...VERSION, version: 2 }
    expect(await ask()).toBe(null)
  })

  test('of users is for a user, unless they have posts of their own that belong in it', async () => {
    const asked = { headers: { cookie: 'alice' } }
    for (const hasOwn of [false, true]) {
      const opened = await openServer()
      answerEarly(opened, { hasOwn })
      const tag = (await opened.call('/v1/nothing', asked)).headers.get('etag')
      expect([hasOwn, tag]).toEqual([hasOwn, hasOwn ? null : '"of users"'])
      await closeServer()
    }
  })
})
