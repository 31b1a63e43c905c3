// The addresses of the old site: which of them are its own, the one form in which they are
// compared, and the original of a picture that it shows in several sizes. Reads nothing.
import { hash } from 'node:crypto'
import type { SourceKind } from '#contract/archive.ts'
import { isAppAddress } from '#contract/blog-links.ts'
import { normaliseUnicode } from '#contract/plain-text.ts'
import type { SourceSite } from '../sources/source.ts'
import { fitKey } from './import-ids.ts'

export type OldSite = {
  kind: SourceKind
  /** The address of its home page, with a slash at its end; undefined if it is not known. */
  home: URL | undefined
  /** Its hosts, in lower case, with ports. */
  hosts: ReadonlySet<string>
  /** Where the program itself stores the pictures of all its sites. */
  pictureHosts: ReadonlySet<string>
}

/** Medium and Substack give sites no place of their own for pictures. */
const PICTURE_HOSTS: Partial<Record<SourceKind, readonly string[]>> = {
  medium: ['cdn-images-1.medium.com', 'cdn-images-2.medium.com', 'miro.medium.com'],
  substack: [
    'substackcdn.com',
    'cdn.substack.com',
    'substack-post-media.s3.amazonaws.com',
    'bucketeer-e05bbc84-baa3-437e-9518-adb32be77984.s3.amazonaws.com',
  ],
}
const WORDPRESS_COM = /^([^.]+)\.wordpress\.com$/
/** Serves pictures of WordPress sites in other sizes: the path begins with the site's host. */
const RESIZING_HOST = /^i[0-3]\.wp\.com$/

/** @param oldAddress as the person entered it; empty for none */
export function readOldSite(
  kind: SourceKind,
  site: Pick<SourceSite, 'url'>,
  oldAddress: string,
): OldSite {
  const homes = [site.url, oldAddress].map(parseHome).filter((url) => url !== undefined)
  const hosts = new Set<string>()
  for (const { host } of homes) {
    const bare = host.replace(/^www\./, '')
    hosts.add(bare).add(`www.${bare}`)
    const [, name] = WORDPRESS_COM.exec(bare) ?? []
    if (name !== undefined) hosts.add(`${name}.files.wordpress.com`)
  }
  return { kind, home: homes[0], hosts, pictureHosts: new Set(PICTURE_HOSTS[kind]) }
}

function parseHome(address: string): URL | undefined {
  const text = address.trim()
  if (text === '') return undefined
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  return new URL(path, url.origin)
}

/** Names the old site in `importedItem`, the same for each of its exports. */
export function sourceName({ kind, home }: OldSite, site: SourceSite, treeName: string): string {
  const place = home && home.host.replace(/^www\./, '') + home.pathname.replace(/\/$/, '')
  const file = treeName.replace(/(?:\.(?:zip|xml|json|md))+$/i, '')
  return `${kind}:${(place || site.name || file).toLowerCase().slice(0, 300)}`
}

/** An address of an export in full; undefined when it is none, or has no known base. */
export function toFullAddress({ home }: OldSite, address: string, base?: string): URL | undefined {
  const text = address.trim()
  if (text === '' || text.startsWith('tree:')) return undefined
  const url = URL.parse(text, base && URL.canParse(base) ? base : home) ?? undefined
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined
}

// --- addresses of posts

const ADDRESS_MAX_CHARS = 500
/** The parameters of a query that name a post. */
const QUERY = /^\?(?:.*&)?(p|page_id)=(\d{1,12})(?:&|$)/

/**
 * The form of a path, with its query, in which addresses are stored and looked up: without escapes,
 * in lower case, without slashes at its end.
 *
 * @returns undefined for the home page, and for paths that are too long or have a NUL
 */
