// Crawls a site as a search engine does: from robots.txt to the sitemap, and from page to page by
// every link that it may follow.
import { textsOf } from './xml.ts'

export type CrawledPage = {
  html: string
  /** The path of its canonical address; empty when it names none. */
  canonical: string
  isIndexed: boolean
  /** Whether the sitemap lists it. */
  isListed: boolean
}

export type CrawlResult = {
  /** By path and query. */
  pages: Map<string, CrawledPage>
  /** Broken links, redirects that lead to another one, addresses of the sitemap that redirect. */
  faults: string[]
}

/** More than any site in a test has; stops the crawl of an endless site. */
const ADDRESSES_MAX = 2000
const ADDRESS = /<(?:a|link)\b[^>]*?\bhref="([^"]*)"[^>]*>/g
const HIDDEN = /<meta name="robots" content="[^"]*noindex/
/** Links to subresources, which a crawler does not follow. */
const PARTS = /\brel="(?:stylesheet|preload|modulepreload|expect|dns-prefetch)"/

export async function crawl(origin: string): Promise<CrawlResult> {
  const faults: string[] = []
  const pages = new Map<string, CrawledPage>()
  const robots = await (await fetch(`${origin}/robots.txt`)).text()
  const isAllowed = readRules(robots)
  const listed = await readSitemap(origin, robots, faults)
  const queue = new Map([...listed, '/'].map((path) => [path, listed.has(path) ? 'sitemap' : '']))
  for (const [path, from] of queue) {
    if (queue.size > ADDRESSES_MAX) throw new Error(`Addresses without end: ${path} on ${from}`)
    const answer = await fetch(origin + path, { redirect: 'manual' })
    const location = answer.headers.get('location')
    if (location !== null) {
      const next = new URL(location, origin + path)
      const end = await fetch(next, { redirect: 'manual' })
      if (listed.has(path)) faults.push(`${path} of the sitemap redirects`)
      if (end.status !== 200)
        faults.push(`${path} on ${from} leads over ${location}: ${end.status}`)
      continue
    }
    if (answer.status !== 200) faults.push(`${path} on ${from}: ${answer.status}`)
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    const html = await answer.text()
    if (!isPage) continue
    const links = linksOf(html, origin + path)
    const canonical = links.find(({ element }) => element.includes('rel="canonical"'))?.path ?? ''
    const isIndexed = !HIDDEN.test(html)
    pages.set(path, { html, canonical, isIndexed, isListed: listed.has(path) })
    for (const { path: next } of links)
      if (!queue.has(next) && isAllowed(next)) queue.set(next, path)
  }
  return { pages, faults }
}

function linksOf(html: string, base: string): { element: string; path: string }[] {
  return [...html.matchAll(ADDRESS)].flatMap(([element, href = '']) => {
    const url = URL.parse(href.replaceAll('&amp;', '&').replaceAll('&#x27;', "'"), base)
    if (!url || url.origin !== new URL(base).origin || PARTS.test(element)) return []
    return [{ element, path: url.pathname + url.search }]
  })
}

/** The paths that the sitemap names. */
async function readSitemap(origin: string, robots: string, faults: string[]): Promise<Set<string>> {
  const [, index = ''] = /^Sitemap: (\S+)$/m.exec(robots) ?? []
  const listed = new Set<string>()
  for (const file of textsOf(await (await fetch(index)).text(), 'loc')) {
    for (const address of textsOf(await (await fetch(file)).text(), 'loc')) {
      if (!address.startsWith(`${origin}/`)) faults.push(`${address} is not of this site`)
      listed.add(address.slice(origin.length))
    }
  }
  return listed
}

/** The longest rule decides (RFC 9309 §2.2.2). */
function readRules(robots: string): (path: string) => boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, start = '']) => ({
    isAllowed: kind === 'Allow',
    start,
  }))
  return (path) => {
    const matching = rules.filter(({ start }) => path.startsWith(start))
    const longest = matching.toSorted((one, other) => other.start.length - one.start.length)[0]
    return longest?.isAllowed ?? true
  }
}
