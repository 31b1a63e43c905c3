// Feeds over HTTP: `/feed.xml`, `/feed.json`, and the same for each author and tag. Every caller
// gets what a guest sees. For a cached feed, only the versions of its cache tags are read.

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { isTagKey, tagKey, tagPath } from '#contract/plain-text.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { tagOfUser } from '../database/cache-tags.ts'
import { networkOf } from '../http/rate-limits.ts'
import { GUEST } from '../http/viewer.ts'
import { findAuthor } from '../post-lists/adjacent-posts.ts'
import { type FeedScope, listNewest } from '../post-lists/public-posts.ts'
import { findTag } from '../post-lists/tag-list.ts'
import type { DiscoveryContext } from './context.ts'
import { FEED_FORMATS, makeFeed } from './feed.ts'
import { requirePublicList, sendPublic, toPublicResponse } from './public-response.ts'

/** The price of a feed, and of each KiB of it; counted together with the price of lists. */
const FEED_PRICE_MS = 5
const FEED_PRICE_MS_PER_KIB = 0.05

type FeedRequest = { format: keyof typeof FEED_FORMATS; source: FeedScope }
type FeedContext = DiscoveryContext & { date: ReturnType<typeof makeFeedDates> }

export function addFeeds(app: FastifyInstance, context: DiscoveryContext): void {
  const feedContext: FeedContext = { ...context, date: makeFeedDates() }
  for (const format of ['xml', 'json'] as const) {
    app.get(`/feed.${format}`, async (request, reply) =>
      sendFeed(feedContext, request, reply, { format, source: {} }),
    )
    app.get<{ Params: { userId: string } }>(
      `/author/:userId/feed.${format}`,
      async (request, reply) => {
        const { userId } = request.params
        if (!isId(userId)) throw new Refusal('general_route_not_found')
        return sendFeed(feedContext, request, reply, { format, source: { userId } })
      },
    )
    app.get<{ Params: { tag: string } }>(`/tag/:tag/feed.${format}`, async (request, reply) => {
      const tag = tagKey(request.params.tag)
      if (!isTagKey(tag)) throw new Refusal('general_route_not_found')
      // Each tag has one URL.
      if (tag !== request.params.tag) return reply.redirect(`${tagPath(tag)}/feed.${format}`, 301)
      return sendFeed(feedContext, request, reply, { format, source: { tag } })
    })
  }
}

/** The path of the page that links to the feeds; empty for the whole blog. */
function parentOf({ userId, tag }: FeedScope): string {
  if (userId !== undefined) return `/author/${userId}`
  return tag === undefined ? '' : tagPath(tag)
}

/** The author, tag or blog of a feed. @throws Refusal `general_route_not_found` for none */
async function readSubject(context: DiscoveryContext, source: FeedScope) {
  const { siteName, about } = await context.site.read()
  const { userId, tag } = source
  const parent = parentOf(source)
  const author = userId === undefined ? undefined : await findAuthor(context, userId)
  if (author) {
    const title = author.name ? `${isolateBidi(author.name)} · ${siteName}` : siteName
    return { parent, title, about: author.about, avatarId: author.avatar }
  }
  const name = tag === undefined ? undefined : await findTag(context.db, GUEST, tag)
  if (name !== undefined) return { parent, title: `#${name} · ${siteName}`, about: '' }
  if (parent !== '') throw new Refusal('general_route_not_found')
  return { parent, title: siteName, about }
}

async function sendFeed(
  context: FeedContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, source }: FeedRequest,
): Promise<FastifyReply> {
  const { rateLimits } = context
  const path = `${parentOf(source)}/feed.${format}`
  const { type, write } = FEED_FORMATS[format]
  const price = (amount: number) => [
    { name: 'list work', rule: RATE.listWorkPerUser, key: networkOf(request.ip), amount },
  ]
  return await sendPublic(context, path, request, reply, async () => {
    await requirePublicList(context)
    rateLimits.take(price(FEED_PRICE_MS))
    const subject = await readSubject(context, source)
    const text = write(await makeFeed(context, subject, await listNewest(context, source)))
    rateLimits.add(price((text.length / 1024) * FEED_PRICE_MS_PER_KIB))
    const { userId } = source
    const tags = ['posts', 'texts', ...(userId === undefined ? [] : [tagOfUser(userId)])]
    const lastModified = context.date(path, hash('sha256', text)).toUTCString()
    const headers = {
      'last-modified': lastModified,
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
    }
    const response = toPublicResponse(`${type}; charset=utf-8`, text, tags, { headers })
    return { ...response, lastModified }
  })
}

const DATED_MAX = 10_000

/**
 * Dates versions of feeds for `Last-Modified`; `digest` is of the feed's text.
 *
 * Two versions of a feed never get the same second, even when both appear within one: a client that
 * compares dates alone would miss the second version.
 */
function makeFeedDates() {
  const versions = new Map<string, { digest: string; seconds: number }>()
  return (path: string, digest: string): Date => {
    const previous = versions.get(path)
    if (previous?.digest === digest) return new Date(previous.seconds * 1000)
    const now = Math.floor(Date.now() / 1000)
    const seconds = previous ? Math.max(now, previous.seconds + 1) : now
    if (versions.size >= DATED_MAX) versions.clear()
    versions.set(path, { digest, seconds })
    return new Date(seconds * 1000)
  }
}
