// Hostile texts in every field of every route: no request takes so much processor time that other
// requests wait for it (threat-model.md §1).
// @module-tag more
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JSON_BODY_MAX_BYTES } from '#backend/http/server.ts'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { ask, type Request, type Route, recordRoutes } from '#test/support/route-costs.ts'

/**
 * Milliseconds of processor time: ten times the measured maximum of 15, for slower hosts.
 */
const CPU_MAX_MS = 150
/** The 9,000 empty parts of one socket read are parsed in one go: 60 to 150 ms when measured. */
const EMPTY_PARTS_CPU_MAX_MS = 600
/** A request over the limit is repeated: garbage collection for another one may have slowed it. */
const TRIES = 5
/** Repeated parts that a careless parser scans again and again. */
const TEXTS: Readonly<Record<string, string>> = {
  spaces: ' ',
  marks: '\u0301\u0323',
  'angle brackets': '<',
  brackets: '[',
  quotes: '"',
  digits: '1',
  emoji: '😀',
}
/** Each field gets one in three of the texts; the next fields and roles get the others. */
const ONE_IN = 3
const IN_HEADERS = { ...TEXTS, slashes: '/', commas: ',', pairs: 'a=;', escapes: '%41' }
const HEADERS = [
  'cookie',
  'x-fallback-cookies',
  'x-appwrite-session',
  'x-appwrite-jwt',
  'x-appwrite-key',
  'x-appwrite-response-format',
  'x-appwrite-timestamp',
  'x-appwrite-id',
  'authorization',
  'if-none-match',
  'if-modified-since',
  'range',
  'content-range',
  'content-type',
  'accept',
  'accept-encoding',
  'accept-language',
  'origin',
  'referer',
  'user-agent',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-user-agent',
  'access-control-request-headers',
]
/** A call that takes seconds on other threads and reads nothing from its body. */
const CHECKS_PATH = '/v1/operator/checks'
const TIMEOUT_MS = 300_000
const HEADER_BYTES = 14_000
/** The longest path parameter that still matches a route. */
const PARAM_BYTES = 290

const watching = recordRoutes()
let blog: TestBlog
let person: Person
let postId: string
let fileId: string
/** Valid values of parameters and fields; a name that is missing here gets the text `x`. */
let validValues: Readonly<Record<string, unknown>>

beforeAll(async () => {
  blog = await makeTestBlog(
    { BLOG_READING: 'everyone', BLOG_TRUSTED_PROXIES: '127.0.0.1', BLOG_EXTRA_ATTRIBUTES: 'on' },
    { pages: await readBuiltPages() },
  )
  person = await blog.makePerson('alice')
  fileId = await makeDocuments(blog).upload(person)
  postId = await makeDocuments(blog).post(person)
  const data = { title: 'A title', content: '<p>x</p>', featuredImage: fileId, mood: 'calm' }
  const email = 'nobody@example.test'
  validValues = {
    email,
    password: 'a brighter lamp',
    oldPassword: 'x',
    name: 'Nobody',
    userId: 'unique()',
    url: `${blog.url}/x`,
    secret: 'ab'.repeat(128),
    prefs: { about: 'x', own: ['x'] },
    documentId: 'unique()',
    data,
    permissions: ['read("any")'],
    tags: ['x'],
    documents: [{ $id: 'unique()', $permissions: ['read("any")'], ...data }],
    queries: ['search("title", ["x"])'],
    labels: ['x'],
    content: '<pre>x</pre>',
    value: 1,
    autosave: false,
    incomplete: false,
    duration: 900,
    orders: ['ASC'],
    lengths: [1],
    status: true,
    hidden: false,
    emailVerification: true,
    size: 10,
    required: false,
    key: 'x',
    type: 'key',
    attributes: ['title'],
    elements: ['x'],
    q: 'xx',
    text: 'x',
    project: 'blog',
    limit: 1,
    min: 0,
    max: 1,
    expire: 900,
    length: 6,
    default: 'x',
  }
}, 120_000)
afterAll(async () => {
  watching[Symbol.dispose]()
  await blog[Symbol.asyncDispose]()
})

const ROLES = ['guest', 'member', 'key'] as const
type Role = (typeof ROLES)[number]

