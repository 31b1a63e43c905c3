// Feeds over HTTP: `/feed.xml`, `/feed.json`, and the same of each author and tag. What a guest
// sees, for every caller; compared by one row before anything else is read.

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

/** What writing a feed for programs costs, counted with lists, and each KiB of it. */
const FEED_PRICE_MS = 5
const FEED_PRICE_MS_PER_KIB = 0.05

type Asked = { format: keyof typeof FEED_FORMATS; source: FeedScope }
type Sending = DiscoveryContext & { date: ReturnType<typeof makeDateFeed> }

export function addFeeds(app: FastifyInstance, context: DiscoveryContext): void {
  const sending: Sending = { ...context, date: makeDateFeed() }
  for (const format of ['xml', 'json'] as const) {
    app.get(`/feed.${format}`, async (request, reply) =>
      sendFeed(sending, request, reply, { format, source: {} }),
    )
    app.get<{ Params: { userId: string } }>(
      `/author/:userId/feed.${format}`,
      async (request, reply) => {
        const { userId } = request.params
        if (!isId(userId)) throw new Refusal('general_route_not_found')
        return sendFeed(sending, request, reply, { format, source: { userId } })
      },
    )
    app.get<{ Params: { tag: string } }>(`/tag/:tag/feed.${format}`, async (request, reply) => {
      const tag = tagKey(request.params.tag)
      if (!isTagKey(tag)) throw new Refusal('general_route_not_found')
      // A tag has one address.
      if (tag !== request.params.tag) return reply.redirect(`${tagPath(tag)}/feed.${format}`, 301)
      return sendFeed(sending, request, reply, { format, source: { tag } })
    })
  }
}

/** The path of the page that has the feeds, empty for the site. */
function parentOf({ userId, tag }: FeedScope): string {
  if (userId !== undefined) return `/author/${userId}`
  return tag === undefined ? '' : tagPath(tag)
}

/** @throws Refusal `general_route_not_found` when there is no such feed */
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
  context: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, source }: Asked,
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
    const made = toPublicResponse(`${type}; charset=utf-8`, text, tags, { headers })
    return { ...made, lastModified }
  })
}

const DATED_MAX = 10_000

/**
 * The time of `Last-Modified` of a feed, of which `tag` is a digest.
 *
 * Two versions of one feed never have the same second here, although both may have come within one:
 * who asks by the date alone would keep the first of them.
 */
function makeDateFeed() {
  const known = new Map<string, { tag: string; seconds: number }>()
  return (path: string, tag: string): Date => {
    const before = known.get(path)
    if (before?.tag === tag) return new Date(before.seconds * 1000)
    const now = Math.floor(Date.now() / 1000)
    const seconds = before ? Math.max(now, before.seconds + 1) : now
    if (known.size >= DATED_MAX) known.clear()
    known.set(path, { tag, seconds })
    return new Date(seconds * 1000)
  }
}
