// The HTTP side of robots.txt and the sitemap (api.md §16.4): the same for everybody.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import type { Reading } from '#contract/site-settings.ts'
import { tagPath } from '#contract/tags.ts'
import { networkOf } from '../http/addresses.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { robotsText } from './robots.ts'
import { makeSitemap, type Sitemap } from './sitemap.ts'

export type ListingNeeds = {
  site: {
    publicUrl: string
    /** Where only members read, nothing is listed. */
    reading: Reading
  }
  posts: Pick<Posts, 'listed'>
  rateLimits: RateLimits
  now: () => Date
}

const XML_TYPE = 'application/xml; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** A file's name says nothing else, so that nobody can make up further addresses. */
const FILE = /^\/sitemap-([a-z]+)-([1-9]\d{0,8})\.xml$/

export function addListing(app: FastifyInstance, needs: ListingNeeds): void {
  const { rateLimits } = needs
  const { publicUrl, reading } = needs.site
  const isOpen = reading === 'everyone'
  const robots = robotsText(isOpen ? `${publicUrl}/sitemap.xml` : undefined)
  const routes: FastifyPluginAsync = async (scope) => {
    await scope.register(fastifyCompress, { encodings: ['gzip'], threshold: 1024 })
    scope.addHook('onRequest', async (request) => countRequest(request, rateLimits))
    scope.get('/robots.txt', async (request, reply) =>
      sendKept(request, reply.type(TEXT_TYPE), robots),
    )
    if (isOpen) addSitemap(scope, needs)
  }
  void app.register(routes)
}

function addSitemap(scope: FastifyInstance, needs: ListingNeeds): void {
  const { now, site } = needs
  const posts = needs.posts.listed
  const authors = {
    kind: 'authors',
    pathOf: (id: string) => `/author/${id}`,
    read: posts.listAuthors,
  }
  const tags = { kind: 'tags', pathOf: tagPath, read: posts.listTags }
  const nowMs = () => now().getTime()
  const sitemap = makeSitemap({ publicUrl: site.publicUrl, posts, named: [authors, tags], nowMs })
  scope.get('/sitemap.xml', async (request, reply) => {
    countFile(request, needs)
    return sendKept(request, reply.type(XML_TYPE), await sitemap.index())
  })
  for (const kind of ['pages', 'posts', authors.kind, tags.kind])
    scope.get(`/sitemap-${kind}-:file`, async (request, reply) => {
      countFile(request, needs)
      return await sendFile(request, reply, sitemap)
    })
}

function countFile({ ip }: FastifyRequest, { rateLimits }: ListingNeeds): void {
  rateLimits.take([{ name: 'sitemap', rule: RATE.sitemapPerAddress, key: networkOf(ip) }])
}

/** Asked about before each use: what was hidden since is in no copy that is used. */
function sendKept(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  reply.headers({ 'cache-control': 'public, no-cache', etag: tag })
  return isCopyCurrent(request, tag) ? reply.code(304).send() : reply.send(text)
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  sitemap: Sitemap,
): Promise<FastifyReply> {
  const [, kind = '', number = ''] = FILE.exec(request.url.split('?')[0] ?? '') ?? []
  const text = number === '' ? undefined : await sitemap.file(kind, Number(number))
  if (!text) throw new Refusal('general_route_not_found')
  reply.type(XML_TYPE).header('cache-control', 'public, no-cache')
  return reply.send(Readable.from(text))
}