function headersOf(role: Role): Record<string, string> {
  return {
    'x-appwrite-project': 'blog',
    ...(role === 'member' ? { cookie: person.cookie } : {}),
    ...(role === 'key' ? { 'x-appwrite-key': blog.apiKey } : {}),
  }
}

function jsonOf(role: Role): Record<string, string> {
  return { ...headersOf(role), 'content-type': 'application/json' }
}

/** Replaces what earlier requests have ended or deleted: the session, the account, the post. */
async function restoreFixtures(): Promise<void> {
  const { status } = await blog.call('GET', '/account', { cookie: person.cookie })
  if (status !== 200) person = await blog.makePerson(`alice${count++}`)
  const post = await blog.call('GET', `${DOCUMENTS}/${postId}`, { cookie: person.cookie })
  if (status !== 200 || post.status !== 200) postId = await makeDocuments(blog).post(person)
}
let count = 0

const expensive: string[] = []

async function probe(label: string, request: Request, maxMs = CPU_MAX_MS): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY
  let status = 0
  for (let attempt = 0; attempt < TRIES && leastMs > maxMs; attempt++) {
    const answer = await ask(blog.url, request)
    leastMs = Math.min(leastMs, answer.cpuMs)
    status = answer.status
  }
  if (leastMs > maxMs || status === 500)
    expensive.push(
      `${request.method} ${request.url.slice(0, 90)} ${label}: ${status}, ${leastMs} ms`,
    )
  return status
}

function oneInThree<Item>(items: Item[], turn: number): Item[] {
  return items.filter((_item, at) => (at + turn) % ONE_IN === 0)
}

/** Repeats the part between `a` and `b`, which prevent trimming. */
function filled(part: string, maxBytes: number): string {
  return `a${part.repeat(maxBytes / Buffer.byteLength(JSON.stringify(part).slice(1, -1)))}b`
}

/** Copies of the value; in each of them `text` replaces a different string. */
function* withOneReplaced(value: unknown, text: string): Generator<[name: string, value: unknown]> {
  if (typeof value === 'string') yield ['', text]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    for (const [inner, other] of withOneReplaced(member, text)) {
      const copy: unknown = structuredClone(value)
      Reflect.set(copy as object, name, other)
      yield [`${name} ${inner}`, copy]
    }
}

function pathOf({ url }: Route): string {
  return url
    .replace(':databaseId', 'blogdb')
    .replace(':collectionId', 'posts')
    .replace(':documentId', postId)
    .replace(':bucketId', 'content')
    .replace(':fileId', fileId)
    .replace(/:(?:userId|id)\b/, person.id)
    .replace(/:projectId\b/, 'blog')
    .replace(/:provider\b/, 'google')
    .replace(/:kind\b/, 'string')
    .replace(/:\w+|\*/g, 'x')
}

function takesBody({ method }: Route): boolean {
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
}

/** All routes, each one once, with deletions last. */
function routes(): Route[] {
  const all = watching.routes.filter(({ method }) => method !== 'OPTIONS')
  return [
    ...new Map(all.map((route) => [`${route.method} ${route.url}`, route])).values(),
  ].toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
}

