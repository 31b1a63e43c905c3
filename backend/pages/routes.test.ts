// Pages beside the API, with a renderer that records its requests: who gets a page, its headers,
// and rate limits.

import { afterEach, describe, expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { VIEWER_SLOT } from '#contract/pages.ts'
import { sendPath, sendRaw } from '#test/support/raw-request.ts'
import { plainSite } from '#test/support/site.ts'
import { makeResponseCache } from '../cache/response-cache.ts'
import { DatabaseUnavailable } from '../database/database-errors.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import { makeServer, type Server, type ServerOptions } from '../http/server.ts'
import { makeLog } from '../process/log.ts'
import type { Pages, PagesContext } from './context.ts'
import { addPages } from './routes.ts'

const ORIGIN = 'http://localhost:3000'
const PROJECT = { 'x-appwrite-project': 'blog' }
/** A cookie that is no session. */
const GUEST_COOKIE = 'theme=dark'
/** A session that cannot be looked up at the moment. */
const AWAY_COOKIE = 'a_session_blog=away'
const [PER_ADDRESS] = RATE.anythingPerAddress

let opened: Server | undefined
afterEach(async () => {
  await opened?.app.close()
  opened = undefined
})

const resolveViewer: ServerOptions['resolveViewer'] = async ({ headers }) => {
  if (headers.cookie === AWAY_COOKIE) throw new DatabaseUnavailable(new Error('away'))
  return headers.cookie && headers.cookie !== GUEST_COOKIE
    ? {
        role: 'user',
        userId: 'alice',
        email: 'alice@example.test',
        name: 'Alice',
        isVerified: false,
        accountRole: 'author',
        sessionId: 's',
      }
    : { role: 'guest' }
}

const WORDS: Pick<Pages, 'words' | 'describeBody'> = {
  words: { language: 'nl', direction: 'ltr', addPost: 'nieuw', postLine: () => '' },
  describeBody: () => ({ minutes: 1 }),
}

const SITE = {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
  fixedSite: [],
  site: plainSite({ about: 'All about lamps.', reading: 'members' }),
  projectId: 'blog',
  databaseId: 'd',
  collectionId: 'c',
  contentBucketId: 'b',
  avatarBucketId: 'a',
  mail: 'off' as const,
  hasGoogle: false,
}

/** Each page makes one call to `calledPath` while it is rendered, and responds with its status. */
async function openBlog({ calledPath = '/nothing' } = {}) {
  const rendered: string[] = []
  const refusals: number[] = []
  const nonces: (string | undefined)[] = []
  const cookies: (string | null)[] = []
  const pages: Pages = {
    headScript: 'document.title',
    textsVersion: undefined,
    ...WORDS,
    assetsFor: () => ({ entry: '', css: [], preload: [], fonts: [] }),
    addFiles: async () => {},
    async render({ request, nonce, refusal }) {
      if (refusal) refusals.push(refusal)
      rendered.push(new URL(request.url).pathname)
      nonces.push(nonce)
      cookies.push(request.headers.get('cookie'))
      const answer = await globalThis.__dispatch?.(`${ORIGIN}/v1${calledPath}`, {
        headers: PROJECT,
      })
      return {
        status: answer?.status ?? 500,
        headers: { 'content-type': 'text/html' },
        body: `<!doctype html>${VIEWER_SLOT}`,
      }
    },
  }
  // No window of the counts ends while a test fills it.
  const nowMs = Date.now()
  const rateLimits = makeRateLimits({ isOn: true, nowMs: () => nowMs })
  const server = await makeServer(
    {
      log: makeLog('silent'),
      projectId: 'blog',
      publicUrl: ORIGIN,
      isHttps: false,
      allowedOrigins: [ORIGIN],
      trustedProxies: [],
      rateLimits,
      resolveViewer,
    },
    [
      (api) => {
        const read = async () => ({ answer: {}, tags: [] })
        api.get('/nothing', { config: { read } }, read)
        api.get('/things/:id', async () => ({}))
        const counts = () => [{ name: 'counted', rule: [1, 60] as const, key: 'all' }]
        api.get('/counted', { config: { read, counts } }, read)
      },
    ],
  )
  opened = server
  const cache = makeResponseCache(async (tags) => new Map(tags.map((tag) => [tag, 1])))
  await addPages(server.app, {
    ...SITE,
    publicUrl: ORIGIN,
    cache,
    resolveViewer,
    rateLimits,
    pages,
    reads: { record: () => {} },
    mailer: { delivery: 'off' },
    findMovedTo: async () => undefined,
  } as unknown as PagesContext)
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const takeAll = () => {
    for (let call = 0; call < PER_ADDRESS; call++)
      rateLimits.take([{ name: 'anything', rule: RATE.anythingPerAddress, key: '127.0.0.1' }])
  }
  /** How many requests the address has left, after counting this check. */
  const countLeft = () =>
    rateLimits.take([{ name: 'anything', rule: RATE.anythingPerAddress, key: '127.0.0.1' }])
      ?.remaining
  return { url, rendered, refusals, countLeft, nonces, cookies, rateLimits, takeAll }
}

test('the web app manifest speaks the language of the pages', async () => {
  const { url } = await openBlog()
  const manifest = await (await fetch(`${url}/manifest.webmanifest`)).json()
  expect(manifest).toMatchObject({
    name: 'Lamps',
    lang: 'nl',
    dir: 'ltr',
    description: 'All about lamps.',
    shortcuts: [{ name: 'nieuw' }],
  })
})

test('while sessions cannot be read, a page with a session cookie is a 503, not a guest’s page', async () => {
  const { url, cookies } = await openBlog()
  const { status, headers } = await fetch(`${url}/`, { headers: { cookie: AWAY_COOKIE } })
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('5')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('set-cookie')).toBeNull()
  expect(cookies).toEqual([AWAY_COOKIE])
  expect((await fetch(`${url}/`)).status).toBe(200)
})

