// Feeds as programs read them: Atom checked by the grammar of RFC 4287 and parsed by the library
// of a feed reader, JSON Feed checked by the rules of version 1.1.
import { readFileSync } from 'node:fs'
import { parseFeed } from '@rowanmanning/feed-parser'
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm'
import Type, { type Static } from 'typebox'
import { Check, Errors } from 'typebox/value'

const grammar = XmlDocument.fromBuffer(readFileSync(new URL('./atom.rng', import.meta.url)))
const atom = RelaxNGValidator.fromDoc(grammar)

/** The text of these elements as in the XML; the feed parser would decode it a second time. */
export function textsOf(text: string, path: `//atom:${string}`): string[] {
  const document = XmlDocument.fromString(text)
  try {
    const nodes = document.find(path, { atom: 'http://www.w3.org/2005/Atom' })
    return nodes.map(({ content }) => content)
  } finally {
    document.dispose()
  }
}

/** @throws the XML parser's or the grammar's complaint */
export function readAtom(text: string) {
  const document = XmlDocument.fromString(text)
  try {
    atom.validate(document)
  } finally {
    document.dispose()
  }
  return parseFeed(text).toJSON()
}

const Url = Type.String({ pattern: '^https?://[^\\s<>"]+$' })
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })
const FilledText = Type.String({ minLength: 1 })
const FeedAuthor = Type.Object(
  { name: FilledText, url: Url, avatar: Type.Optional(Url) },
  { additionalProperties: false },
)
/** @source https://www.jsonfeed.org/version/1.1/ */
const JsonFeed = Type.Object(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1'),
    title: FilledText,
    home_page_url: Url,
    feed_url: Url,
    description: Type.Optional(FilledText),
    icon: Url,
    items: Type.Array(
      Type.Object(
        {
          id: FilledText,
          url: Url,
          title: FilledText,
          content_html: Type.Optional(Type.String()),
          content_text: Type.Optional(Type.String()),
          summary: Type.Optional(Type.String()),
          image: Type.Optional(Url),
          date_published: Time,
          date_modified: Time,
          authors: Type.Array(FeedAuthor, { minItems: 1 }),
          tags: Type.Optional(Type.Array(FilledText)),
          attachments: Type.Optional(
            Type.Array(
              Type.Object({
                url: Url,
                mime_type: Type.String({ pattern: '^[a-z]+/[a-z+.-]+$' }),
                size_in_bytes: Type.Integer({ minimum: 1 }),
              }),
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/** @throws Error with the first rules that it breaks */
export function readJsonFeed(text: string): Static<typeof JsonFeed> {
  const feed: unknown = JSON.parse(text)
  if (!Check(JsonFeed, feed))
    throw new Error(JSON.stringify([...Errors(JsonFeed, feed)].slice(0, 3)))
  for (const item of feed.items)
    if (item.content_html === undefined && item.content_text === undefined)
      throw new Error(`The item ${item.id} has no content`)
  return feed
}
