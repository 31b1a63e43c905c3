// A feed: what it is called, and its posts with full addresses, as Atom and as JSON Feed.
// @source RFC 4287; WebSub, "Discovery"; https://www.jsonfeed.org/version/1.1/

import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { postPath } from '#contract/post-address.ts'
import { makeTurns } from '../database/transaction.ts'
import type { NewestPost } from '../posts/newest.ts'
import { feedHtml } from './feed-html.ts'
import type { DiscoveryNeeds } from './needs.ts'
import { withoutUnprintable, type Xml, xml, xmlDocument } from './xml.ts'

export const FEED_FORMATS = {
  xml: { type: 'application/atom+xml', write: toAtom },
  json: { type: 'application/feed+json', write: toJsonFeed },
} as const

export type FeedSubject = {
  /** The path of the page that lists the same posts, empty for the site. */
  parent: string
  title: string
  about: string
  /** Id of an avatar; empty for none. */
  avatarId?: string
}

type FeedItem = ReturnType<typeof toItem>
type Feed = Awaited<ReturnType<typeof makeFeed>>

/** Of a feed without posts. */
const NEVER = new Date(0).toISOString()

export async function makeFeed(
  needs: DiscoveryNeeds,
  { title, about, avatarId = '', parent }: FeedSubject,
  posts: NewestPost[],
) {
  const { publicUrl, hubUrl } = needs
  const times = posts.map(({ updatedAt }) => updatedAt).sort()
  const turns = makeTurns()
  const items: FeedItem[] = []
  for (const post of posts) {
    items.push(toItem(needs, post))
    await turns()
  }
  return {
    title,
    about,
    iconUrl: faceUrl(needs, avatarId) ?? `${publicUrl}/icon-512.png`,
    pageUrl: publicUrl + (parent || '/post'),
    atomUrl: `${publicUrl}${parent}/feed.xml`,
    jsonUrl: `${publicUrl}${parent}/feed.json`,
    hubUrl,
    updatedAt: times.at(-1) ?? NEVER,
    items,
  }
}

function toItem(needs: DiscoveryNeeds, post: NewestPost) {
  const { publicUrl, contentBucketId } = needs
  const { id, title, html, userId, userName, avatarId, cover, tags } = post
  const url = publicUrl + postPath({ $id: id, title })
  return {
    /** The address of the post that never changes, whatever its title. */
    id: `${publicUrl}/post/${id}`,
    ...{ url, title, tags },
    html: html === undefined ? undefined : feedHtml(needs, html, url),
    author: {
      name: userName || UNKNOWN_USER_NAME,
      url: `${publicUrl}/author/${userId}`,
      avatarUrl: faceUrl(needs, avatarId),
    },
    publishedAt: post.createdAt,
    updatedAt: post.updatedAt,
    cover: cover && {
      url: fileUrl(needs, contentBucketId, cover.id),
      mimeType: cover.mimeType,
      sizeBytes: cover.sizeBytes,
    },
  }
}

function faceUrl(needs: DiscoveryNeeds, avatarId: string): string | undefined {
  return avatarId === '' ? undefined : fileUrl(needs, needs.avatarBucketId, avatarId)
}

function fileUrl({ publicUrl, projectId }: DiscoveryNeeds, bucketId: string, id: string): string {
  return `${publicUrl}/v1/storage/buckets/${bucketId}/files/${id}/view?project=${projectId}`
}

function toAtom(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, atomUrl, jsonUrl, hubUrl, updatedAt, items } = feed
  return xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${pageUrl}</id>
<title>${title}</title>
${about === '' ? undefined : xml`<subtitle>${about}</subtitle>`}
<updated>${updatedAt}</updated>
<link rel="self" href="${atomUrl}" type="${FEED_FORMATS.xml.type}"/>
<link rel="alternate" href="${pageUrl}" type="text/html"/>
<link rel="alternate" href="${jsonUrl}" type="${FEED_FORMATS.json.type}"/>
${hubUrl === undefined ? undefined : xml`<link rel="hub" href="${hubUrl}"/>`}
<icon>${iconUrl}</icon>
<generator>Lamplight</generator>
${items.map(toEntry)}</feed>`)
}

function toEntry({ id, url, title, html, author, cover, tags, ...times }: FeedItem): Xml {
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<published>${times.publishedAt}</published>
<updated>${times.updatedAt}</updated>
<author><name>${author.name}</name><uri>${author.url}</uri></author>
<link rel="alternate" href="${url}" type="text/html"/>
${tags.map((term) => xml`<category term="${term}"/>`)}
${cover && xml`<link rel="enclosure" href="${cover.url}" type="${cover.mimeType}" length="${cover.sizeBytes}"/>`}
${html === undefined ? xml`<summary>${title}</summary>` : xml`<content type="html">${html}</content>`}
</entry>
`
}

function toJsonFeed(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, jsonUrl, hubUrl, items } = feed
  const made = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: pageUrl,
    feed_url: jsonUrl,
    description: about || undefined,
    icon: iconUrl,
    hubs: hubUrl === undefined ? undefined : [{ type: 'WebSub', url: hubUrl }],
    items: items.map(toJsonItem),
  }
  return JSON.stringify(made, (_key, value: unknown) =>
    typeof value === 'string' ? withoutUnprintable(value) : value,
  )
}

function toJsonItem({ id, url, title, html, author, cover, tags, ...times }: FeedItem): object {
  return {
    id,
    url,
    title,
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
