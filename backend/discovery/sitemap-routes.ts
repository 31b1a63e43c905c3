// The HTTP side of robots.txt and the sitemap (api.md §16.4): the same for everybody.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { networkOf } from '../http/rate-limits.ts'
import type { Posts } from '../posts/posts.ts'
import type { DiscoveryNeeds } from './needs.ts'
import { sendPublic, toPublicResponse } from './public-response.ts'
import { makeSitemap } from './sitemap.ts'

type ListingNeeds = Pick<DiscoveryNeeds, 'publicUrl' | 'reading' | 'cache' | 'rateLimits'> & {
  posts: Pick<Posts, 'listed'>
}

const XML_TYPE = 'application/xml; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** Each file has one address. */
const FILE_NUMBER = String.raw`^[1-9]\d{0,8}`

export function addListing(app: FastifyInstance, needs: ListingNeeds): void {
  const isOpen = needs.reading === 'everyone'
  const robots = robotsText(isOpen ? `${needs.publicUrl}/sitemap.xml` : undefined)
  app.get('/robots.txt', async (request, reply) =>
    sendPublic(needs, urlOf(request), request, reply, async () =>
      toPublicResponse('/robots.txt', TEXT_TYPE, robots),
    ),
  )
  if (isOpen) addSitemap(app, needs)
}

function addSitemap(app: FastifyInstance, needs: ListingNeeds): void {
  const sitemap = makeSitemap({ publicUrl: needs.publicUrl, posts: needs.posts.listed })
  app.get('/sitemap.xml', async (request, reply) =>
    sendFile(needs, request, reply, () => sitemap.index()),
  )
  type File = { Params: { kind: string; number: string } }
  app.get<File>(`/sitemap-:kind-:number(${FILE_NUMBER}).xml`, async (request, reply) => {
    const { kind, number } = request.params
    return await sendFile(needs, request, reply, () => sitemap.file(kind, Number(number)))
  })
}

/** @param write undefined when there is no such file */
async function sendFile(
  needs: ListingNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<string | undefined>,
): Promise<FastifyReply> {
  const key = networkOf(request.ip)
  needs.rateLimits.take([{ name: 'sitemap', rule: RATE.sitemapPerAddress, key }])
  return await sendPublic(needs, urlOf(request), request, reply, async () => {
    const text = await write()
    if (!text) throw new Refusal('general_route_not_found')
    return toPublicResponse(pathOf(request), XML_TYPE, text)
  })
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}

/** No key of a request: none is answered past its route, which counts it. */
function urlOf(request: FastifyRequest): string {
  return `file ${pathOf(request)}`
}

/** What search engines are asked to leave alone. */
const PRIVATE_PAGES = [
  ...['/add-post', '/edit-post', '/dashboard', '/settings', '/dispatch'],
  ...['/verification', '/verifyOAuth', '/verifyUserEmailLink'],
]

/** @param sitemap its whole address; undefined where nothing is listed */
function robotsText(sitemap: string | undefined): string {
  const who = sitemap
    ? '# Everybody may read this blog.'
    : '# Posts are open to everyone; the rest of the site is for people who signed in.'
  const open = 'User-agent: *\nAllow: /v1/storage/\nAllow: /v1/avatars/\nDisallow: /v1/\n'
  const closed = PRIVATE_PAGES.map((path) => `Disallow: ${path}\n`).join('')
  return `${who}\n${open}${closed}${sitemap ? `\nSitemap: ${sitemap}\n` : ''}`
}
