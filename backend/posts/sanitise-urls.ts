// The addresses inside post bodies: which may stay, and in which spelling (threat-model.md §8
// "URLs"). Fetches none of them.
import { isId } from '#contract/ids.ts'
import { parseVideo } from '#contract/videos.ts'

export type AddressNeeds = {
  /** The site's own origin; relative addresses are read against it. */
  publicUrl: string
  /** Every spelling of the own origin, and the front ends that may use this server. */
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
 * @returns undefined for every other scheme, and for places within the text itself, such as a
 *   footnote: a post keeps no ids, and the page on which it was written is nobody else's
 */
export function toLinkAddress(needs: AddressNeeds, address: string): string | undefined {
  const url = parseAddress(needs, address)
  if (url && ['mailto:', 'tel:'].includes(url.protocol)) return url.href
  const web = parseWebAddress(needs, address)
  if (!web || isWithinText(needs, address, web)) return undefined
  if (web.origin !== new URL(needs.publicUrl).origin || web.pathname.startsWith('//'))
    return web.href
  return `${web.pathname}${web.search}${web.hash}`
}

function isWithinText(needs: AddressNeeds, address: string, url: URL): boolean {
  if (address.trim().startsWith('#')) return true
  return url.hash !== '' && isOwnOrigin(needs, url) && WRITING_PATH.test(url.pathname)
}

/** A full http or https address of any site. */
export function toWebAddress(needs: AddressNeeds, address: string): string | undefined {
  return parseWebAddress(needs, address)?.href
}

/** A full http or https address of another site; undefined for this one. */
export function toForeignAddress(needs: AddressNeeds, address: string): string | undefined {
  const url = parseWebAddress(needs, address)
  return url && !isOwnOrigin(needs, url) ? url.href : undefined
}

/** A file of the content bucket, as a path of this site. */
export function toOwnFileAddress(needs: AddressNeeds, address: string): string | undefined {
  const url = parseWebAddress(needs, address)
  if (!url || !isOwnOrigin(needs, url)) return undefined
  const [, fileId, kind] = FILE_PATH.exec(url.pathname) ?? []
  const path = `/v1/storage/buckets/${needs.contentBucketId}/files/${fileId}/${kind}`
  return isId(fileId) && url.pathname === path ? path + url.search : undefined
}

/** A small image inside the address itself. */
export function toDataImageAddress(address: string): string | undefined {
  const [, type = '', bytes] = DATA_IMAGE.exec(address.trim()) ?? []
  return bytes !== undefined && (bytes.length * 3) / 4 <= DATA_IMAGE_MAX_BYTES
    ? `data:${type.toLowerCase()};base64,${bytes}`
    : undefined
}

/** The player of YouTube or Vimeo, from any form in which they write a video's address. */
export function toPlayerAddress(needs: AddressNeeds, address: string): string | undefined {
  const url = parseWebAddress(needs, address)
  return url && parseVideo(url.href)?.player
}

function isOwnOrigin({ publicUrl, allowedOrigins }: AddressNeeds, { origin }: URL): boolean {
  return origin === publicUrl || allowedOrigins.includes(origin)
}

function parseAddress({ publicUrl }: AddressNeeds, address: string): URL | undefined {
  if (address.length > ADDRESS_MAX_CHARS || address.trim() === '') return undefined
  return URL.parse(address, `${publicUrl}/`) ?? undefined
}

/** Without name and password, which browsers would send along. */
function parseWebAddress(needs: AddressNeeds, address: string): URL | undefined {
  const url = parseAddress(needs, address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined
  url.username = ''
  url.password = ''
  return url
}