test('a post is rendered once for guests, and once for members, however its address is written', async () => {
  const { url, rendered } = await openBlog()
  for (const path of ['', '?a', '?b', '/', '/?c=%zz']) await fetch(`${url}/post/one${path}`)
  for (const path of ['/POST/one', '/post/%6fne', '/post/o%6Ee?x']) await fetch(url + path)
  expect(rendered).toEqual(['/post/one'])
  for (let times = 0; times < 2; times++)
    await fetch(`${url}/post/one`, { headers: { cookie: 'session' } })
  await fetch(`${url}/post/two`)
  expect(rendered).toEqual(['/post/one', '/post/one', '/post/two'])
})

describe('headers', () => {
  test('a page for everyone may be cached, others may not', async () => {
    const { url } = await openBlog()
    const cacheControl = async (path: string, headers = {}) =>
      (await fetch(url + path, { headers })).headers.get('cache-control')
    expect(await cacheControl('/')).toBe('public, no-cache')
    expect(await cacheControl('/', { cookie: 'a_session_blog=1' })).toBe('private, no-store')
    expect(await cacheControl('/verify?secret=1')).toBe('private, no-store')
    expect(await cacheControl('/verifyOAuth?access_token=1')).toBe('private, no-store')
  })

  test('a missing page is neither cached nor indexed', async () => {
    const { url } = await openBlog({ calledPath: '/nowhere' })
    const { status, headers } = await fetch(`${url}/post/none`)
    expect(status).toBe(404)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test('only a signed-in person’s cookie reaches the renderer', async () => {
    const { url, cookies } = await openBlog()
    await fetch(url, { headers: { cookie: GUEST_COOKIE } })
    await fetch(url, { headers: { cookie: 'a_session_blog=1' } })
    expect(cookies).toEqual([null, 'a_session_blog=1'])
  })

  test.each([
    ['opened from a page of another site', 'cross-site', 'navigate', 'document', true],
    ['opened in a frame of another site', 'cross-site', 'navigate', 'iframe', false],
    ['fetched by a page of another site', 'cross-site', 'no-cors', 'script', false],
    ['fetched by a neighbouring site', 'same-site', 'cors', 'empty', false],
    ['fetched by a page of this site', 'same-origin', 'cors', 'empty', true],
  ])(
    'a page %s (%s, %s, %s) is rendered with the session: %s',
    async (_, site, mode, dest, isPersonal) => {
      const { url, cookies } = await openBlog()
      const answer = await sendPath(url, '/', {
        cookie: 'a_session_blog=1',
        'sec-fetch-site': site,
        'sec-fetch-mode': mode,
        'sec-fetch-dest': dest,
      })
      expect(cookies).toEqual([isPersonal ? 'a_session_blog=1' : null])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    },
  )

  test('only the page after a sign-in with Google may call Google', async () => {
    const { url } = await openBlog()
    const connect = async (path: string) =>
      /connect-src [^;]*/.exec(
        (await fetch(url + path)).headers.get('content-security-policy') ?? '',
      )?.[0]
    expect(await connect('/')).toBe("connect-src 'self'")
    expect(await connect('/verifyOAuth')).toBe("connect-src 'self' https://www.googleapis.com")
  })
})

describe('addresses', () => {
  test.each(['/%', '/post/%E0%A4%A?a=b'])(
    'the malformed URL %s gets a page that says so',
    async (path) => {
      const { url, refusals, countLeft } = await openBlog()
      const { headers } = await sendPath(url, path)
      expect([refusals, headers['cache-control']]).toEqual([[400], 'private, no-store'])
      expect(countLeft()).toBe(PER_ADDRESS - 2)
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'a page refuses %s, names its methods, and does not read the body',
    async (method) => {
      const { url, refusals, countLeft } = await openBlog()
      const body = method === 'DELETE' ? undefined : 'a=b'
      const { headers } = await fetch(`${url}/post`, { method, ...(body ? { body } : {}) })
      expect([refusals, headers.get('allow')]).toEqual([[405], 'GET, HEAD'])
      expect(countLeft()).toBe(PER_ADDRESS - 2)
    },
  )

  test('a malformed address in the API stays an error of the API', async () => {
    const { url } = await openBlog()
    const answer = await sendPath(url, '/v1/things/%')
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'general_route_not_found' })
  })

  test.each([
    '/v1',
    '/v1/',
    '/v1?a=b',
    '/v1/nope',
    '/v1/nothing/',
    '/v1/a/b/c',
    `/v1/things/${'a'.repeat(301)}`,
  ])('%s is no page but an unknown route of the API, for GET and HEAD', async (path) => {
    const { url, rendered } = await openBlog()
    const get = await fetch(url + path, { headers: { origin: ORIGIN } })
    expect(get.status).toBe(404)
    expect(await get.json()).toMatchObject({ code: 404, type: 'general_route_not_found' })
    expect(get.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(get.headers.get('cache-control')).toContain('no-store')
    const head = await fetch(url + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=UTF-8',
    ])
    expect(rendered).toEqual([])
  })

  test('an unknown route of the API counts towards the limit of its address', async () => {
    const { url, takeAll } = await openBlog()
    takeAll()
    expect((await fetch(`${url}/v1/nope`)).status).toBe(429)
  })

  test.each(['http://evil.example/post/x', '*', 'http://evil.example:99999/', 'evil'])(
    'the target %s is never a fault of the server',
    async (target) => {
      const { url, rendered } = await openBlog()
      const { status, body } = await sendPath(url, target)
      expect([400, 404]).toContain(status)
      expect(JSON.parse(body)).toMatchObject({ code: status })
      expect(rendered).toEqual([])
    },
  )

  test('an address with a foreign host inside is only a path', async () => {
    const { url, rendered } = await openBlog()
    await sendRaw(url, 'GET //evil.example/post HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(rendered).toEqual(['//evil.example/post'])
  })
})

describe('counts', () => {
  test('a page counts once, together with the calls it makes', async () => {
    const { url, rateLimits } = await openBlog()
    expect((await fetch(`${url}/`)).status).toBe(200)
    const status = rateLimits.take([
      { name: 'anything', rule: RATE.anythingPerAddress, key: '127.0.0.1' },
    ])
    expect(status?.remaining).toBe(PER_ADDRESS - 2)
  })

  test('a page beyond the rate limit is not rendered and says when to try again', async () => {
    const { url, rendered, takeAll } = await openBlog()
    takeAll()
    const { status, headers } = await fetch(`${url}/`)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      String(PER_ADDRESS),
      '0',
    ])
    expect(rendered).toEqual([])
  })

  test('a page whose call hit a rate limit says when to try again', async () => {
    const { url } = await openBlog({ calledPath: '/counted' })
    const first = await fetch(`${url}/`)
    expect([
      first.status,
      first.headers.get('retry-after'),
      first.headers.get('x-ratelimit-limit'),
    ]).toEqual([200, null, null])
    const second = await fetch(`${url}/other`)
    expect([
      second.status,
      second.headers.get('x-ratelimit-limit'),
      second.headers.get('x-ratelimit-remaining'),
    ]).toEqual([429, '1', '0'])
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })
})

describe('scripts', () => {
  const sourceOf = ({ headers }: Response) =>
    /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]

  test('each response with a page for everyone, even a 304, has its own nonce beside the hash, and the page contains none', async () => {
    const { url, nonces } = await openBlog()
    const first = await fetch(`${url}/`)
    const second = await fetch(`${url}/`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect([first.status, second.status]).toEqual([200, 304])
    expect([first, second].map(({ headers }) => headers.get('vary'))).toEqual([
      'Cookie, accept-encoding',
      'Cookie, accept-encoding',
    ])
    for (const answer of [first, second])
      expect(sourceOf(answer)).toMatch(/^'self' 'nonce-[\w+/]{22}==' 'sha256-[\w+/]{43}='$/)
    expect(sourceOf(first)).not.toBe(sourceOf(second))
    expect(nonces.every((nonce) => nonce === undefined)).toBe(true)
  })

  test('a personal page allows only scripts with its nonce', async () => {
    const { url, nonces } = await openBlog()
    const answer = await fetch(`${url}/settings`, { headers: { cookie: 'alice' } })
    expect(sourceOf(answer)).toBe(`'self' 'nonce-${nonces[0]}'`)
  })
})
