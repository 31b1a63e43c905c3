// A feed as Atom.
// @source RFC 4287; WebSub, "Discovery"
import type { Feed, FeedItem } from './feed.ts'
import { type Xml, xml, xmlDocument } from './xml.ts'

export const ATOM_TYPE = 'application/atom+xml'

export function toAtom(feed: Feed): string {
  const { title, about, iconUrl, pageUrl, atomUrl, jsonUrl, hubUrl, updatedAt, items } = feed
  return xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${pageUrl}</id>
<title>${title}</title>
${about === '' ? undefined : xml`<subtitle>${about}</subtitle>`}
<updated>${updatedAt}</updated>
<link rel="self" href="${atomUrl}" type="${ATOM_TYPE}"/>
<link rel="alternate" href="${pageUrl}" type="text/html"/>
<link rel="alternate" href="${jsonUrl}" type="application/feed+json"/>
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
