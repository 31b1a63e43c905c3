// robots.txt and the sitemap (api.md §16.4), the same for everybody. The sitemap is an index of
// files, each with at most 50,000 URLs. No response reads all posts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { tagPath } from '#contract/plain-text.ts'
import { postPath } from '#contract/post-url.ts'
import { networkOf } from '../http/rate-limits.ts'
import {
  type NamedRow,
  type NamesPage,
  type PublicPosts,
  SITEMAP_ADDRESSES_MAX,
} from '../post-lists/public-posts.ts'
import { readBatches } from '../process/batches.ts'
import { cacheForSeconds } from '../process/single-flight.ts'
import type { DiscoveryContext } from './context.ts'
import { requirePublicList, sendPublic, toPublicResponse } from './public-response.ts'

/** Authors or tags per file; further ones may join while the boundaries are cached. */
export const SITEMAP_NAMES_PER_FILE = 40_000
/** How long the boundaries of the files of authors and tags are cached. */
export const SITEMAP_STARTS_CACHE_SECONDS = 600

/** Reads authors or tags in the order of ids, each with the time of its newest post. */
type ReadNames = (page: NamesPage) => Promise<NamedRow[]>
type Entry = { path: string; changedAt: string | undefined }

const BATCH = 1000
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export function makeSitemap(publicUrl: string, posts: PublicPosts, nowMs?: () => number) {
  const listOf = (pathOf: (id: string) => string, read: ReadNames) => ({
    pathOf,
    read,
    starts: makeStarts(read, nowMs),
  })
  const listsByKind = new Map([
    ['authors', listOf((id) => `/author/${id}`, posts.listAuthors)],
    ['tags', listOf(tagPath, posts.listTags)],
  ])
  async function* batchesOf(kind: string, number: number): AsyncIterable<Entry[]> {
    // The front page changes with any post.
    if (kind === 'pages' && number === 1)
      yield [
        { path: '/post', changedAt: newestOf(await posts.parts()) },
        ...(await blogPages(posts)),
      ]
    if (kind === 'posts')
      for await (const batch of posts.streamPart(number - 1))
        yield batch.map((post) => ({ path: postPath(post), changedAt: post.changedAt }))
    const list = listsByKind.get(kind)
    if (list) yield* namesOf(list, number - 1)
  }
  return {
    /** The XML of the index. */
    async index(): Promise<string> {
      const parts = await posts.parts()
      const changedAt = newestOf(parts)
      const files: Entry[] = [
        { path: '/sitemap-pages-1.xml', changedAt },
        ...parts.map((part) => ({ ...part, path: `/sitemap-posts-${part.part + 1}.xml` })),
      ]
      for (const [kind, { starts }] of listsByKind)
        for (const index of (await starts()).keys())
          files.push({ path: `/sitemap-${kind}-${index + 1}.xml`, changedAt })
      const entries = files.map((file) => `<sitemap>${locationOf(publicUrl, file)}</sitemap>\n`)
      return `${XML}<sitemapindex ${NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`
    },
    /** The XML of one file, counted from 1; undefined when there is none. */
    async file(kind: string, number: number): Promise<string | undefined> {
      let entries = ''
      for await (const batch of batchesOf(kind, number))
        for (const entry of batch) entries += `<url>${locationOf(publicUrl, entry)}</url>\n`
      if (entries === '') return undefined
      return `${XML}<urlset ${NAMESPACE}>\n${entries}</urlset>\n`
    },
  }
}

async function blogPages(posts: PublicPosts): Promise<Entry[]> {
  const pages = await posts.listPages()
  return pages.map(({ address, updatedAt }) => {
    return { path: `/${encodeURIComponent(address)}`, changedAt: updatedAt }
  })
}

