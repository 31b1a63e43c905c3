// Pictures and recordings in pasted HTML, and the addresses in it: what the server would not keep
// becomes a link or its own words at once (threat-model.md §8). Loads nothing.

import { linkTo } from './foreign-media.ts'

const MEDIA = 'img,video,audio,iframe,embed,object'
const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i
const OWN_FILE = /^\/v1\/storage\/buckets\/[^/]+\/files\/[^/]+\/(?:view|preview|download)$/

/**
 * Where a link may lead, in the server's spelling; undefined for dead ends: other schemes, and
 * places in a text that has none.
 */
export function readLink(address: string | null): string | undefined {
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
 * Pictures of this site stay, and those inside the text: as data, or a file that the editor holds
 * until it is stored.
 */
export function linkMedia(body: Element): void {
  for (const media of [...body.querySelectorAll(MEDIA)].reverse()) {
    const address = readAddress(media)
    if (
      media.localName === 'img' &&
      (DATA_IMAGE.test(address) || isHeldFile(address) || isOwnFile(address))
    )
      continue
    const href = isOwn(address) ? undefined : readLink(address)
    if (isTracker(media)) media.remove()
    else if (href)
      media.replaceWith(
        media.localName === 'img' ? linkTo(media, href) : boxed(linkTo(media, href)),
      )
    else media.replaceWith(media.getAttribute('alt')?.replace(/\s+/g, ' ').trim() ?? '')
  }
}

/**
 * The descriptions of the pictures when nothing else was copied; empty when there are words, too.
 *
 * @param html without handlers and styles: it is parsed
 */
export function findLonePictures(html: string): string[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return body.textContent?.trim()
    ? []
    : [...body.querySelectorAll('img')].map(({ alt }) => alt.replace(/\s+/g, ' ').trim())
}

/** Recordings and players stand for themselves, as a line of their own. */
function boxed(node: Node): Element {
  const box = document.createElement('div')
  box.append(node)
  return box
}

function readAddress(media: Element): string {
  const own = media.getAttribute('src') ?? media.getAttribute('data') ?? ''
  return own || (media.querySelector('source')?.getAttribute('src') ?? '')
}

function isHeldFile(address: string): boolean {
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

/** Mails and pages count their readers by pictures of one dot. */
function isTracker(media: Element): boolean {
  return (
    media.localName === 'img' &&
    ['width', 'height'].every((side) => /^[01](?:px)?$/.test(media.getAttribute(side) ?? ''))
  )
}
