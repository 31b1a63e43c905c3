// The description of the API as OpenAPI 3.1 at `/v1/openapi.json` (api.md §1.9), which
// @fastify/swagger generates from what the routes declare with `call`. These schemas check nothing
// and remove nothing: handlers read parameters with `readParams`, and answers are sent as they are.
// The package saves us more than thirty lines: where a schema belongs, and in which form, differs
// between versions of OpenAPI and between path, query, body and answer.
import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import Type, { type TObject, type TProperties, type TSchema, type TString } from 'typebox'
import { REFUSALS, type RefusalType } from '#contract/errors.ts'
import { API_VERSION, isCopyCurrent, JSON_TYPE } from './responses.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Refusals of the call, besides those of `describe` and api.md §1.4. */
    refusals?: readonly RefusalType[]
  }
}

// --- what a route declares

/** The parameters of a call, its responses by status, and its refusals. */
type CallParts = {
  querystring?: TSchema
  body?: TSchema | ReturnType<typeof multipartBody>
  refusals?: readonly RefusalType[]
  [status: number]: TSchema | ReturnType<typeof binaryBody>
}

/**
 * The options of a route with its description.
 *
 * @param options scope and rate limits (`config`), and others of Fastify
 */
export function call<const Options extends object>(
  options: Options,
  summary: string,
  { querystring, body, refusals = [], ...response }: CallParts,
) {
  const schema: FastifySchema = {
    summary,
    refusals,
    response,
    ...(querystring && { querystring }),
    ...(body && { body }),
  }
  return { ...options, schema }
}

/** An answer without a body. */
export const NO_BODY = Type.Null()
/** An object whose fields are not described. */
export const OBJECT = Type.Unsafe<object>({ type: 'object' })
export const QUERIES_PARAMETER = Type.Object({ queries: Type.Optional(Type.Array(Type.String())) })
export const BOOLEAN_TEXT = Type.Union([Type.Literal('true'), Type.Literal('false')])
/** The query of lists that can be searched. */
export const SEARCH_QUERY = Type.Object({
  queries: Type.Optional(Type.Array(Type.String())),
  search: Type.Optional(Type.String({ maxLength: 256 })),
  total: Type.Optional(BOOLEAN_TEXT),
})

/** Text fields; `names` are separated by spaces. */
export function texts(names: string): Record<string, TString> {
  return Object.fromEntries(names.split(' ').map((name) => [name, Type.String()]))
}

export function listOf(name: string, item: TSchema) {
  return Type.Object({ total: Type.Integer(), [name]: Type.Array(item) } as TProperties)
}

/** An answer of another content type than JSON. */
export function binaryBody(contentType: string) {
  return { content: { [contentType]: { schema: {} } } }
}

/** A body with a file. */
export function multipartBody(schema: TSchema) {
  return { content: { 'multipart/form-data': { schema } } }
}

// --- the document

const CACHED_SECONDS = 60 * 60

/** The refusal for a path parameter that names no existing row. */
const NOT_FOUND: Readonly<Record<string, RefusalType>> = {
  databaseId: 'database_not_found',
  collectionId: 'collection_not_found',
  documentId: 'document_not_found',
  deletedId: 'document_not_found',
  bucketId: 'storage_bucket_not_found',
  fileId: 'storage_file_not_found',
  userId: 'user_not_found',
  sessionId: 'user_session_not_found',
  identityId: 'user_identity_not_found',
  linkId: 'user_invalid_token',
  id: 'invitation_not_found',
  backupId: 'backup_not_found',
  importId: 'import_not_found',
  exportId: 'export_not_found',
  mailId: 'kept_mail_not_found',
  caseId: 'report_case_not_found',
}

const ERROR = Type.Object(
  { ...texts('message type version'), code: Type.Integer() },
  { $id: 'Error' },
)
const header = (name: string) =>
  ({ type: 'apiKey', in: 'header', name: `X-Appwrite-${name}` }) as const

/** Must be called before the routes that it describes. Loads the package at the first request. */
export function openApiRoutes(api: FastifyInstance): void {
  const routes: RouteOptions[] = []
  api.addHook('onRoute', (route) => void routes.push(route))
  let document: Promise<{ text: string; etag: string }> | undefined
  const options = call({ config: { isProjectless: true } }, 'This description', { 200: OBJECT })
  api.get('/openapi.json', options, async (request, reply) => {
    document ??= writeDocument(routes)
    const { text, etag } = await document
    reply.headers({ 'cache-control': `public, max-age=${CACHED_SECONDS}`, etag })
    if (isCopyCurrent(request, etag)) return reply.code(304).send()
    return reply.type(JSON_TYPE).send(text)
  })
}

