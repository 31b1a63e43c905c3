// Reads that pages ask for while they are rendered: answered by what their routes call, without a
// request and an answer of their own. Knows no route.
import type { FastifyRequest } from 'fastify'
import { readQueryString } from './request-params.ts'
import { answerInOldForm } from './responses.ts'
import { requireScope, type Scope, type Viewer } from './viewer.ts'

/** What a route for reading does, for whoever asks. */
export type DirectRead = (
  asked: Pick<FastifyRequest, 'viewer' | 'params' | 'query'>,
) => Promise<object>

declare module 'fastify' {
  interface FastifyInstance {
    directReads: ReturnType<typeof makeDirectReads>
  }
  interface FastifyContextConfig {
    /** Gives the answer of the route to a page, whose request has been counted. */
    direct?: DirectRead
  }
}

/** The routes with a {@link DirectRead}. */
export function makeDirectReads() {
  const known: { path: RegExp; direct: DirectRead; scope: Scope }[] = []
  return {
    /** @param route in the form of the router, like `/v1/account` or `/v1/users/:userId` */
    add(
      route: string,
      { direct, scope = 'public' }: { direct: DirectRead; scope?: Scope | undefined },
    ): void {
      const path = new RegExp(`^${route.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
      known.push({ path, direct, scope })
    },
    /**
     * Answers as the route would, in the form of level 1.4, or throws as it does.
     *
     * @param address path and query
     * @returns undefined where there is no such route
     */
    find(address: string): ((viewer: Viewer) => Promise<object>) | undefined {
      const [path = '', query = ''] = address.split('?', 2)
      // What needs decoding is left to the router.
      if (path.includes('%')) return undefined
      for (const { path: pattern, direct, scope } of known) {
        const match = pattern.exec(path)
        if (!match) continue
        return async (viewer) => {
          requireScope(viewer, scope)
          const params = { ...match.groups }
          return answerInOldForm(await direct({ viewer, params, query: readQueryString(query) }))
        }
      }
      return undefined
    },
  }
}
