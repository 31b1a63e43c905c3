// The addresses inside post bodies: which may stay, and in which spelling (threat-model.md §8
// "URLs"). Fetches none of them.
import { isId } from '#contract/ids.ts'

export type AddressNeeds = {
  /** The site's own origin; relative addresses are read against it. */
  publicUrl: string
  /** Every spelling of the own origin, and the front ends that may use this server. */
  allowedOrigins: readonly string[]
  contentBucketId: string
}

export type Addresses = {
  /** Where a link may lead: http, https, mailto, tel or the same site (then without the origin). */
  toLink(address: string): string | undefined
  /** An http or https address of anywhere, written out. */
  toWeb(address: string): string | undefined
  /** The same, but undefined for this site. */
  toForeign(address: string): string | undefined
  /** A file of the content bucket, as a path of this site. */
  toOwnFile(address: string): string | undefined
  /** A small picture inside the address itself. */
  toDataImage(address: string): string | undefined
  /** The player of a known video host. */
  toPlayer(address: string): string | undefined
}

const ADDRESS_MAX_CHARS = 4000
const DATA_IMAGE_MAX_BYTES = 100 * 1024
const DATA_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/i
const VIDEO_ID = /^[A-Za-z0-9_-]{1,64}$/
const YOUTUBE_HOSTS = [
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]
const VIMEO_HOSTS = ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com']

export function makeAddresses({
  publicUrl,
  allowedOrigins,
  contentBucketId,
}: AddressNeeds): Addresses {
  const ownOrigins = [publicUrl, ...allowedOrigins]

  function parse(address: string): URL | undefined {
    if (address.length > ADDRESS_MAX_CHARS || address.trim() === '') return undefined
    try {
      return new URL(address, `${publicUrl}/`)
    } catch {
      return undefined
    }
  }

  function parseWeb(address: string): URL | undefined {
    const url = parse(address)
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined
    url.username = ''
    url.password = ''
    return url
  }

  return {
    toLink(address) {
      const url = parse(address)
      if (url && ['mailto:', 'tel:'].includes(url.protocol)) return url.href
      const web = parseWeb(address)
      if (!web || web.origin !== new URL(publicUrl).origin || web.pathname.startsWith('//'))
        return web?.href
      return address.trim().startsWith('#')
        ? web.hash || '#'
        : `${web.pathname}${web.search}${web.hash}`
    },
    toWeb: (address) => parseWeb(address)?.href,
    toForeign(address) {
      const url = parseWeb(address)
      return url && !ownOrigins.includes(url.origin) ? url.href : undefined
    },
    toOwnFile(address) {
      const url = parseWeb(address)
      if (!url || !ownOrigins.includes(url.origin)) return undefined
      const [, fileId, kind] =
        /^\/v1\/storage\/buckets\/[^/]+\/files\/([^/]+)\/(view|preview|download)$/.exec(
          url.pathname,
        ) ?? []
      const path = `/v1/storage/buckets/${contentBucketId}/files/${fileId}/${kind}`
      return isId(fileId) && url.pathname === path ? path + url.search : undefined
    },
    toDataImage(address) {
      const [, type = '', bytes] = DATA_IMAGE.exec(address.trim()) ?? []
      return bytes !== undefined && (bytes.length * 3) / 4 <= DATA_IMAGE_MAX_BYTES
        ? `data:${type.toLowerCase()};base64,${bytes}`
        : undefined
    },
    toPlayer(address) {
      const url = parseWeb(address)
      if (!url) return undefined
      const parts = url.pathname.split('/').filter(Boolean)
      if (url.hostname === 'youtu.be') return youtube(parts[0])
      if (YOUTUBE_HOSTS.includes(url.hostname)) {
        return youtube(
          ['embed', 'shorts', 'v', 'live'].includes(parts[0] ?? '')
            ? parts[1]
            : parts[0] === 'watch'
              ? url.searchParams.get('v')
              : null,
        )
      }
      const number = VIMEO_HOSTS.includes(url.hostname) ? parts.at(-1) : undefined
      return number && /^\d{1,20}$/.test(number)
        ? `https://player.vimeo.com/video/${number}`
        : undefined
    },
  }
}

function youtube(id: string | null | undefined): string | undefined {
  return id && VIDEO_ID.test(id) ? `https://www.youtube-nocookie.com/embed/${id}` : undefined
}
