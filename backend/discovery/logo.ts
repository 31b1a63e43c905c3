// The logo of the blog for browsers, mails and share cards: a picture that the server has drawn.
// Its URL changes with it, so copies may be cached for a year.

import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { LOGO } from '#contract/site-settings.ts'
import { queueCallerOf } from '../http/connections.ts'
import { countRequest } from '../http/rate-limits.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { findLogo } from '../site/site.ts'
import type { DiscoveryContext } from './context.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

export function addLogo(app: FastifyInstance, context: DiscoveryContext): void {
  app.get<{ Params: { version: string; side: string } }>(
    '/logo/:version/:side.png',
    async (request, reply) => {
      countRequest(request, context.rateLimits)
      const { version, side } = request.params
      const { logo } = await context.site.read()
      if (
        logo === '' ||
        version !== logo ||
        !LOGO.sides.some((allowed) => String(allowed) === side)
      )
        throw new Refusal('general_route_not_found')
      const picture = await readLogo(context, Number(side), queueCallerOf(request, reply))
      return reply
        .headers({
          'content-type': 'image/png',
          'content-security-policy': "default-src 'none'; sandbox",
          // Mails, and cards on other sites, show the logo.
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
        })
        .send(picture)
    },
  )
}

/** @returns undefined while the blog has no logo of its own */
export async function readLogo(context: DiscoveryContext, side: number, caller: QueueCaller) {
  const { logo } = await context.site.read()
  if (logo === '') return undefined
  return await context.previews.drawGenerated('logo', [logo, side], caller, async () => ({
    bytes: await findLogo(context.db, logo),
    options: { side },
  }))
}
