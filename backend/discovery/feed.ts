// A feed's title, description and posts, with absolute URLs, as Atom and as JSON Feed.
// @source RFC 4287; https://www.jsonfeed.org/version/1.1/

import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { decodeEntities } from '#contract/plain-text.ts'
import { postPath } from '#contract/post-url.ts'
import { parseVideo } from '#contract/videos.ts'
import type { NewestPost } from '../post-lists/public-posts.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import type { DiscoveryContext } from './context.ts'
import { withoutUnprintable, type Xml, xml, xmlDocument } from './xml.ts'

export const FEED_FORMATS = {
  xml: { type: 'application/atom+xml', write: toAtom },
  json: { type: 'application/feed+json', write: toJsonFeed },
} as const

export type FeedSubject = {
  /** The path of the page that lists the same posts; empty for the whole blog. */
  parent: string
  title: string
  about: string
  /** Id of an avatar; empty for none. */
  avatarId?: string
}

type FeedItem = ReturnType<typeof toItem>
type Feed = Awaited<ReturnType<typeof makeFeed>>

/** The date of a feed without posts. */
const NEVER = new Date(0).toISOString()

export async function makeFeed(
  context: DiscoveryContext,
  subject: FeedSubject,
  posts: NewestPost[],
) {
  const { title, about, avatarId = '', parent } = subject
  const { publicUrl } = context
  const times = posts.map(({ updatedAt }) => updatedAt).sort()
  const yieldToEventLoop = makeYieldToEventLoop()
  const items: FeedItem[] = []
  for (const post of posts) {
    items.push(toItem(context, post))
    await yieldToEventLoop()
  }
  return {
    title,
    about,
    iconUrl: avatarUrlOf(context, avatarId) ?? `${publicUrl}/icon-512.png`,
    pageUrl: publicUrl + (parent || '/post'),
    atomUrl: `${publicUrl}${parent}/feed.xml`,
    jsonUrl: `${publicUrl}${parent}/feed.json`,
    updatedAt: times.at(-1) ?? NEVER,
    items,
  }
}

function toItem(context: DiscoveryContext, post: NewestPost) {
  const { publicUrl, contentBucketId } = context
  const { id, title, addressWords, html, userId, userName, avatarId, cover, tags } = post
  const url = publicUrl + postPath({ $id: id, title, addressWords })
  return {
    /** A URL of the post that stays the same when the title changes. */
    id: `${publicUrl}/post/${id}`,
    url,
    title,
    tags,
    excerpt: post.excerpt,
    html: html === undefined ? undefined : feedHtml(context, html, url),
    author: {
      name: userName || UNKNOWN_USER_NAME,
      url: `${publicUrl}/author/${userId}`,
      avatarUrl: avatarUrlOf(context, avatarId),
    },
    publishedAt: post.createdAt,
    updatedAt: post.updatedAt,
    cover: cover && {
      url: fileUrl(context, contentBucketId, cover.id),
      mimeType: cover.mimeType,
      sizeBytes: cover.sizeBytes,
    },
  }
}

function avatarUrlOf(context: DiscoveryContext, avatarId: string): string | undefined {
  return avatarId === '' ? undefined : fileUrl(context, context.avatarBucketId, avatarId)
}

function fileUrl({ publicUrl, projectId }: DiscoveryContext, bucketId: string, id: string): string {
  return `${publicUrl}/v1/storage/buckets/${bucketId}/files/${id}/view?project=${projectId}`
}

function toAtom(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, atomUrl, jsonUrl, updatedAt, items } = feed
  return xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${pageUrl}</id>
<title>${title}</title>
${about === '' ? undefined : xml`<subtitle>${about}</subtitle>`}
<updated>${updatedAt}</updated>
<link rel="self" href="${atomUrl}" type="${FEED_FORMATS.xml.type}"/>
<link rel="alternate" href="${pageUrl}" type="text/html"/>
<link rel="alternate" href="${jsonUrl}" type="${FEED_FORMATS.json.type}"/>
<icon>${iconUrl}</icon>
<generator>Lamplight</generator>
${items.map(toEntry)}</feed>`)
}

function toEntry({ id, url, title, html, excerpt, author, cover, tags, ...times }: FeedItem): Xml {
  const summary = excerpt ?? (html === undefined ? title : undefined)
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<published>${times.publishedAt}</published>
<updated>${times.updatedAt}</updated>
<author><name>${author.name}</name><uri>${author.url}</uri></author>
<link rel="alternate" href="${url}" type="text/html"/>
${tags.map((term) => xml`<category term="${term}"/>`)}
${cover && xml`<link rel="enclosure" href="${cover.url}" type="${cover.mimeType}" length="${cover.sizeBytes}"/>`}
${summary && xml`<summary>${summary}</summary>`}
${html === undefined ? undefined : xml`<content type="html">${html}</content>`}
</entry>
`
}