/** The fields that a call of this role reads, with valid values. */
async function readsOf(route: Route, role: Role): Promise<Record<string, unknown>> {
  const names = new Set<string>()
  const valuesOf = () =>
    Object.fromEntries([...names].map((name) => [name, structuredClone(validValues[name] ?? 'x')]))
  // A call reads further fields once the earlier ones are valid.
  for (let hasMore = true; hasMore; ) {
    const body = takesBody(route) ? JSON.stringify(valuesOf()) : undefined
    const query = takesBody(route) ? '' : `?${new URLSearchParams(textsOf(valuesOf()))}`
    const headers = { ...(body ? jsonOf(role) : headersOf(role)), ...watching.recordHeaders }
    const request = { method: route.method, url: pathOf(route) + query, headers, body }
    const readNames = await watching.recordReads(() => ask(blog.url, request as Request))
    hasMore = readNames.some((name) => !names.has(name) && !(name in Object.prototype))
    for (const name of readNames) if (!(name in Object.prototype)) names.add(name)
  }
  names.delete('toJSON')
  return valuesOf()
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

test.each(ROLES)(
  'no text in a body sent by a %s blocks other requests',
  {
    timeout: TIMEOUT_MS,
  },
  async (role) => {
    for (const route of routes().filter(takesBody)) {
      if (route.url === CHECKS_PATH) continue
      await restoreFixtures()
      const values = await readsOf(route, role)
      const isLong = (route.bodyLimit ?? 0) > JSON_BODY_MAX_BYTES && role !== 'guest'
      const maxBytes = isLong ? 100_000 : 60_000
      const request = { method: route.method, url: pathOf(route), headers: jsonOf(role) }
      for (const [round, [kind, part]] of Object.entries(TEXTS).entries()) {
        const bodies = [...withOneReplaced(values, filled(part, maxBytes))]
        for (const [name, body] of oneInThree(bodies, round))
          await probe(`${name}${kind}`, { ...request, body: JSON.stringify(body) })
      }
    }
    expect(expensive.splice(0)).toEqual([])
  },
)

test('no structure of a body blocks other requests', { timeout: TIMEOUT_MS }, async () => {
  const bodies: Record<string, (maxBytes: number) => string> = {
    zeros: (max) => `["\\u0041"${',0'.repeat(max / 2 - 10)}]`,
    keys: (max) =>
      `{"\\u0041":0${Array.from({ length: max / 12 }, (_, at) => `,"k${at}":0`).join('')}}`,
    'one key': (max) => `{${'"a":0,'.repeat(max / 6 - 1)}"a":0}`,
    depth: (max) => '{"a":'.repeat(max / 6),
    lists: (max) => `{"data":{"likeId":[${'[],'.repeat(max / 3 - 10)}0]},"queries":[${'""'}]}`,
    escapes: (max) => `{"email":"${'\\u0020'.repeat(max / 6 - 10)}a"}`,
    digits: (max) => `{"value":1${'0'.repeat(max - 20)}}`,
    prototypes: (max) =>
      `{"data":[${'{"__proto__":0},'.repeat(900)}${'0,'.repeat(max / 2 - 7000)}0]}`,
  }
  for (const [round, role] of ROLES.entries())
    for (const [at, route] of routes().filter(takesBody).entries()) {
      await restoreFixtures()
      const request = { method: route.method, url: pathOf(route), headers: jsonOf(role) }
      for (const [kind, make] of oneInThree(Object.entries(bodies), at + round)) {
        const body = make(route.bodyLimit ?? JSON_BODY_MAX_BYTES)
        await probe(`${role} ${kind}`, { ...request, body })
      }
    }
  const url = '/v1/account/sessions/oauth2/callback/google/blog'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const part of ['&', '=', 'a=&', '%', '%41', '+', '[', 'a[]=&'])
    for (const maxBytes of [16_000, JSON_BODY_MAX_BYTES])
      await probe(`form ${part}`, { method: 'POST', url, headers, body: filled(part, maxBytes) })
  expect(expensive.splice(0)).toEqual([])
})

/** The longest text of repeated parts, URL-encoded, that a query may have. */
function inQuery(part: string): string {
  return encodeURIComponent(filled(part, HEADER_BYTES)).slice(0, HEADER_BYTES).replace(/%\w?$/, '')
}

test('no text in an address blocks other requests', { timeout: TIMEOUT_MS }, async () => {
  const queries = (text: string) => [
    text,
    `%7B%22method%22:%22equal%22,%22attribute%22:%22${text}%22,%22values%22:[%22${text}%22]%7D`,
    `search(%22title%22,[%22${text}%22])`,
    `%7B%22method%22:%22and%22,%22values%22:[${text}]%7D`,
  ]
  for (const [round, role] of ROLES.entries())
    for (const [at, route] of routes()
      .filter((route) => !takesBody(route))
      .entries()) {
      const names = Object.keys(await readsOf(route, role))
      const request = { method: route.method, headers: headersOf(role) }
      for (const [kind, part] of oneInThree(Object.entries(IN_HEADERS), at + round)) {
        const text = inQuery(part)
        for (const name of names)
          for (const value of name === 'queries' ? queries(text.slice(0, 7000)) : [text])
            await probe(`${role} ${kind}`, { ...request, url: `${pathOf(route)}?${name}=${value}` })
        if (role !== 'guest') continue
        for (const [param] of route.url.matchAll(/:\w+|\*/g))
          for (const value of [text, inQuery(part).slice(0, PARAM_BYTES).replace(/%\w?$/, '')]) {
            const url = pathOf({ ...route, url: route.url.replace(param, value) })
            await probe(`${role} ${param} ${kind}`, { ...request, url })
          }
      }
    }
  expect(expensive.splice(0)).toEqual([])
})

