// Calls for reading, without HTTP: a page that is rendered here calls what the route calls, with
// its viewer at hand.
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'

/** What the answer of such a call depends on. */
export type ReadRequest = Pick<FastifyRequest, 'viewer' | 'params' | 'query' | 'ip'>

/** `tags` are the cache tags of what the answer shows; absent where it is not for a cache. */
export type ReadAnswer = { answer: object; tags?: readonly string[] }

export type ReadCall = (request: ReadRequest) => Promise<ReadAnswer>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the call does besides HTTP, its scope and its rate limits. */
    read?: ReadCall
    /** Whether a page of the answer shows what others of the same audience do not see. */
    isPersonalOnPage?: (request: ReadRequest) => Promise<boolean>
  }
}

/** Adds a route for reading that pages call, too. */
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

type FoundCall = { config: FastifyContextConfig; params: Record<string, string> }

export type FindRead = (pathname: string) => FoundCall | undefined

/** Must be called before the routes are added. @returns the call at a path of this server */
export function collectReadRoutes(app: FastifyInstance): FindRead {
  const calls: { parts: string[]; config: FastifyContextConfig }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    if (method !== 'GET' || !config?.read) return
    calls.push({ parts: url.split('/'), config })
    // As the router does, a fixed word goes before a parameter.
    calls.sort((a, b) => countParams(a.parts) - countParams(b.parts))
  })
  return (pathname) => {
    const asked = pathname.split('/')
    const found = calls.find(
      ({ parts }) =>
        parts.length === asked.length &&
        parts.every((part, at) => part.startsWith(':') || part === asked[at]),
    )
    if (!found) return undefined
    const named = found.parts.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decoded(asked[at] ?? '')]] : [],
    )
    return { config: found.config, params: Object.fromEntries(named) }
  }
}

function countParams(parts: string[]): number {
  return parts.filter((part) => part.startsWith(':')).length
}

/** What cannot be decoded is no id of anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