function toJsonFeed(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, jsonUrl, items } = feed
  const jsonFeed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: pageUrl,
    feed_url: jsonUrl,
    description: about || undefined,
    icon: iconUrl,
    items: items.map(toJsonItem),
  }
  return JSON.stringify(jsonFeed, (_key, value: unknown) =>
    typeof value === 'string' ? withoutUnprintable(value) : value,
  )
}

function toJsonItem(item: FeedItem): object {
  const { id, url, title, html, excerpt, author, cover, tags, ...times } = item
  return {
    id,
    url,
    title,
    summary: excerpt,
    ...(html === undefined ? { content_text: title } : { content_html: html }),
    image: cover?.url,
    date_published: times.publishedAt,
    date_modified: times.updatedAt,
    authors: [{ name: author.name, url: author.url, avatar: author.avatarUrl }],
    tags: tags.length > 0 ? tags : undefined,
    attachments: cover && [
      { url: cover.url, mime_type: cover.mimeType, size_in_bytes: cover.sizeBytes },
    ],
  }
}

// --- the HTML of a post for feed readers: absolute URLs, links in place of video players, nothing
// that only our own pages need. The server has sanitised it, so tags are well-formed and text is
// escaped: string replacement is enough.

const TAG = /<[a-z][^<>]*>/gi
const FRAME = /<iframe\b([^<>]*)>[^<]*(?:<\/iframe\s*>)?/gi
const TASK = /<li class="task( done)?">/g
const ATTRIBUTE = /\s([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi
const URL_ATTRIBUTES = new Set(['href', 'src', 'poster', 'cite'])
/** Attributes that only our own pages need, such as colours, sizes and new windows. */
const OWN_PAGE_ATTRIBUTES = new Set(['style', 'target', 'class', 'loading', 'decoding'])
const CODE_LANGUAGE = /^language-\S+$/
const OWN_FILE = /^\/v1\/storage\/buckets\//

/** @param postUrl the absolute URL of the post's page, for links within the text */
export function feedHtml(context: DiscoveryContext, html: string, postUrl: string): string {
  return html
    .replace(FRAME, (_all, attributes: string) => toLink(attributes))
    .replace(TASK, (_all, done) => `<li>${done ? '☑' : '☐'} `)
    .replace(TAG, (tag) =>
      tag.replace(ATTRIBUTE, (all, name: string, value = '') => {
        if (URL_ATTRIBUTES.has(name)) return ` ${name}="${toAbsoluteUrl(context, value, postUrl)}"`
        const isLanguage = name === 'class' && CODE_LANGUAGE.test(value)
        return OWN_PAGE_ATTRIBUTES.has(name) && !isLanguage ? '' : all
      }),
    )
}

/** Takes and returns an escaped URL. */
function toAbsoluteUrl(context: DiscoveryContext, address: string, postUrl: string): string {
  if (address.startsWith('#')) return postUrl + address
  if (!address.startsWith('/')) return address
  const full = context.publicUrl + address
  // The API rejects requests without the project.
  if (!OWN_FILE.test(address) || /[?;&]project=/.test(address)) return full
  return `${full}${address.includes('?') ? '&amp;' : '?'}project=${context.projectId}`
}

function toLink(attributes: string): string {
  const player = readValue(attributes, 'src')
  const page = parseVideo(decodeEntities(player))?.pageUrl.replaceAll('&', '&amp;') ?? player
  if (!/^https?:/i.test(page)) return ''
  return `<a href="${page}">${readValue(attributes, 'title') || page}</a>`
}

/** @returns the value still escaped for an attribute, which is also right for text */
function readValue(attributes: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(attributes)?.[1] ?? ''
}
