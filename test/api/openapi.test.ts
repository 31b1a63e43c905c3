// The description of the API at /v1/openapi.json: it names every call, is valid OpenAPI 3.1, and
// matches the answers of calls.
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

test('the description is served to everybody, and is small and cacheable', async () => {
  const response = await fetch(`${blog.url}/v1/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(response.headers.get('content-encoding')).not.toBe(null)
  expect((await response.text()).length).toBeLessThan(200_000)
  const etag = response.headers.get('etag') ?? ''
  const notModified = await fetch(`${blog.url}/v1/openapi.json`, {
    headers: { 'if-none-match': etag },
  })
  expect(notModified.status).toBe(304)
})

test('the description is OpenAPI 3.1', () => {
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
    const pathParameters = (operation.parameters ?? []).filter(
      (parameter) => parameter.in === 'path',
    )
    expect(pathParameters.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(pathParameters.every(({ required }) => required === true)).toBe(true)
    expect(Object.keys(operation.responses).some((status) => /^[23]\d\d$/.test(status))).toBe(true)
    for (const name of operation.security.flatMap(Object.keys))
      expect(Object.keys(components.securitySchemes)).toContain(name)
  }
})

test('every call is described, and every error type but the general ones is named by some call', () => {
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

test('the schemas neither validate requests nor remove fields from answers', async () => {
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
  // The schema names only the two fields that guests get.
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  const user = await blog.call('GET', `/users/${ann.id}`, key)
  expect(user.body).toMatchObject({ $id: ann.id, email: ann.email, prefs: change.body.prefs })
})

test('a number outside its described range is refused', async () => {
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
      const atMaximum = await blog.call('GET', `${address}?${name}=${schema.maximum}`)
      expect({ path, said: atMaximum.body.message ?? '' }).toEqual({
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

test('the answers of calls match their schemas', async () => {
  const asAnn = { cookie: ann.cookie }
  const asKey = { headers: { 'x-appwrite-key': blog.apiKey } }
  const valuesByParameter: Record<string, string> = {
    databaseId: 'blogdb',
    collectionId: 'posts',
    documentId: 'p1',
    bucketId: 'content',
    userId: ann.id,
    fileId: 'f1',
    sessionId: 'current',
  }
  /** Makes a call, and compares the answer with its description. @returns the body of the answer */
  async function send(call: string, options: object = {}, query = '') {
    const [method = '', path = ''] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    const address = path.replace(/\{(\w+)\}/g, (_, name) => valuesByParameter[name] ?? name)
    const { status, body } = await blog.call(method, address + query, options)
    const { [status]: success, default: refused } = operation?.responses ?? {}
    const description = success?.description ?? refused?.description
    const schema = (success ?? refused)?.content?.['application/json']?.schema
    const expected = status < 400 ? 'Done' : expect.stringContaining(`${status} ${body.type}`)
    expect({ call, said: description }).toEqual({ call, said: expected })
    if (schema) expect({ call, faults: faultsOf(schema, body) }).toEqual({ call, faults: [] })
    return body
  }
  await send('GET /account', asAnn)
  await send('GET /account/logs', asAnn)
  await send('GET /account/sessions', asAnn)
  await send('GET /account/sessions/{sessionId}', asAnn)
  await send('PATCH /account/prefs', { ...asAnn, body: { prefs: { about: 'Trains.' } } })
  await send('GET /account/prefs', asAnn)
  await send('POST /account/jwts', asAnn)
  await send('GET /account/identities', asAnn)
  const image = await drawPhoto('png', { width: 8, height: 8 })
  const form = new FormData()
  form.set('fileId', 'f1')
  form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'one.png')
  await send(`POST ${FILES}`, { ...asAnn, body: form })
  await send(`GET ${FILES}`, asAnn)
  const data = { title: 'Hello', content: '<p>Hi</p><p>#trains</p>', featuredImage: 'f1' }
  await send(`POST ${DOCUMENTS}`, { ...asAnn, body: { documentId: 'p1', data } })
  await send(`POST ${DOCUMENTS}`, { ...asAnn, body: { documentId: 'p2', data } })
  await send(`GET ${DOCUMENTS}`)
  const like = { data: { like: 1, likeId: [ann.id] } }
  await send(`PATCH ${DOCUMENTS}/{documentId}`, { ...asAnn, body: like })
  await send(`PATCH ${DOCUMENTS}/{documentId}`, { ...asAnn, body: { data: { title: 'Hallo' } } })
  const select = JSON.stringify({ method: 'select', values: ['*', 'words', 'ownImage', 'hidden'] })
  await send(`GET ${DOCUMENTS}/{documentId}`, {}, `?queries[]=${encodeURIComponent(select)}`)
  await send(`GET ${DOCUMENTS}/{documentId}/around`)
  const { versions } = await send(`GET ${DOCUMENTS}/{documentId}/versions`, asAnn)
  valuesByParameter.versionId = versions[1].$id
  await send(`GET ${DOCUMENTS}/{documentId}/versions/{versionId}`, asAnn)
  await send(`GET ${COLLECTION}/search`, {}, '?q=hallo')
  await send(`GET ${COLLECTION}/tags`)
  await send(`GET ${COLLECTION}/authors/{userId}`)
  await send(`GET ${COLLECTION}/reads`, asAnn)
  await send('GET /account/files', asAnn)
  await send(`DELETE ${DOCUMENTS}/{documentId}`, asAnn)
  const { deleted } = await send(`GET ${DELETED}`, asAnn)
  valuesByParameter.deletedId = deleted[0].$id
  await send(`POST ${DELETED}/{deletedId}/restore`, asAnn)
  await send('GET /users', asKey)
  await send('GET /users/{userId}')
  await send('POST /users/{userId}/tokens', asKey)
  await send('POST /invitations', { ...asKey, body: { email: 'bob@example.test' } })
  await send('GET /invitations', asKey)
  await send('GET /health', asKey)
  // Refusals match their descriptions, too.
  await send(`GET ${DOCUMENTS}/{documentId}`, {}, '?queries[]=nothing')
  await send('GET /account')
}, 60_000)

/** If a schema names fields, further fields count as errors. */
function faultsOf(schema: object, body: unknown): string[] {
  const { schemas } = answer.body.components
  const root = {
    ...withoutFurtherFields(schema),
    components: { schemas: withoutFurtherFields(schemas) },
  }
  const [, errors] = Errors(root, body)
  return errors.map((error) => JSON.stringify(error))
}

function withoutFurtherFields(schema: object): object {
  const inner = Object.entries(schema).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? withoutFurtherFields(value)
      : value,
  ])
  const isObject = 'properties' in schema && !hasNameAndCode(schema)
  return { ...Object.fromEntries(inner), ...(isObject ? { additionalProperties: false } : {}) }
}

/** Lists of places and languages have further fields, depending on their kind. */
function hasNameAndCode({ properties }: { properties?: unknown }): boolean {
  return Object.keys(properties ?? {}).join() === 'name,code'
}

test('api.md §1.9 lists the calls', () => {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split('### 1.9 ')
  const describedCalls = Object.entries(paths).map(([path, methods]) =>
    `${path} ${Object.keys(methods).toSorted().join(',').toUpperCase()}`.replace(COLLECTION, 'C'),
  )
  expect(section.split('```\n')[1]?.trimEnd().split('\n')).toEqual(describedCalls.toSorted())
})
