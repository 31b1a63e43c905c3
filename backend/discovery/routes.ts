// HTTP for search engines, feed readers and other sites: all routes of this room, with those of
// share cards and oEmbed (api.md §16). Responses are the same for everybody (public-response.ts).

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { SHARE_CARD } from '#contract/limits.ts'
import { postIdInPath, publicPath } from '#contract/post-url.ts'
import { cardPath, isSharedImage } from '#contract/share-card.ts'
import type { NewResponse } from '../cache/response-cache.ts'
import { tagOfPost, tagOfUser } from '../database/cache-tags.ts'
import { queueCallerOf } from '../http/connections.ts'
import { makePublicPosts } from '../post-lists/public-posts.ts'
import type { SiteSnapshot } from '../site/site.ts'
import { addCommentFeeds } from './comment-feed.ts'
import type { DiscoveryContext } from './context.ts'
import { addFeeds } from './feed-routes.ts'
import { addLogo } from './logo.ts'
import { sendPublic, toPublicResponse } from './public-response.ts'
import { drawCard, type PublicPost, readPublicPost } from './share-cards.ts'
import { addRobotsAndSitemap } from './sitemap.ts'
import { element, xml, xmlDocument } from './xml.ts'

/** Maximum length of the `url` parameter of `/oembed`. */
const OEMBED_URL_MAX_CHARS = 2000

const SHARED = {
  // Other sites may embed public content.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
} as const

/** Adds the routes outside `/v1` that are not pages. */
export function addDiscovery(app: FastifyInstance, context: DiscoveryContext): void {
  addSharing(app, context)
  addLogo(app, context)
  addRobotsAndSitemap(app, context, makePublicPosts(context.db))
  addCommentFeeds(app, context)
  addFeeds(app, context)
}

function addSharing(app: FastifyInstance, context: DiscoveryContext): void {
  for (const width of SHARE_CARD.widths) {
    const name = width === SHARE_CARD.width ? 'card' : `card-${width}`
    app.get<{ Params: { id: string } }>(`/post/:id/${name}.png`, async (request, reply) => {
      const caller = queueCallerOf(request, reply)
      return await sendPublic(context, request.url, request, reply, async () => {
        const { post, card } = await drawCard(context, { id: request.params.id, width }, caller)
        return toResponse(card, 'image/png', tagsOf(post))
      })
    })
  }
  app.get('/oembed', async (request, reply) =>
    sendPublic(context, request.url, request, reply, () => makeEmbed(context, request)),
  )
}

/** With the tag `files`, because the card shows the author's avatar, which may be removed. */
function tagsOf({ $id, userid }: PublicPost): string[] {
  return [tagOfPost($id), tagOfUser(userid), 'files']
}

function toResponse(body: string | Buffer, type: string, tags: string[]): NewResponse {
  return toPublicResponse(type, body, tags, { isCompressible: false, headers: SHARED })
}

async function makeEmbed(context: DiscoveryContext, request: FastifyRequest): Promise<NewResponse> {
  const query = request.query as Record<string, unknown>
  const format = query.format ?? 'json'
  if (format !== 'json' && format !== 'xml') throw new Refusal('oembed_format_unsupported')
  const maxSize = {
    maxWidth: readSide(query, 'maxwidth'),
    maxHeight: readSide(query, 'maxheight'),
  }
  const id = readPostId(query.url, context.publicUrl)
  const site = { ...context, ...(await context.site.read()) }
  const post = await readPublicPost(context, id)
  const embed = embedOf(post, site, maxSize)
  const body = format === 'json' ? JSON.stringify(embed) : toXml(embed)
  const type = format === 'json' ? 'application/json' : 'text/xml'
  return toResponse(body, `${type}; charset=utf-8`, tagsOf(post))
}

/** @throws Refusal 400 for an invalid URL, 404 for a URL that is not a post of this blog */
function readPostId(url: unknown, publicUrl: string): string {
  const isReadable = typeof url === 'string' && url.length <= OEMBED_URL_MAX_CHARS
  const parsed = isReadable ? URL.parse(url) : null
  if (!parsed) throw invalidParam('url', 'Value must be a valid URL')
  const id = parsed.origin === new URL(publicUrl).origin && postIdInPath(parsed.pathname)
  if (!id) throw new Refusal('document_not_found')
  return id
}

function readSide(query: Record<string, unknown>, name: string): number | undefined {
  const text = query[name]
  if (text === undefined) return undefined
  const pixels = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (pixels < 1) throw invalidParam(name, 'Value must be a number of pixels')
  return pixels
}

// --- oEmbed 1.0: a link with an image. Without HTML, no code of this blog runs on other sites.

/** In pixels; undefined means no limit. */
type MaxSize = { maxWidth: number | undefined; maxHeight: number | undefined }
type Embed = Record<string, string | number>

/** @source oEmbed 1.0 "The link type" */
function embedOf(post: PublicPost, site: DiscoveryContext & SiteSnapshot, maxSize: MaxSize): Embed {
  const { siteName, publicUrl } = site
  return {
    version: '1.0',
    type: 'link',
    title: post.title,
    url: publicUrl + publicPath(site, post),
    author_name: post.userName,
    ...(site.reading === 'everyone' && post.userid
      ? { author_url: `${publicUrl}/author/${encodeURIComponent(post.userid)}` }
      : {}),
    provider_name: siteName,
    provider_url: `${publicUrl}/`,
    ...thumbnail(post, site, maxSize),
  }
}

function thumbnail(post: PublicPost, site: DiscoveryContext, maxSize: MaxSize): Embed {
  const hasImage = isSharedImage(post.ownImage)
  const size = hasImage ? fitImage(maxSize) : fitCard(maxSize)
  if (!size) return {}
  const path = hasImage ? imagePath(post.ownImage, size, site) : cardPath(post, size.width)
  return {
    thumbnail_url: site.publicUrl + path,
    thumbnail_width: size.width,
    thumbnail_height: size.height,
  }
}

type Size = { width: number; height: number }

/** The largest size in the shape of a card; the image is cropped to it. */
function fitImage({ maxWidth = SHARE_CARD.width, maxHeight = SHARE_CARD.height }: MaxSize): Size {
  const scale = Math.min(1, maxWidth / SHARE_CARD.width, maxHeight / SHARE_CARD.height)
  const side = (pixels: number) => Math.max(1, Math.floor(pixels * scale))
  return { width: side(SHARE_CARD.width), height: side(SHARE_CARD.height) }
}

/** The largest card that fits; undefined when none does. */
function fitCard({ maxWidth = Infinity, maxHeight = Infinity }: MaxSize): Size | undefined {
  return SHARE_CARD.widths
    .map((width) => ({
      width,
      height: Math.round((width / SHARE_CARD.width) * SHARE_CARD.height),
    }))
    .find(({ width, height }) => width <= maxWidth && height <= maxHeight)
}

function imagePath(fileId: string, { width, height }: Size, site: DiscoveryContext): string {
  const query = new URLSearchParams({
    width: String(width),
    height: String(height),
    quality: '80',
    output: 'jpg',
    project: site.projectId,
  })
  const [bucket, file] = [site.contentBucketId, fileId].map(encodeURIComponent)
  return `/v1/storage/buckets/${bucket}/files/${file}/preview?${query}`
}

function toXml(embed: Embed): string {
  const fields = Object.entries(embed).map(([name, value]) => element(name, value))
  return xmlDocument(xml`<oembed>${fields}</oembed>`)
}
