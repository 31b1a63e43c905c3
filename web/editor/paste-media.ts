// Images, players and links in pasted HTML: what the server would not keep becomes a link or its
// alternative text at once (threat-model.md §8). Loads nothing.

import { linkTo } from './foreign-media.ts'

const MEDIA = 'img,video,audio,iframe,embed,object'
const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i
const OWN_FILE = /^\/v1\/storage\/buckets\/[^/]+\/files\/[^/]+\/(?:view|preview|download)$/

/**
 * The address of a link as the server writes it; undefined for other schemes, and for places within
 * the page, since the server keeps no ids.
 */
export function parseLink(address: string | null): string | undefined {
  if (!address?.trim() || address.trim().startsWith('#') || !URL.canParse(address, location.href))
    return undefined
  const url = new URL(address, location.href)
  if (['mailto:', 'tel:'].includes(url.protocol)) return url.href
  if (!['http:', 'https:'].includes(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  return url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
}

/**
 * Replaces media by links, except images of this site and images that come with the text: as a data
 * URL, or as a blob that the editor holds until it is stored.
 */
export function convertMedia(body: Element): void {
  for (const media of [...body.querySelectorAll(MEDIA)].reverse()) {
    const address = addressOf(media)
    if (
      media.localName === 'img' &&
      (DATA_IMAGE.test(address) || isBlobUrl(address) || isOwnFile(address))
    )
      continue
    const href = isOwn(address) ? undefined : parseLink(address)
    if (isTracker(media)) media.remove()
    else if (href)
      media.replaceWith(
        media.localName === 'img' ? linkTo(media, href) : wrapInDiv(linkTo(media, href)),
      )
    else media.replaceWith(media.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? '')
  }
}

/**
 * The alternative texts of the images when nothing else was copied; empty when there is text, too.
 *
 * @param html without styles and event handlers, because it is parsed
 */
export function findLoneImages(html: string): string[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return body.textContent?.trim()
    ? []
    : [...body.querySelectorAll('img')].map(({ alt }) => alt.replace(/\s+/g, ' ').trim())
}

/** A link to a player is a line of its own. */
function wrapInDiv(node: Node): Element {
  const box = document.createElement('div')
  box.append(node)
  return box
}

function addressOf(media: Element): string {
  const own = media.getAttribute('src') ?? media.getAttribute('data') ?? ''
  return own || (media.querySelector('source')?.getAttribute('src') ?? '')
}

function isBlobUrl(address: string): boolean {
  return address.startsWith(`blob:${location.origin}/`)
}

function isOwn(address: string): boolean {
  return (
    URL.canParse(address, location.href) &&
    new URL(address, location.href).origin === location.origin
  )
}

function isOwnFile(address: string): boolean {
  return isOwn(address) && OWN_FILE.test(new URL(address, location.href).pathname)
}

/** An image of one pixel, by which mails and pages count their readers. */
function isTracker(media: Element): boolean {
  return (
    media.localName === 'img' &&
    ['width', 'height'].every((side) => /^[01](?:px)?$/.test(media.getAttribute(side) ?? ''))
  )
}
