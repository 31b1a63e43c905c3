// Describes the API as OpenAPI 3.1 at `/v1/openapi.json` (api.md §1.9): method, path and scope of
// each route as the router has them, the rest from the tables beside.
import { createHash } from 'node:crypto'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import { REFUSALS, type RefusalType } from '#contract/errors.ts'
import { API_VERSION, isCopyCurrent, JSON_TYPE } from '../http/responses.ts'
import type { Scope } from '../http/viewer.ts'
import { CALLS, type Call, ERRORS } from './calls.ts'
import { fields, MODELS, type Schema, typed } from './models.ts'

const CACHED_SECONDS = 60 * 60

/** To be registered before the routes that it describes. */
export function openApiRoutes(api: FastifyInstance): void {
  const routes: RouteOptions[] = []
  api.addHook('onRoute', (route) => void routes.push(route))
  let made: ReturnType<typeof makeDocument> | undefined
  api.get('/openapi.json', { config: { isProjectless: true } }, async (request, reply) => {
    made ??= makeDocument(routes)
    reply.headers({ 'cache-control': `public, max-age=${CACHED_SECONDS}`, etag: made.etag })
    if (isCopyCurrent(request, made.etag)) return reply.code(304).send()
    return reply.type(JSON_TYPE).send(made.text)
  })
}

const header = (name: string) => ({ type: 'apiKey', in: 'header', name: `X-Appwrite-${name}` })

function makeDocument(routes: RouteOptions[]) {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const { url, method, config } of routes) {
    const path = url.replace(/^\/v1/, '')
    if (method === 'HEAD' || path === '' || /[/*]$/.test(path)) continue
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] ??= {}
    paths[template][String(method).toLowerCase()] = describe(String(method), path, config)
  }
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Lamplight', version: API_VERSION, description: 'See docs/api.md' },
    servers: [{ url: '/v1' }],
    paths,
    components: {
      schemas: MODELS,
      securitySchemes: {
        project: header('Project'),
        session: header('Session'),
        key: header('Key'),
      },
    },
  })
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` }
}

function findCall(method: string, path: string): Call {
  for (const [start, calls] of Object.entries(CALLS))
    for (const [key, call] of Object.entries(calls)) {
      const [named, ...ends] = key.split(' ')
      if (named === method && ends.some((end) => start + end === path)) return call
    }
  const gives = method === 'DELETE' ? '204' : method === 'POST' ? '202 Free' : '200 Free'
  return ['', gives]
}

/** The credential that a scope needs. */
const proofOf = (scope: Scope) =>
  scope === 'public' ? {} : scope === 'account' ? { session: [] } : { key: [] }

function describe(method: string, path: string, config: FastifyContextConfig = {}): Schema {
  const { scope = 'public', isProjectless } = config
  const [summary, gives, takes] = findCall(method, path)
  const bodyType = /\/(files|logo)$/.test(path) ? 'multipart/form-data' : 'application/json'
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W/g, '_')}`,
    summary,
    security: isProjectless ? [] : [{ project: [], ...proofOf(scope) }],
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(takes && method === 'GET' ? queryOf(takes) : []),
    ],
    ...(takes &&
      method !== 'GET' && { requestBody: { content: { [bodyType]: { schema: takes } } } }),
    responses: responsesOf(`${method} ${path}`, gives, scope),
  }
}

function queryOf(takes: object): Schema[] {
  const { properties = {}, required = [] } = takes as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name: schema.type === 'array' ? `${name}[]` : name,
    in: 'query',
    schema,
    required: required.includes(name),
  }))
}

function responsesOf(call: string, gives: string, scope: Scope): Schema {
  const [status = '', ...rest] = gives.split(' ')
  const answer = rest.join(' ')
  const schema = MODELS[answer] ? typed(answer) : fields(answer)
  const content = answer.includes('/') ? { [answer]: {} } : { 'application/json': { schema } }
  const types = Object.entries(ERRORS).flatMap(([pattern, errors]) =>
    new RegExp(pattern).test(call) ? (errors.split(/\s+/) as RefusalType[]) : [],
  )
  if (scope !== 'public') types.push('general_unauthorized_scope')
  const refusals = [...new Set(types)].map((type) => `${REFUSALS[type][0]} ${type}, `)
  return {
    [status]: { description: 'Done', ...(answer === '' ? {} : { content }) },
    default: {
      description: `${refusals.join('')}and those of api.md §1.4`,
      content: { 'application/json': { schema: typed('Error') } },
    },
  }
}