/** Paths are percent-encoded, so only `&` and `'` need to be escaped for XML. */
function locationOf(publicUrl: string, { path, changedAt }: Entry): string {
  const address = `${publicUrl}${path}`.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
  const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`
  return `<loc>${address}</loc>${changed}`
}

/** @returns undefined while nothing has been published */
function newestOf(parts: { changedAt: string }[]): string | undefined {
  const times = parts.map(({ changedAt }) => changedAt)
  return times.toSorted().at(-1)
}

type NamedList = { pathOf(id: string): string; read: ReadNames; starts(): Promise<string[]> }

async function* namesOf(
  { starts, read, pathOf }: NamedList,
  index: number,
): AsyncIterable<Entry[]> {
  const boundaries = await starts()
  const after = boundaries[index]
  if (after === undefined) return
  let remaining = SITEMAP_ADDRESSES_MAX
  for await (const batch of walk(read, { after, upTo: boundaries[index + 1] })) {
    const fitting = batch.slice(0, remaining)
    yield fitting.map(({ id, newestAt }) => ({ path: pathOf(id), changedAt: newestAt }))
    remaining -= fitting.length
    if (remaining === 0) return
  }
}

/** Reads all names after one id, up to another. */
function walk(read: ReadNames, { after: first, upTo }: Omit<NamesPage, 'limit'>) {
  return readBatches<NamedRow>(BATCH, ({ after, limit }) =>
    read({ after: after?.id ?? first, upTo, limit }),
  )
}

/**
 * The ids after which the files of a list begin, "" for the first one; none for an empty list. The
 * whole list is read for this, at most once in `SITEMAP_STARTS_CACHE_SECONDS`.
 */
function makeStarts(read: ReadNames, nowMs = () => performance.now()): () => Promise<string[]> {
  const findCachedStarts = cacheForSeconds(() => findStarts(read), {
    seconds: SITEMAP_STARTS_CACHE_SECONDS,
    nowMs,
  })
  return async () => {
    const isEmpty = (await read({ after: '', upTo: undefined, limit: 1 })).length === 0
    return isEmpty ? [] : ['', ...(await findCachedStarts()).slice(1)]
  }
}

async function findStarts(read: ReadNames): Promise<string[]> {
  const starts: string[] = []
  let count = 0
  let last = ''
  for await (const batch of walk(read, { after: '', upTo: undefined })) {
    if (count % SITEMAP_NAMES_PER_FILE === 0) starts.push(last)
    count += batch.length
    last = batch.at(-1)?.id ?? last
  }
  return starts
}

// --- over HTTP

const XML_TYPE = 'application/xml; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
/** Without leading zeros, so that each file has one URL. */
const FILE_NUMBER = String.raw`^[1-9]\d{0,8}`

export function addRobotsAndSitemap(
  app: FastifyInstance,
  context: DiscoveryContext,
  listed: PublicPosts,
): void {
  app.get('/robots.txt', async (request, reply) =>
    sendPublic(context, cacheKeyOf(request), request, reply, async () => {
      const { reading } = await context.site.read()
      const sitemap = reading === 'everyone' ? `${context.publicUrl}/sitemap.xml` : undefined
      return toPublicResponse(TEXT_TYPE, robotsText(sitemap), [])
    }),
  )
  addSitemap(app, context, listed)
}

function addSitemap(app: FastifyInstance, context: DiscoveryContext, listed: PublicPosts): void {
  const sitemap = makeSitemap(context.publicUrl, listed)
  app.get('/sitemap.xml', async (request, reply) =>
    sendFile(context, request, reply, () => sitemap.index()),
  )
  type File = { Params: { kind: string; number: string } }
  app.get<File>(`/sitemap-:kind-:number(${FILE_NUMBER}).xml`, async (request, reply) => {
    const { kind, number } = request.params
    return await sendFile(context, request, reply, () => sitemap.file(kind, Number(number)))
  })
}

/** @param write returns undefined when there is no such file */
async function sendFile(
  context: DiscoveryContext,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<string | undefined>,
): Promise<FastifyReply> {
  const key = networkOf(request.ip)
  context.rateLimits.take([{ name: 'sitemap', rule: RATE.sitemapPerAddress, key }])
  return await sendPublic(context, cacheKeyOf(request), request, reply, async () => {
    await requirePublicList(context)
    const text = await write()
    if (!text) throw new Refusal('general_route_not_found')
    return toPublicResponse(XML_TYPE, text, ['posts', 'texts'])
  })
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}

/** The key in the cache differs from that of a page with the same path. */
function cacheKeyOf(request: FastifyRequest): string {
  return `file ${pathOf(request)}`
}

/** Pages that search engines should not visit. */
const PRIVATE_PAGES = [
  '/add-post',
  '/edit-post',
  '/dashboard',
  '/settings',
  '/dispatch',
  '/verification',
  '/verifyOAuth',
  '/verifyUserEmailLink',
  '/preview',
]

/** @param sitemap its absolute URL; undefined when the list of posts is for members */
function robotsText(sitemap: string | undefined): string {
  const comment = sitemap
    ? '# Everybody may read this blog.'
    : '# Posts are open to everyone; the rest of the site is for people who signed in.'
  const open = 'User-agent: *\nAllow: /v1/storage/\nAllow: /v1/avatars/\nDisallow: /v1/\n'
  const closed = PRIVATE_PAGES.map((path) => `Disallow: ${path}\n`).join('')
  return `${comment}\n${open}${closed}${sitemap ? `\nSitemap: ${sitemap}\n` : ''}`
}
