// A feed as Atom.
// @source RFC 4287; WebSub, "Discovery"
import type { Feed, FeedItem } from './feed.ts'
import { element, type Xml, xmlDocument } from './xml.ts'

export const ATOM_TYPE = 'application/atom+xml'
const JSON_FEED = 'application/feed+json'

export function toAtom(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, atomUrl, jsonUrl, hubUrl, updatedAt, items } = feed
  const link = (rel: string, href: string, type?: string) => element('link', { rel, href, type })
  return xmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom' },
      element('id', {}, pageUrl),
      element('title', {}, title),
      about === '' ? undefined : element('subtitle', {}, about),
      element('updated', {}, updatedAt),
      link('self', atomUrl, ATOM_TYPE),
      link('alternate', pageUrl, 'text/html'),
      link('alternate', jsonUrl, JSON_FEED),
      hubUrl === undefined ? undefined : link('hub', hubUrl),
      element('icon', {}, iconUrl),
      element('generator', {}, 'Lamplight'),
      ...items.map(toEntry),
    ),
  )
}

function toEntry({ id, url, title, html, author, cover, tags, ...times }: FeedItem): Xml {
  return element(
    'entry',
    {},
    element('id', {}, id),
    element('title', {}, title),
    element('published', {}, times.publishedAt),
    element('updated', {}, times.updatedAt),
    element('author', {}, element('name', {}, author.name), element('uri', {}, author.url)),
    element('link', { rel: 'alternate', href: url, type: 'text/html' }),
    ...tags.map((term) => element('category', { term })),
    cover &&
      element('link', {
        rel: 'enclosure',
        href: cover.url,
        type: cover.mimeType,
        length: cover.sizeBytes,
      }),
    html === undefined ? element('summary', {}, title) : element('content', { type: 'html' }, html),
  )
}