export function normaliseAddress(pathAndQuery: string): string | undefined {
  const [path = ''] = pathAndQuery.split(/[?#]/, 1)
  const [, name, id] = QUERY.exec(pathAndQuery.slice(path.length).split('#', 1)[0] ?? '') ?? []
  if (id !== undefined) return `/?${name}=${id}`
  const segments = path.split('/').map(decode).filter(Boolean)
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined
  const address = normaliseUnicode(`/${segments.join('/')}`).toLowerCase()
  const isNone = address === '/' || address.length > ADDRESS_MAX_CHARS || address.includes('\0')
  return isNone ? undefined : address
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const FEEDS =
  /^\/(?:(?:feed|rss|atom|index|rss2)(?:\.xml)?|feed\/(?:rss2?|atom|feed)|feeds\/posts\/default)$/

/** Whether other programs have their feed at this address. */
export function isFeedAddress(address: string): boolean {
  return FEEDS.test(address)
}

/** Ids that this program makes; such an address may become that of a post here. */
const OWN_ID = /^[0-9a-f]{20}$/

/**
 * Whether an address may lead to an imported post: never one that this blog uses itself. Other
 * programs have posts below `/post/` and `/posts/`, too: there what follows must be no id.
 * The feeds of the old blog are those of all its authors, not of one.
 */
export function mayLead(address: string, isWholeBlog: boolean): boolean {
  if (!isWholeBlog && isFeedAddress(address)) return false
  if (address.startsWith('/?')) return true
  const [first = '', second] = address.slice(1).split('/')
  if (first.startsWith('.') || /[\p{Cc}\\]/u.test(address)) return false
  if (first === 'post' || first === 'posts') return second !== undefined && !OWN_ID.test(second)
  return !isAppAddress(first)
}

/** The stored form of the addresses of a post, the current one first, each once. */
export function addressesOf(
  site: OldSite,
  { url, addresses }: { url: string; addresses: string[] },
): string[] {
  const full = toFullAddress(site, url)
  const isOwn = full && (site.hosts.size === 0 || site.hosts.has(full.host))
  const paths = [...(isOwn ? [full.pathname + full.search] : []), ...addresses]
  return [...new Set(paths.map(normaliseAddress).filter((address) => address !== undefined))]
}

// --- pictures

export type PictureSource = {
  /** The same for all sizes of a picture. */
  key: string
  /** A path in the tree; undefined for an address. */
  path: string | undefined
  /** Where it may be fetched, the original first; empty for a picture of another site. */
  addresses: string[]
  /** Names of its file, the original first. */
  names: string[]
  /** The bytes of a picture that is written in the text, in base64. */
  data?: string
}

const DATA_PICTURE = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/i

/** `-300x200`, as WordPress adds it to the names of smaller versions. */
const SIZE_IN_NAME = /-\d{2,5}x\d{2,5}(?=\.[a-z]{3,4}$)/i
/** `/size/w600/`, as Ghost has it in the addresses of smaller versions. */
const SIZE_IN_PATH = /\/size\/(?:w\d+)?(?:h\d+)?(?:\/format\/\w+)?(?=\/)/

/**
 * @param address as a post has it
 * @param base the address of the post
 * @param isOriginal whether the media library has a picture with this key: names of originals may
 *   end like those of smaller versions
 */
export function readPicture(
  site: OldSite,
  address: string,
  base: string,
  isOriginal: (key: string) => boolean,
): PictureSource | undefined {
  if (address.startsWith('tree:')) {
    const path = address.slice('tree:'.length)
    return { key: fitKey(address), path, addresses: [], names: [path] }
  }
  if (address.startsWith('data:')) {
    const [, data] = DATA_PICTURE.exec(address) ?? []
    const key = `data:${hash('sha256', address)}`
    return data === undefined ? undefined : { key, path: undefined, addresses: [], names: [], data }
  }
  const full = toFullAddress(site, address, base)
  // Without a known site, only the tree can have it.
  if (!full)
    return site.home || !/^\/(?!\/)/.test(address)
      ? undefined
      : { key: fitKey(address), path: undefined, addresses: [], names: [decodePath(address)] }
  const url = withoutResizing(site, full)
  const isOwn = site.hosts.has(url.host) || site.pictureHosts.has(url.host)
  if (!site.pictureHosts.has(url.host)) url.search = ''
  url.hash = ''
  const original = new URL(url)
  original.pathname = url.pathname.replace(SIZE_IN_PATH, '')
  if (!isOriginal(pictureKey(original.href)))
    original.pathname = original.pathname.replace(SIZE_IN_NAME, '')
  const urls = [...new Set([original.href, url.href])]
  return {
    key: isOwn ? pictureKey(original.href) : fitKey(original.href),
    path: undefined,
    addresses: isOwn ? urls : [],
    names: isOwn ? urls.map((href) => decodePath(new URL(href).pathname)) : [],
  }
}

/** The same file, with and without TLS. */
export function pictureKey(href: string): string {
  return fitKey(href.replace(/^https?:\/\/(?:www\.)?/, 'https://'))
}

function withoutResizing(site: OldSite, url: URL): URL {
  if (!RESIZING_HOST.test(url.host)) return new URL(url)
  const [, host = ''] = url.pathname.split('/', 2)
  if (!site.hosts.has(host)) return new URL(url)
  return new URL(`https:/${url.pathname}`)
}

function decodePath(path: string): string {
  return path.split('/').map(decode).join('/').replace(/^\//, '')
}

/**
 * How well a path of the tree fits the path of an address: the number of segments, from the name of
 * the file, that both have; 0 for another file.
 */
export function fitOf(treePath: string, addressPath: string): number {
  const tree = treePath.toLowerCase().split('/').reverse()
  const address = addressPath.toLowerCase().split('/').reverse()
  const different = tree.findIndex((segment, at) => segment !== address[at])
  return different === -1 ? tree.length + address.length : different
}
