// The elements of a public page in the document's head: its title, its canonical address, and the
// metadata for search engines, link previews and feed readers.

import { Rss } from 'lucide-react'
import type { Blog, BreadcrumbList, Organization, Thing } from 'schema-dts'
import { isolateBidi } from '#contract/visible-text.ts'
import { type Api, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { PageTitle } from '../ui/screens.tsx'

type PageMetadataProps = {
  type: 'website' | 'article'
  title: string
  description: string
  /** From the root of the site. */
  path: string
  isIndexed: boolean
  /** The address of the original, if the text was published elsewhere first. */
  original?: string | undefined
}

/** The canonical address of a page, and the metadata that other sites show for a link to it. */
export function PageMetadata(props: PageMetadataProps) {
  const { type, title, description, path, isIndexed, original } = props
  const api = useApi()
  const address = addressOf(api, path)
  return (
    <>
      {!isIndexed && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={original || address} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={api.settings.siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
    </>
  )
}

type PublicHeadProps = {
  screenTitle: string
  description: string
  /** From the root of the site. */
  path: string
  /** Search engines may list the page, unless only members may read the blog. */
  isIndexed?: boolean
  /** Structured data about the page, included if search engines may list it. */
  data?: StructuredThing[]
}

export function PublicHead({
  screenTitle,
  description,
  path,
  isIndexed = true,
  data = [],
}: PublicHeadProps) {
  const { reading } = useApi().settings
  const isHidden = !isIndexed || reading === 'members'
  return (
    <>
      <PageTitle screen={isolateBidi(screenTitle)} description={description} />
      <PageMetadata
        type="website"
        title={screenTitle}
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

// Structured data for search engines (schema.org). The page itself shows the same facts.

export type StructuredThing = Exclude<Thing, string>

/** A data block, which the browser never runs; no value can close the element. */
export function StructuredData({ value }: { value: StructuredThing }) {
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

/** An absolute address of this site. */
export function addressOf({ client }: Api, path: string): string {
  return new URL(path, client.config.endpoint).href
}

/** The publisher: the blog itself. */
export function publisherOf(api: Api): Organization {
  return { '@type': 'Organization', name: api.settings.siteName, url: addressOf(api, '/') }
}

/** The blog as structured data, for the list of all posts and the pages that belong to it. */
export function blogOf(api: Api): Exclude<Blog, string> {
  const { siteName, about } = api.settings
  return { '@type': 'Blog', name: siteName, description: about, url: addressOf(api, '/post') }
}

export function blogData(api: Api): StructuredThing {
  return { ...blogOf(api), publisher: publisherOf(api) }
}

/** The breadcrumb from the list of all posts to a page. */
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

// Links to the feeds: in the head of a page for feed readers, and on the screen.

const FORMATS = [
  ['xml', 'application/atom+xml'],
  ['json', 'application/feed+json'],
] as const

type FeedLinksProps = {
  /** The path of the page whose posts the feeds contain; empty for all posts. */
  pagePath: string
  title: string
}

/** Links in the head to the feeds of this page. Every head has links to the feeds of all posts. */
export function PageFeedHeadLinks(props: FeedLinksProps) {
  const { settings } = useApi()
  return settings.reading === 'members' ? null : <FeedLinks {...props} />
}

export function FeedLinks({ pagePath, title }: FeedLinksProps) {
  return FORMATS.map(([extension, type]) => (
    <link
      key={extension}
      rel="alternate"
      type={type}
      href={feedPath(pagePath, extension)}
      title={title}
    />
  ))
}

export function feedPath(pagePath: string, extension: 'xml' | 'json' = 'xml'): string {
  return `${pagePath}/feed.${extension}`
}

/** A link to the feed of a list, if everybody may read the blog. */
export function FeedLink({ pagePath }: { pagePath: string }) {
  const { settings } = useApi()
  if (settings.reading !== 'everyone') return null
  return (
    <a className="link" href={feedPath(pagePath)}>
      <Rss className="icon icon--small" aria-hidden="true" />
      {texts.pages.feed}
    </a>
  )
}
