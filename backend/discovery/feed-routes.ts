// Feeds over HTTP: `/feed.xml`, `/feed.json`, and the same of each author and tag. What a guest
// sees, whoever asks; compared by one row before anything else is read (decision 0041).
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { isTagKey, tagKey, tagPath } from '#contract/tags.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { type Change, hearOwnChanges } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { countRequest, networkOf, type RateLimits } from '../http/rate-limits.ts'
import { GUEST } from '../http/viewer.ts'
import type { PostSource } from '../posts/newest.ts'
import type { Posts } from '../posts/posts.ts'
import { ATOM_TYPE, toAtom } from './atom.ts'
import { type FeedNeeds, type FeedSubject, makeFeed } from './feed.ts'
import { JSON_FEED_TYPE, toJsonFeed } from './json-feed.ts'
import { sendPublic, toPublicResponse } from './public-response.ts'
import { makeWebSub, type WebSub, type WebSubNeeds } from './websub.ts'

/** What writing a feed for programs costs, counted with lists, and each KiB of it. */
const FEED_PRICE_MS = 5
const FEED_PRICE_MS_PER_KIB = 0.05

export type FeedRoutesNeeds = FeedNeeds & {
  db: Database
  posts: Pick<Posts, 'findAuthor' | 'findTag' | 'listNewest'>
  rateLimits: RateLimits
  cache: ResponseCache
  /** The line about the blog. */
  about: string
}

/** Where a feed's posts come from. */
type FeedSource = {
  /** The path of the page that has the feeds, empty for the site. */
  parent: string
  posts: PostSource
  /** @returns undefined when there is no such feed */
  findSubject(): Promise<Omit<FeedSubject, 'parent'> | undefined>
}

const FORMATS = {
  xml: { type: ATOM_TYPE, write: toAtom },
  json: { type: JSON_FEED_TYPE, write: toJsonFeed },
} as const
type Format = keyof typeof FORMATS

type Sending = FeedRoutesNeeds & { date: ReturnType<typeof makeDateFeed> }

export function addFeeds(app: FastifyInstance, needs: FeedRoutesNeeds): void {
  const sending: Sending = { ...needs, date: makeDateFeed() }
  for (const format of ['xml', 'json'] as const) {
    app.get(`/feed.${format}`, async (request, reply) =>
      sendFeed(sending, request, reply, { format, source: sourceOfAll(needs) }),
    )
    app.get<{ Params: { userId: string } }>(
      `/author/:userId/feed.${format}`,
      async (request, reply) => {
        const source = sourceOfAuthor(needs, request.params.userId)
        return sendFeed(sending, request, reply, { format, source })
      },
    )
    app.get<{ Params: { tag: string } }>(`/tag/:tag/feed.${format}`, async (request, reply) => {
      const { tag } = request.params
      const source = sourceOfTag(needs, tagKey(tag))
      // A tag has one address.
      if (tagKey(tag) !== tag) return reply.redirect(`${source.parent}/feed.${format}`, 301)
      // The hub is not told of them: any change of a post would be a change of all its tags.
      const ofTag = { ...sending, hubUrl: undefined }
      return sendFeed(ofTag, request, reply, { format, source })
    })
  }
}

function sourceOfAll({ siteName, about }: FeedRoutesNeeds): FeedSource {
  return {
    parent: '',
    posts: {},
    findSubject: async () => ({ title: siteName, about, pagePath: '/post' }),
  }
}

/** @throws Refusal `general_route_not_found` for what is no id */
function sourceOfAuthor({ posts, siteName }: FeedRoutesNeeds, userId: string): FeedSource {
  if (!isId(userId)) throw new Refusal('general_route_not_found')
  const pagePath = `/author/${userId}`
  return {
    parent: pagePath,
    posts: { userId },
    async findSubject() {
      const author = await posts.findAuthor(userId)
      if (!author) return undefined
      const title = author.name ? `${author.name} · ${siteName}` : siteName
      return { title, about: author.about, avatarId: author.avatar, pagePath }
    },
  }
}

/** @throws Refusal `general_route_not_found` for what is no tag */
function sourceOfTag({ posts, siteName }: FeedRoutesNeeds, key: string): FeedSource {
  if (!isTagKey(key)) throw new Refusal('general_route_not_found')
  const pagePath = tagPath(key)
  return {
    parent: pagePath,
    posts: { tag: key },
    async findSubject() {
      const name = await posts.findTag(GUEST, key)
      return name === undefined
        ? undefined
        : { title: `#${name} · ${siteName}`, about: '', pagePath }
    },
  }
}

/** From now on the hub hears of what changes, if there is one. */
export function tellHub(
  needs: Pick<FeedRoutesNeeds, 'db' | 'publicUrl' | 'hubUrl'> & Omit<WebSubNeeds, 'hubUrl'>,
): Pick<WebSub, 'close'> {
  const { db, hubUrl } = needs
  if (hubUrl === undefined) return { close: () => {} }
  const webSub = makeWebSub({ ...needs, hubUrl })
  hearOwnChanges(db, (changes) => {
    for (const change of changes) webSub.note(feedUrlsOf(needs, change))
  })
  return webSub
}

/** The feeds that a change is seen in: of all posts and of one person. */
function feedUrlsOf({ publicUrl }: Pick<FeedNeeds, 'publicUrl'>, change: Change): string[] {
  const userId =
    change.kind === 'post' && change.isPublic
      ? change.access.userId
      : change.kind === 'account' && /^update\.(name|prefs|status)$/.test(change.name)
        ? change.userId
        : undefined
  if (userId === undefined) return []
  return ['', `/author/${userId}`].flatMap((parent) => [
    `${publicUrl}${parent}/feed.xml`,
    `${publicUrl}${parent}/feed.json`,
  ])
}

async function sendFeed(
  needs: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, source }: Asked,
): Promise<FastifyReply> {
  countRequest(request, needs.rateLimits)
  const path = `${source.parent}/feed.${format}`
  return await sendPublic(needs.cache, path, request, reply, async () => {
    const text = await writeFeed(needs, request, { format, source })
    const lastModified = needs.date(path, hash('sha256', text)).toUTCString()
    const headers = {
      'last-modified': lastModified,
      link: linkHeader(needs, path),
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
    }
    const type = `${FORMATS[format].type}; charset=utf-8`
    return { ...toPublicResponse(path, type, text, { headers }), lastModified }
  })
}

type Asked = { format: Format; source: FeedSource }

async function writeFeed(
  { posts, rateLimits, ...needs }: Sending,
  { ip }: FastifyRequest,
  { format, source }: Asked,
): Promise<string> {
  const price = (amount: number) => [
    { name: 'list work', rule: RATE.listWorkPerUser, key: networkOf(ip), amount },
  ]
  rateLimits.take(price(FEED_PRICE_MS))
  const subject = await source.findSubject()
  if (!subject) throw new Refusal('general_route_not_found')
  const found = await posts.listNewest(source.posts)
  const feed = await makeFeed(needs, { ...subject, parent: source.parent }, found)
  const text = FORMATS[format].write(feed)
  rateLimits.add(price((text.length / 1024) * FEED_PRICE_MS_PER_KIB))
  return text
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

/** @source WebSub, "Discovery" */
function linkHeader({ publicUrl, hubUrl }: FeedNeeds, path: string): string {
  const self = `<${publicUrl}${path}>; rel="self"`
  return hubUrl === undefined ? self : `${self}, <${hubUrl}>; rel="hub"`
}
