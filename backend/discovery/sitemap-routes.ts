// The HTTP side of robots.txt and the sitemap (api.md §16.4): the same for everybody.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import type { Reading } from '#contract/site-settings.ts'
import { tagPath } from '#contract/tags.ts'
import { readPublicVersion } from '../database/public-lists.ts'
import type { Database } from '../database/schema.ts'
import { networkOf } from '../http/addresses.ts'
import { isCopyCurrent } from '../http/conditional.ts'
import { asKept, chooseEncoding } from '../http/encodings.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { type KeptFeeds, makeKeptFeeds } from './kept-feeds.ts'
import { robotsText } from './robots.ts'
import { makeSitemap } from './sitemap.ts'

export type ListingNeeds = {
  site: {
    publicUrl: string
    /** Where only members read, nothing is listed. */
    reading: Reading
  }
  db: Database
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
  const { site } = needs
  const posts = needs.posts.listed
  const authors = {
    kind: 'authors',
    pathOf: (id: string) => `/author/${id}`,
    read: posts.listAuthors,
  }
  const tags = { kind: 'tags', pathOf: tagPath, read: posts.listTags }
  const nowMs = () => performance.now()
  const sitemap = makeSitemap({ publicUrl: site.publicUrl, posts, named: [authors, tags], nowMs })
  const sending: Sending = { ...needs, kept: makeKeptFeeds(), form: formOf(needs) }
  scope.get('/sitemap.xml', async (request, reply) =>
    sendFile(sending, request, reply, () => sitemap.index()),
  )
  for (const kind of ['pages', 'posts', authors.kind, tags.kind])
    scope.get(`/sitemap-${kind}-:file`, async (request, reply) => {
      const [, , number = ''] = FILE.exec(pathOf(request)) ?? []
      if (number === '') throw new Refusal('general_route_not_found')
      return await sendFile(sending, request, reply, () => sitemap.file(kind, Number(number)))
    })
}

/** Asked about before each use: what was hidden since is in no copy that is used. */
function sendKept(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = tagOf(text)
  reply.headers({ 'cache-control': 'public, no-cache', etag: tag })
  return isCopyCurrent(request, tag) ? reply.code(304).send() : reply.send(text)
}

type Sending = ListingNeeds & { kept: KeptFeeds; form: string }

/**
 * The same of a file of the sitemap, compared by one row before anything else is read (decision
 * 0041), and made once for each version of what guests see.
 *
 * @param write undefined when there is no such file
 */
async function sendFile(
  { db, rateLimits, kept, form }: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<AsyncIterable<string> | undefined>,
): Promise<FastifyReply> {
  const key = networkOf(request.ip)
  rateLimits.take([{ name: 'sitemap', rule: RATE.sitemapPerAddress, key }])
  const path = pathOf(request)
  const etag = tagOf(path + form + (await readPublicVersion(db)).version)
  const isCurrent = isCopyCurrent(request, etag)
  const zipped = isCurrent
    ? undefined
    : await kept.readOrMake(path, etag, async () => {
        const text = await write()
        if (!text) throw new Refusal('general_route_not_found')
        return asKept(await pipeline(text, createGzip(), buffer))
      })
  reply.headers({ 'cache-control': 'public, no-cache', etag, vary: 'accept-encoding' })
  if (!zipped) return reply.code(304).send()
  reply.type(XML_TYPE)
  return chooseEncoding(request.headers['accept-encoding']) === 'identity'
    ? reply.send(Readable.from([zipped]).pipe(createGunzip()))
    : reply.header('content-encoding', 'gzip').send(zipped)
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}

function tagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`
}

/** Whatever changes how a file is written changes it. */
function formOf({ site }: ListingNeeds): string {
  const sources = ['sitemap.ts', '../../contract/post-address.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  )
  return JSON.stringify([site.publicUrl, sources])
}
