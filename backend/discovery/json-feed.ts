// A feed as JSON Feed 1.1.
// @source https://www.jsonfeed.org/version/1.1/
import type { Feed, FeedItem } from './feed.ts'
import { withoutUnprintable } from './xml.ts'

export const JSON_FEED_TYPE = 'application/feed+json'

export function toJsonFeed(feed: Feed): string {
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
