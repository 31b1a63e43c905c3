// Feeds over HTTP: `/feed.xml`, `/feed.json`, and the same of each author and tag. What a guest
// sees, whoever asks; compared by one row before anything else is read (decision 0041).
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { FEED_PRICE_MS, FEED_PRICE_MS_PER_KIB, RATE } from '#contract/limits.ts'
import { isTagKey, tagKey, tagPath } from '#contract/tags.ts'
import {
  hearPublicChanges,
  type PublicListVersion,
  readPublicVersion,
} from '../database/public-lists.ts'
import type { Database } from '../database/schema.ts'
import { networkOf } from '../http/addresses.ts'
import { isDatedCopyCurrent } from '../http/conditional.ts'
import { chooseEncoding, encode } from '../http/encodings.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { countRequest } from '../http/server.ts'
import { GUEST } from '../http/viewer.ts'
import type { PostSource } from '../posts/newest.ts'
import type { Posts } from '../posts/posts.ts'
import { ATOM_TYPE, toAtom } from './atom.ts'
import { type Feed, type FeedNeeds, type FeedSubject, makeFeed } from './feed.ts'
import { JSON_FEED_TYPE, toJsonFeed } from './json-feed.ts'
import { type Dating, type KeptFeeds, makeDating, makeKeptFeeds } from './kept-feeds.ts'
import { makeWebSub, type WebSub, type WebSubNeeds } from './websub.ts'

export type FeedRoutesNeeds = FeedNeeds & {
  db: Database
  posts: Pick<Posts, 'findAuthor' | 'findTag' | 'listNewest'>
  rateLimits: RateLimits
  /** The line about the blog. */
  about: string
  /** Names what bodies are cleaned by. */
  cleaningRules: string
}

/** Where a feed's posts come from. */
export type FeedSource = {
  paths: FeedPaths
  /** Whose public list tells whether it has changed; undefined for that of all posts. */
  listOf?: string
  /** There may be no such feed any more although nothing of that list tells it. */
  mayBeGone?: true
  posts: PostSource
  /** Read only when there is something to be sent. @returns undefined when there is no such feed */
  findSubject(): Promise<Omit<FeedSubject, keyof FeedPaths> | undefined>
}

type FeedPaths = Pick<FeedSubject, 'atomPath' | 'jsonPath'>

type Format = { type: string; write: (feed: Feed) => string; path: keyof FeedPaths }
const ATOM: Format = { type: ATOM_TYPE, write: toAtom, path: 'atomPath' }
const JSON_FEED: Format = { type: JSON_FEED_TYPE, write: toJsonFeed, path: 'jsonPath' }

/** Whatever changes how a feed is written changes it. */
const SOURCES = [
  ...['atom.ts', 'feed.ts', 'feed-html.ts', 'json-feed.ts', 'xml.ts'],
  ...['../posts/newest.ts', '../posts/newest-store.ts', '../../contract/post-address.ts'],
]

type Sending = FeedRoutesNeeds & { kept: KeptFeeds; date: Dating; form: string }

export function addFeeds(app: FastifyInstance, needs: FeedRoutesNeeds): void {
  const sending: Sending = {
    ...needs,
    kept: makeKeptFeeds(),
    date: makeDating(new Date()),
    form: formOf(needs),
  }
  for (const [end, format] of [
    ['xml', ATOM],
    ['json', JSON_FEED],
  ] as const) {
    app.get(`/feed.${end}`, async (request, reply) =>
      sendFeed(sending, request, reply, { format, source: sourceOfAll(needs) }),
    )
    app.get<{ Params: { userId: string } }>(`/author/:userId/feed.${end}`, async (request, reply) =>
      sendFeed(sending, request, reply, {
        format,
        source: sourceOfAuthor(needs, request.params.userId),
      }),
    )
    app.get<{ Params: { tag: string } }>(`/tag/:tag/feed.${end}`, async (request, reply) => {
      const { tag } = request.params
      const source = sourceOfTag(needs, tagKey(tag))
      // A tag has one address.
      if (tagKey(tag) !== tag) return reply.redirect(source.paths[format.path], 301)
      // The hub is not told of them: any change of a post would be a change of all its tags.
      const ofTag = { ...sending, hubUrl: undefined }
      return sendFeed(ofTag, request, reply, { format, source })
    })
  }
}

function sourceOfAll({ siteName, about }: FeedRoutesNeeds): FeedSource {
  return {
    paths: feedPaths(''),
    posts: {},
    findSubject: async () => ({ title: siteName, about, pagePath: '/post' }),
  }
}

/** @throws Refusal `general_route_not_found` for what is no id */
function sourceOfAuthor({ posts, siteName }: FeedRoutesNeeds, userId: string): FeedSource {
  if (!isId(userId)) throw new Refusal('general_route_not_found')
  const pagePath = `/author/${userId}`
  return {
    paths: feedPaths(pagePath),
    listOf: userId,
    posts: { userId },
    async findSubject() {
      const author = await posts.findAuthor(userId)
      if (!author) return undefined
      const title = author.name ? `${author.name} · ${siteName}` : siteName
      return { title, about: author.about, avatarId: author.avatar, pagePath }
    },
  }
}