/** Declares the routes again, on a server that does not listen. */
async function writeDocument(routes: RouteOptions[]): Promise<{ text: string; etag: string }> {
  const { default: fastifySwagger } = await import('@fastify/swagger')
  const models: Record<string, object> = {}
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Lamplight', version: API_VERSION, description: 'See docs/api.md' },
      servers: [{ url: '/v1' }],
      components: {
        securitySchemes: {
          project: header('Project'),
          session: header('Session'),
          key: header('Key'),
        },
      },
    },
    transform: ({ schema = {}, url, route }) => ({
      url,
      schema: describe(schema, url.slice('/v1'.length), route, models),
    }),
    transformObject: (document) =>
      'openapiObject' in document
        ? addModels(document.openapiObject, models)
        : document.swaggerObject,
  })
  for (const { url, method, schema = {}, config = {} } of routes)
    app.route({ url, method, schema, config, handler: async () => undefined })
  await app.ready()
  const text = JSON.stringify(app.swagger())
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` }
}

/** The package cannot read a model with a field `$id`, so models are added as components here. */
function addModels<Document extends { components?: object }>(
  document: Document,
  models: object,
): Document {
  return { ...document, components: { ...document.components, schemas: models } }
}

/** Replaces models in a schema by references, and collects them by name. */
function extractModels(schema: object, models: Record<string, object>): object {
  const text = JSON.stringify(schema, (_key, value) => {
    if (typeof value?.$id !== 'string') return value
    const { $id, ...model } = value
    models[$id] ??= extractModels(model, models)
    return { $ref: `#/components/schemas/${$id}` }
  })
  return JSON.parse(text)
}

/** @param path below `/v1`, with parameters such as `:userId` */
function describe(
  { refusals = [], response = {}, querystring, ...schema }: FastifySchema,
  path: string,
  { method, config = {} }: RouteOptions,
  models: Record<string, object>,
): FastifySchema {
  // Catch-all routes are not calls of the API.
  if (path === '' || /[/*]$/.test(path)) return { hide: true }
  const { scope = 'public', isProjectless } = config
  const queryParams = querystring as TObject | undefined
  const proof = scope === 'public' ? {} : scope === 'account' ? { session: [] } : { key: [] }
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => NOT_FOUND[name] ?? [])
  const scopeRefusals = scope === 'public' ? [] : ['general_unauthorized_scope' as const]
  const queryRefusals =
    'queries' in (queryParams?.properties ?? {}) ? ['general_query_invalid' as const] : []
  const types = new Set([...params.flat(), ...refusals, ...queryRefusals, ...scopeRefusals])
  const refusalTexts = [...types].map((type) => `${REFUSALS[type][0]} ${type}, `)
  const answers = Object.entries(response as Record<string, object>).map(([status, answer]) => [
    status,
    answerOf('Done', answer, models),
  ])
  const refusalText = `${refusalTexts.join('')}and those of api.md §1.4`
  return {
    ...schema,
    ...(queryParams && { querystring: bracketed(queryParams) }),
    operationId: `${String(method).toLowerCase()}${path.replace(/\W/g, '_')}`,
    security: isProjectless ? [] : [{ project: [], ...proof }],
    response: { ...Object.fromEntries(answers), default: answerOf(refusalText, ERROR, models) },
  }
}

function answerOf(description: string, answer: object, models: Record<string, object>) {
  if (answer === NO_BODY || 'content' in answer) return { description, ...answer }
  return { description, content: { 'application/json': { schema: extractModels(answer, models) } } }
}

/** Adds the brackets that lists have in a query string (api.md §1.2). */
function bracketed(query: TObject): object {
  const rename = (name: string) => ('items' in (query.properties[name] ?? {}) ? `${name}[]` : name)
  return {
    ...query,
    properties: Object.fromEntries(
      Object.entries(query.properties).map(([name, schema]) => [rename(name), schema]),
    ),
    required: query.required?.map(rename),
  }
}