test('no text in the address of a page blocks other requests', {
  timeout: TIMEOUT_MS,
}, async () => {
  const pages = ['/', '/post/', `/post/${postId}/`, '/tag/', '/author/', '/x', '/post?after=']
  const others = ['/search?q=', '/edit-post/', '/login?back=', '/sitemap-posts-', '/oembed?url=']
  const parts = { ...IN_HEADERS, both: '/y', dots: '../', pairs: 'a=&', lists: 'a[]=&' }
  for (const role of ROLES)
    for (const page of [...pages, ...others])
      for (const [kind, part] of Object.entries(parts))
        for (const text of [inQuery(part), part.repeat(HEADER_BYTES / part.length)]) {
          if (/[^\x21-\x7e]/.test(text)) continue
          const url = page + text + (page.includes('?') ? '' : 'y')
          await probe(`${role} ${kind}`, { method: 'GET', url, headers: headersOf(role) })
        }
  expect(expensive.splice(0)).toEqual([])
})

test('no text in a header blocks other requests', { timeout: TIMEOUT_MS }, async () => {
  const calls: Request[] = [
    { method: 'GET', url: '/v1/account' },
    { method: 'GET', url: `/v1${DOCUMENTS}` },
    { method: 'PATCH', url: `/v1${DOCUMENTS}/${postId}`, body: '{}' },
    { method: 'POST', url: '/v1/account/sessions/email', body: '{}' },
    { method: 'POST', url: '/v1/storage/buckets/content/files', body: '' },
    { method: 'GET', url: `/v1/storage/buckets/content/files/${fileId}/view?project=blog` },
    { method: 'OPTIONS', url: `/v1${DOCUMENTS}` },
    { method: 'GET', url: `/post/${postId}` },
    { method: 'GET', url: '/feed.xml' },
    { method: 'GET', url: '/nowhere' },
  ]
  const beginnings: Record<string, string> = {
    cookie: 'a_session_blog=',
    'x-fallback-cookies': '{"a_session_blog":"',
    range: 'bytes=',
    'content-type': 'multipart/form-data; boundary=',
  }
  for (const call of calls)
    for (const name of HEADERS)
      for (const [kind, part] of Object.entries(IN_HEADERS))
        for (const start of new Set(['', beginnings[name] ?? ''])) {
          // Headers are sent in Latin-1: one character for each byte.
          const text = start + Buffer.from(filled(part, HEADER_BYTES)).toString('latin1')
          const headers = { ...jsonOf('guest'), origin: blog.url, [name]: text }
          await probe(`${name}: ${start}${kind}`, { ...call, headers })
        }
  expect(expensive.splice(0)).toEqual([])
})

test('no text in a form blocks other requests', { timeout: TIMEOUT_MS }, async () => {
  const url = '/v1/storage/buckets/content/files'
  const headers = { ...headersOf('member'), 'content-type': 'multipart/form-data; boundary=b' }
  const part = (head: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  for (const [kind, character] of Object.entries(IN_HEADERS)) {
    const text = filled(character, 100_000)
    const fields = [
      part('name="fileId"', text),
      part('name="permissions[]"', text).repeat(20),
      part(`name="${text}"`, 'x'),
      part(`name="file"; filename="${text}"`, 'x'),
      part('name="file"; filename="x"', text),
      part(`name="file"; filename="x"\r\ncontent-type: ${text}`, 'x'),
      `${text}\r\n--b--${text}`,
    ]
    for (const [at, field] of fields.entries()) {
      const body = `${part('name="fileId"', 'unique()')}${field}--b--\r\n`
      await probe(`form ${at} ${kind}`, { method: 'POST', url, headers, body })
    }
  }
  const repeatPart = (piece: string) => `${piece.repeat(2_000_000 / piece.length)}--b--\r\n`
  const request = { method: 'POST', url, headers }
  const fields = repeatPart(part('name="permissions[]"', ''))
  await probe('form of empty fields', { ...request, body: fields })
  const parts = repeatPart('--b\r\n\r\n')
  await probe('form of empty parts', { ...request, body: parts }, EMPTY_PARTS_CPU_MAX_MS)
  expect(expensive.splice(0)).toEqual([])
})
