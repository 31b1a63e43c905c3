// What a page is about, as data for search engines (schema.org), which the page itself shows, too.
import type { Blog, BreadcrumbList, Organization, Thing } from 'schema-dts'
import type { Api } from '../api/client.ts'
import { texts } from '../locales/texts.ts'

export type Described = Exclude<Thing, string>

/** Data, never run: no value can end the element. */
export function StructuredData({ value }: { value: Described }) {
  // As a plain object: the compiler takes 18 s to spread a union of 800 types.
  const plain: object = value
  const data = { '@context': 'https://schema.org', ...plain }
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
    />
  )
}

/** A whole address of this site. */
export function addressOf({ client }: Api, path: string): string {
  return new URL(path, client.config.endpoint).href
}

/** Who publishes: the blog itself. */
export function publisherOf(api: Api): Organization {
  return { '@type': 'Organization', name: api.settings.siteName, url: addressOf(api, '/') }
}

/** The blog with its list, for that page and those that belong to it. */
export function blogOf(api: Api): Exclude<Blog, string> {
  const { siteName, about } = api.settings
  return { '@type': 'Blog', name: siteName, description: about, url: addressOf(api, '/post') }
}

export function blogData(api: Api): Described {
  return { ...blogOf(api), publisher: publisherOf(api) }
}

/** The way to a page from the list of all posts. */
export function breadcrumbData(
  api: Api,
  last: { name: string; path: string },
): Exclude<BreadcrumbList, string> {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      {
        '@type': 'ListItem',
        position: 1,
        name: texts.places.allPosts,
        item: addressOf(api, '/post'),
      },
      { '@type': 'ListItem', position: 2, name: last.name, item: addressOf(api, last.path) },
    ],
  }
}
