// The description of the API at /v1/openapi.json: it names every call and is valid OpenAPI 3.1, and
// what calls answer fits it.
import { readFileSync } from 'node:fs'
import { Errors } from 'typebox/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REFUSALS } from '#contract/errors.ts'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { drawPhoto } from '#test/support/images.ts'

type Operation = {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[]
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}

let blog: TestBlog
let ann: Person
let answer: Awaited<ReturnType<TestBlog['call']>>
let paths: Record<string, Record<string, Operation>>

beforeAll(async () => {
  blog = await makeTestBlog({ BLOG_READING: 'everyone' })
  ann = await blog.makePerson('ann')
  answer = await blog.call('GET', '/openapi.json')
  paths = answer.body.paths
})
afterAll(() => blog[Symbol.asyncDispose]())

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

test('it is served to everybody, small and cacheable', async () => {
  const response = await fetch(`${blog.url}/v1/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(response.headers.get('content-encoding')).not.toBe(null)
  expect((await response.text()).length).toBeLessThan(200_000)
  const etag = response.headers.get('etag') ?? ''
  const secondResponse = await fetch(`${blog.url}/v1/openapi.json`, {
    headers: { 'if-none-match': etag },
  })
  expect(secondResponse.status).toBe(304)
})

test('it is OpenAPI 3.1', () => {
  const { openapi, info, servers, components } = answer.body
  expect({ openapi, info, servers }).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Lamplight', version: '1.4.13' },
    servers: [{ url: '/v1' }],
  })
  for (const [, name] of JSON.stringify(answer.body).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(components.schemas)).toContain(name)
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, operation } of operations()) {
    const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path')
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(inPath.every(({ required }) => required === true)).toBe(true)
    expect(Object.keys(operation.responses).some((status) => /^[23]\d\d$/.test(status))).toBe(true)
    for (const name of operation.security.flatMap(Object.keys))
      expect(Object.keys(components.securitySchemes)).toContain(name)
  }
})

test('every call is described, and every error is named by some call', () => {
  expect(operations().length).toBeGreaterThan(120)
  const undescribed = operations().filter(({ operation }) => operation.summary === '')
  expect(undescribed.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const text = JSON.stringify(paths)
  const unnamed = Object.keys(REFUSALS).filter((type) => !text.includes(type))
  expect(unnamed.toSorted()).toEqual([
    'general_argument_invalid',
    'general_not_implemented',
    'general_rate_limit_exceeded',
    'general_route_not_found',
    'general_service_disabled',
    'general_unknown',
    'general_unknown_origin',
    'oembed_format_unsupported',
    'project_not_found',
    'user_email_already_verified',
    'user_email_not_verified',
    'user_jwt_invalid',
  ])
})

test('the schemas check no request and cut no answer', async () => {
  const messageOf = async (method: string, path: string, options: object = {}) =>
    (await blog.call(method, path, options)).body.message
  expect(await messageOf('POST', '/account')).toBe('Param "userId" is not optional.')
  const body = { userId: 1, email: [], password: {} }
  expect(await messageOf('POST', '/account', { body })).toBe(
    'Invalid `userId` param: Value must be a valid string',
  )
  const cookie = { cookie: ann.cookie }
  const deleted = '/databases/blogdb/collections/posts/deleted'
  expect(await messageOf('GET', `${deleted}?limit=many`, cookie)).toBe(
    'Invalid `limit` param: Value must be a valid whole number',
  )
  const limit = encodeURIComponent(JSON.stringify({ method: 'limit', values: [1] }))
  for (const name of ['queries', 'queries[]', 'queries[0]']) {
    const path = `/databases/blogdb/collections/posts/documents?${name}=${limit}&other=1`
    expect((await blog.call('GET', path)).body).toEqual({ total: 0, documents: [] })
  }
  const change = {
    ...cookie,
    body: { prefs: { theme: 'dark', deep: { list: [1, null] } }, more: 1 },
  }
  expect((await blog.call('PATCH', '/account/prefs', change)).body.prefs).toEqual(change.body.prefs)
  // Its schema names the two fields that guests get.
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  const user = await blog.call('GET', `/users/${ann.id}`, key)
  expect(user.body).toMatchObject({ $id: ann.id, email: ann.email, prefs: change.body.prefs })
})

test('a number beyond its range is refused', async () => {
  let count = 0
  for (const { path, operation } of operations())
    for (const { name, schema } of operation.parameters ?? []) {
      if (!/initials|preview/.test(path) || typeof schema.maximum !== 'number') continue
      const address = path.replace(/\{\w+\}/g, 'content')
      const beyond = await blog.call('GET', `${address}?${name}=${schema.maximum + 1}`)
      expect({ path, said: beyond.body.message }).toEqual({
        path,
        said: expect.stringContaining(`Invalid \`${name}\` param`),
      })
      const most = await blog.call('GET', `${address}?${name}=${schema.maximum}`)
      expect({ path, said: most.body.message ?? '' }).toEqual({
        path,
        said: expect.not.stringContaining(`\`${name}\``),
      })
      count++
    }
  expect(count).toBe(9)
})

const DOCUMENTS = '/databases/{databaseId}/collections/{collectionId}/documents'
const DELETED = '/databases/{databaseId}/collections/{collectionId}/deleted'
const COLLECTION = '/databases/{databaseId}/collections/{collectionId}'
const FILES = '/storage/buckets/{bucketId}/files'

