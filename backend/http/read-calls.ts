// Read calls without HTTP: a page that is rendered on the server calls the functions of the routes
// directly, with its viewer.
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'

/** The fields of a request on which a read call depends. */
export type ReadRequest = Pick<FastifyRequest, 'viewer' | 'params' | 'query' | 'ip'>

/** `tags` are the cache tags of the answer; absent when it is not cached. */
export type ReadAnswer = { answer: object; tags?: readonly string[] }

export type ReadCall = (request: ReadRequest) => Promise<ReadAnswer>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call itself, without HTTP, scope and rate limits. */
    read?: ReadCall
    /** Whether a page of the answer shows content that others of the same audience do not see. */
    isPersonalOnPage?: (request: ReadRequest) => Promise<boolean>
  }
}

/** Adds a read route that pages can call directly. */
export function addReadRoute(
  api: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  read: (request: ReadRequest) => Promise<object>,
): void {
  const call: ReadCall = async (request) => ({ answer: await read(request) })
  const config = { ...options.config, read: call }
  api.get(path, { ...options, config }, async (request) => read(request))
}

type MatchedCall = { config: FastifyContextConfig; params: Record<string, string> }

export type FindRead = (pathname: string) => MatchedCall | undefined

/** Must be called before the routes are added. @returns the call at a path of this server */
export function collectReadRoutes(app: FastifyInstance): FindRead {
  const calls: { parts: string[]; config: FastifyContextConfig }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    if (method !== 'GET' || !config?.read) return
    calls.push({ parts: url.split('/'), config })
    // Like the router, prefers fixed segments to parameters.
    calls.sort((a, b) => countParams(a.parts) - countParams(b.parts))
  })
  return (pathname) => {
    const segments = pathname.split('/')
    const call = calls.find(
      ({ parts }) =>
        parts.length === segments.length &&
        parts.every((part, at) => part.startsWith(':') || part === segments[at]),
    )
    if (!call) return undefined
    const params = call.parts.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decoded(segments[at] ?? '')]] : [],
    )
    return { config: call.config, params: Object.fromEntries(params) }
  }
}

function countParams(parts: string[]): number {
  return parts.filter((part) => part.startsWith(':')).length
}

/** Malformed encoding stays as it is: no id matches it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
