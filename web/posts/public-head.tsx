// What a page for everybody puts into the document's head: its title, its canonical address, and
// the metadata for search engines, link previews and feed readers.

import { Rss } from 'lucide-react'
import type { Blog, BreadcrumbList, Organization, Thing } from 'schema-dts'
import { isolateBidi } from '#contract/visible-text.ts'
import { type Api, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/screens.tsx'

type AboutPageProps = {
  type: 'website' | 'article'
  title: string
  description: string
  /** From the root of the site. */
  path: string
  isIndexed: boolean
}

/** The one address of a page, and what other sites show of a link to it. */
export function AboutPage({ type, title, description, path, isIndexed }: AboutPageProps) {
  const api = useApi()
  const address = addressOf(api, path)
  return (
    <>
      {!isIndexed && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={address} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={api.settings.siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
    </>
  )
}

type PublicHeadProps = {
  screen: string
  description: string
  /** From the root of the site. */
  path: string
  /** Search engines may list it. Where only members read they never do. */
  isIndexed?: boolean
  /** What the page is about, told to search engines where they may list it. */
  data?: Described[]
}

export function PublicHead({
  screen,
  description,
  path,
  isIndexed = true,
  data = [],
}: PublicHeadProps) {
  const { reading } = useApi().settings
  const isHidden = !isIndexed || reading === 'members'
  return (
    <>
      <PageTitle screen={isolateBidi(screen)} description={description} />
      <AboutPage
        type="website"
        title={screen}
        isIndexed={!isHidden}
        description={description}
        path={path}
      />
      <meta name="twitter:card" content="summary" />
      {!isHidden &&
        data.map((value) => <StructuredData key={JSON.stringify(value)} value={value} />)}
    </>
  )
}

// What a page is about, as data for search engines (schema.org), which the page itself shows, too.

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

// Where programs that follow a blog find its feeds, in the head of its pages.

const FORMATS = [
  ['xml', 'application/atom+xml'],
  ['json', 'application/feed+json'],
] as const

type FeedLinksProps = {
  /** The path of the page that the feeds are of; empty for those of all posts. */
  of: string
  title: string
}

/** In addition to the feeds of all posts, which are in every head. */
export function FeedAlternates(props: FeedLinksProps) {
  const { settings } = useApi()
  return settings.reading === 'members' ? null : <FeedLinks {...props} />
}

export function FeedLinks({ of, title }: FeedLinksProps) {
  return FORMATS.map(([end, type]) => (
    <link key={end} rel="alternate" type={type} href={feedPath(of, end)} title={title} />
  ))
}

export function feedPath(of: string, end: 'xml' | 'json' = 'xml'): string {
  return `${of}/feed.${end}`
}

/** For readers who follow a list, where everybody may read it. */
export function FeedLink({ of }: { of: string }) {
  const { settings } = useApi()
  if (settings.reading !== 'everyone') return null
  return (
    <a className="link" href={feedPath(of)}>
      <Rss className="icon icon--small" aria-hidden="true" />
      {texts.pages.feed}
    </a>
  )
}