test('what calls answer fits their schemas', async () => {
  const mine = { cookie: ann.cookie }
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  const of: Record<string, string> = {
    databaseId: 'blogdb',
    collectionId: 'posts',
    documentId: 'p1',
    bucketId: 'content',
    userId: ann.id,
    fileId: 'f1',
    sessionId: 'current',
  }
  /** Sends a call as it is described. @returns what it answered */
  async function send(call: string, options: object = {}, query = '') {
    const [method = '', path = ''] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    const address = path.replace(/\{(\w+)\}/g, (_, name) => of[name] ?? name)
    const { status, body } = await blog.call(method, address + query, options)
    const { [status]: done, default: refused } = operation?.responses ?? {}
    const said = done?.description ?? refused?.description
    const schema = (done ?? refused)?.content?.['application/json']?.schema
    const expected = status < 400 ? 'Done' : expect.stringContaining(`${status} ${body.type}`)
    expect({ call, said }).toEqual({ call, said: expected })
    if (schema) expect({ call, faults: faultsOf(schema, body) }).toEqual({ call, faults: [] })
    return body
  }
  await send('GET /account', mine)
  await send('GET /account/logs', mine)
  await send('GET /account/sessions', mine)
  await send('GET /account/sessions/{sessionId}', mine)
  await send('PATCH /account/prefs', { ...mine, body: { prefs: { about: 'Trains.' } } })
  await send('GET /account/prefs', mine)
  await send('POST /account/jwts', mine)
  await send('GET /account/identities', mine)
  const image = await drawPhoto('png', { width: 8, height: 8 })
  const form = new FormData()
  form.set('fileId', 'f1')
  form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'one.png')
  await send(`POST ${FILES}`, { ...mine, body: form })
  await send(`GET ${FILES}`, mine)
  const data = { title: 'Hello', content: '<p>Hi</p><p>#trains</p>', featuredImage: 'f1' }
  await send(`POST ${DOCUMENTS}`, { ...mine, body: { documentId: 'p1', data } })
  await send(`POST ${DOCUMENTS}`, { ...mine, body: { documentId: 'p2', data } })
  await send(`GET ${DOCUMENTS}`)
  const like = { data: { like: 1, likeId: [ann.id] } }
  await send(`PATCH ${DOCUMENTS}/{documentId}`, { ...mine, body: like })
  await send(`PATCH ${DOCUMENTS}/{documentId}`, { ...mine, body: { data: { title: 'Hallo' } } })
  const select = JSON.stringify({ method: 'select', values: ['*', 'words', 'ownImage', 'hidden'] })
  await send(`GET ${DOCUMENTS}/{documentId}`, {}, `?queries[]=${encodeURIComponent(select)}`)
  await send(`GET ${DOCUMENTS}/{documentId}/around`)
  const { versions } = await send(`GET ${DOCUMENTS}/{documentId}/versions`, mine)
  of.versionId = versions[1].$id
  await send(`GET ${DOCUMENTS}/{documentId}/versions/{versionId}`, mine)
  await send(`GET ${COLLECTION}/search`, {}, '?q=hallo')
  await send(`GET ${COLLECTION}/tags`)
  await send(`GET ${COLLECTION}/authors/{userId}`)
  await send(`GET ${COLLECTION}/reads`, mine)
  await send('GET /account/files', mine)
  await send(`DELETE ${DOCUMENTS}/{documentId}`, mine)
  const { deleted } = await send(`GET ${DELETED}`, mine)
  of.deletedId = deleted[0].$id
  await send(`POST ${DELETED}/{deletedId}/restore`, mine)
  await send('GET /users', key)
  await send('GET /users/{userId}')
  await send('POST /users/{userId}/tokens', key)
  await send('POST /invitations', { ...key, body: { email: 'bob@example.test' } })
  await send('GET /invitations', key)
  await send('GET /health', key)
  // As described, also when refused.
  await send(`GET ${DOCUMENTS}/{documentId}`, {}, '?queries[]=nothing')
  await send('GET /account')
}, 60_000)

/** Fields that no schema names count as faults, where a schema names any. */
function faultsOf(schema: object, body: unknown): string[] {
  const { schemas } = answer.body.components
  const root = { ...closed(schema), components: { schemas: closed(schemas) } }
  const [, errors] = Errors(root, body)
  return errors.map((error) => JSON.stringify(error))
}

function closed(schema: object): object {
  const inner = Object.entries(schema).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && !Array.isArray(value) ? closed(value) : value,
  ])
  const isObject = 'properties' in schema && !isNamed(schema)
  return { ...Object.fromEntries(inner), ...(isObject ? { additionalProperties: false } : {}) }
}

/** Names of places and languages have more fields, each of its own kind. */
function isNamed({ properties }: { properties?: unknown }): boolean {
  return Object.keys(properties ?? {}).join() === 'name,code'
}

test('api.md §1.9 lists the calls', () => {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split('### 1.9 ')
  const describedCalls = Object.entries(paths).map(([path, methods]) =>
    `${path} ${Object.keys(methods).toSorted().join(',').toUpperCase()}`.replace(COLLECTION, 'C'),
  )
  expect(section.split('```\n')[1]?.trimEnd().split('\n')).toEqual(describedCalls.toSorted())
})