/**
 * The posts of a tag. They have no version of their own: whatever guests see of any post may change
 * them.
 *
 * @throws Refusal `general_route_not_found` for what is no tag
 */
function sourceOfTag({ posts, siteName }: FeedRoutesNeeds, key: string): FeedSource {
  if (!isTagKey(key)) throw new Refusal('general_route_not_found')
  const pagePath = tagPath(key)
  return {
    paths: feedPaths(pagePath),
    mayBeGone: true,
    posts: { tag: key },
    async findSubject() {
      const name = await posts.findTag(GUEST, key)
      return name === undefined
        ? undefined
        : { title: `#${name} · ${siteName}`, about: '', pagePath }
    },
  }
}

/** @param parent the path of the page that has the feeds, empty for the site */
function feedPaths(parent: string): FeedPaths {
  return { atomPath: `${parent}/feed.xml`, jsonPath: `${parent}/feed.json` }
}

/** From now on the hub hears of what changes, if there is one. */
export function tellHub(
  needs: Pick<FeedRoutesNeeds, 'db' | 'publicUrl' | 'hubUrl'> & Omit<WebSubNeeds, 'hubUrl'>,
): Pick<WebSub, 'close'> {
  const { db, hubUrl } = needs
  if (hubUrl === undefined) return { close: () => {} }
  const webSub = makeWebSub({ ...needs, hubUrl })
  hearPublicChanges(db, ({ userIds }) => webSub.note(feedUrlsOf(needs, userIds)))
  return webSub
}

/** The feeds of all posts and of these people. */
function feedUrlsOf({ publicUrl }: Pick<FeedNeeds, 'publicUrl'>, userIds: string[]): string[] {
  const parents = ['', ...userIds.map((userId) => `/author/${userId}`)]
  return parents.flatMap((parent) => {
    const { atomPath, jsonPath } = feedPaths(parent)
    return [publicUrl + atomPath, publicUrl + jsonPath]
  })
}

async function readSubject({ findSubject, paths }: FeedSource): Promise<FeedSubject> {
  const subject = await findSubject()
  if (!subject) throw new Refusal('general_route_not_found')
  return { ...subject, ...paths }
}

async function sendFeed(
  needs: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, source }: { format: Format; source: FeedSource },
): Promise<FastifyReply> {
  countRequest(request, needs.rateLimits)
  const seen = await readPublicVersion(needs.db, source.listOf)
  // Whoever has a row of their own is there.
  if (source.mayBeGone || (source.listOf !== undefined && !seen.isOwn)) await readSubject(source)
  const path = source.paths[format.path]
  const etag = `W/"${hash('sha256', seen.version + needs.form, 'base64url').slice(0, 27)}"`
  const lastModified = needs.date(path, seen).toUTCString()
  const isCurrent = isDatedCopyCurrent(request, { etag, lastModified })
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const body = isCurrent
    ? undefined
    : await needs.kept.readOrMake(JSON.stringify([path, encoding]), etag, async () =>
        encode(await writeFeed(needs, request, { format, source, seen }), encoding),
      )
  reply.headers({
    etag,
    'last-modified': lastModified,
    // Caches must ask before each use of a copy: a post may have been changed or hidden.
    'cache-control': 'public, no-cache',
    vary: 'accept-encoding',
    link: linkHeader(needs, path),
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (body === undefined) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(`${format.type}; charset=utf-8`).send(body)
}

async function writeFeed(
  { posts, rateLimits, ...needs }: Sending,
  { ip }: FastifyRequest,
  { format, source, seen }: { format: Format; source: FeedSource; seen: PublicListVersion },
): Promise<string> {
  const price = (amount: number) => [
    { name: 'list work', rule: RATE.listWorkPerUser, key: networkOf(ip), amount },
  ]
  rateLimits.take(price(FEED_PRICE_MS))
  const subject = await readSubject(source)
  const found = await posts.listNewest(source.posts)
  const { changedAt } = seen
  const text = format.write(await makeFeed(needs, subject, { posts: found, changedAt }))
  rateLimits.add(price((text.length / 1024) * FEED_PRICE_MS_PER_KIB))
  return text
}

/** @source WebSub, "Discovery" */
function linkHeader({ publicUrl, hubUrl }: FeedNeeds, path: string): string {
  const self = `<${publicUrl}${path}>; rel="self"`
  return hubUrl === undefined ? self : `${self}, <${hubUrl}>; rel="hub"`
}

function formOf(needs: FeedRoutesNeeds): string {
  const { siteName, about, publicUrl, projectId, hubUrl, contentBucketId, avatarBucketId } = needs
  const sources = SOURCES.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const settings = [siteName, about, publicUrl, projectId, hubUrl, contentBucketId, avatarBucketId]
  return hash('sha256', JSON.stringify([settings, needs.cleaningRules, sources]), 'base64')
}
