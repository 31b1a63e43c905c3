// URLs in post bodies: which are allowed, and their normalised form (threat-model.md §8 "URLs").
// Fetches none of them.
import { isId } from '#contract/ids.ts'
import { parseVideo } from '#contract/videos.ts'

export type AddressOptions = {
  /** The site's own origin, the base of relative addresses. */
  publicUrl: string
  /** Other origins of this site, and the front ends that may use this server. */
  allowedOrigins: readonly string[]
  contentBucketId: string
}

const ADDRESS_MAX_CHARS = 4000
const DATA_IMAGE_MAX_BYTES = 100 * 1024
const DATA_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/i
const WRITING_PATH = /^\/(?:add-post|edit-post\/[^/]+)\/?$/
const FILE_PATH = /^\/v1\/storage\/buckets\/[^/]+\/files\/([^/]+)\/(view|preview|download)$/

/**
 * Where a link may lead: http, https, mailto, tel or a path of this site.
 *
 * @returns undefined for every other scheme, and for a link to the text itself, such as a footnote:
 *   cleaning removes ids, and only the author can open the page on which the post was written
 */
export function toLinkAddress(addresses: AddressOptions, address: string): string | undefined {
  const url = parseAddress(addresses, address)
  if (url && ['mailto:', 'tel:'].includes(url.protocol)) return url.href
  const webUrl = parseWebAddress(addresses, address)
  if (!webUrl || isWithinText(addresses, address, webUrl)) return undefined
  if (webUrl.origin !== new URL(addresses.publicUrl).origin || webUrl.pathname.startsWith('//'))
    return webUrl.href
  return `${webUrl.pathname}${webUrl.search}${webUrl.hash}`
}

function isWithinText(addresses: AddressOptions, address: string, url: URL): boolean {
  if (address.trim().startsWith('#')) return true
  return url.hash !== '' && isOwnOrigin(addresses, url) && WRITING_PATH.test(url.pathname)
}

/** A full http or https address of any site. */
export function toWebAddress(addresses: AddressOptions, address: string): string | undefined {
  return parseWebAddress(addresses, address)?.href
}

/** A full http or https address of another site; undefined for this site. */
export function toForeignAddress(addresses: AddressOptions, address: string): string | undefined {
  const url = parseWebAddress(addresses, address)
  return url && !isOwnOrigin(addresses, url) ? url.href : undefined
}

/** A file of the content bucket, as a path of this site. */
export function toOwnFileAddress(addresses: AddressOptions, address: string): string | undefined {
  const url = parseWebAddress(addresses, address)
  if (!url || !isOwnOrigin(addresses, url)) return undefined
  const [, fileId, kind] = FILE_PATH.exec(url.pathname) ?? []
  const path = `/v1/storage/buckets/${addresses.contentBucketId}/files/${fileId}/${kind}`
  return isId(fileId) && url.pathname === path ? path + url.search : undefined
}

/** A small image as a data URL. */
export function toDataImageAddress(address: string): string | undefined {
  const [, type = '', bytes] = DATA_IMAGE.exec(address.trim()) ?? []
  return bytes !== undefined && (bytes.length * 3) / 4 <= DATA_IMAGE_MAX_BYTES
    ? `data:${type.toLowerCase()};base64,${bytes}`
    : undefined
}

/** The player of YouTube or Vimeo, for any form of a video's address. */
export function toPlayerAddress(addresses: AddressOptions, address: string): string | undefined {
  const url = parseWebAddress(addresses, address)
  return url && parseVideo(url.href)?.playerUrl
}

function isOwnOrigin({ publicUrl, allowedOrigins }: AddressOptions, { origin }: URL): boolean {
  return origin === publicUrl || allowedOrigins.includes(origin)
}

function parseAddress({ publicUrl }: AddressOptions, address: string): URL | undefined {
  if (address.length > ADDRESS_MAX_CHARS || address.trim() === '') return undefined
  return URL.parse(address, `${publicUrl}/`) ?? undefined
}

/** Without user name and password, which browsers would otherwise send. */
function parseWebAddress(addresses: AddressOptions, address: string): URL | undefined {
  const url = parseAddress(addresses, address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined
  url.username = ''
  url.password = ''
  return url
}
