// Images, videos and audio from other sites: a post shows none (threat-model.md §8), so they become
// links as soon as they are inserted, as they would on saving. Loads nothing.
import { imageEmoji } from '#contract/image-emoji.ts'

const MAY_LOAD = /<(?:img|video|audio)\b/i
const OWN_FILE = /^\/v1\/storage\/buckets\/[^/]+\/files\/[^/]+\/(?:view|preview|download)$/

/**
 * Returns the HTML with a link in place of each image or recording from another site; unchanged if
 * there is none.
 */
export function linkExternalMedia(html: string): string {
  if (!MAY_LOAD.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  let isChanged = false
  for (const media of body.querySelectorAll('img, video, audio')) {
    const emoji = media instanceof HTMLImageElement ? emojiOf(media) : undefined
    if (emoji !== undefined) {
      isChanged = true
      media.replaceWith(emoji)
      continue
    }
    const sources = [media, ...media.querySelectorAll('source')].map(addressOf)
    const address = sources.find(isExternal)
    if (address === undefined) continue
    isChanged = true
    const link = Object.assign(document.createElement('a'), { href: address })
    link.textContent = textOfMedia(media) || address
    // Inside a link the text is enough.
    media.replaceWith(media.closest('a') ? link.textContent : link)
  }
  return isChanged ? body.innerHTML : html
}

/** The emoji that an image from another site represents; undefined for a picture. */
export function emojiOf(image: HTMLImageElement): string | undefined {
  return imageEmoji((name) => image.getAttribute(name), isSiteFile(addressOf(image)))
}

/** The address in the tag of an image, a player, a video or audio. */
export function addressOf(media: Element): string {
  const address = media.getAttribute('src') ?? media.getAttribute('data') ?? ''
  return (address || (media.querySelector('source')?.getAttribute('src') ?? '')).trim()
}

export function textOfMedia(media: Element): string {
  return (media.getAttribute('alt')?.trim() || media.getAttribute('title')?.trim()) ?? ''
}

/** Whether the address is on another site. */
export function isExternal(address: string): boolean {
  return (
    /^(?:https?:)?\/\//i.test(address) && urlOf(address) !== undefined && !isSameOrigin(address)
  )
}

export function isSameOrigin(address: string): boolean {
  return (
    /^https?:$/.test(urlOf(address)?.protocol ?? '') && urlOf(address)?.origin === location.origin
  )
}

export function isSiteFile(address: string): boolean {
  return isSameOrigin(address) && OWN_FILE.test(urlOf(address)?.pathname ?? '')
}

/** An address with a scheme, a host or an absolute path; others depend on their original page. */
const IS_ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i

/**
 * The address of a link as the server writes it; undefined if the server does not allow its scheme,
 * and for anchors in the text, such as a footnote, because the server removes ids.
 */
export function parseLink(address: string | null): string | undefined {
  const trimmed = address?.trim() ?? ''
  const url = IS_ABSOLUTE.test(trimmed) ? urlOf(trimmed) : undefined
  if (!url || (isSameOrigin(url.href) && url.hash !== '' && url.pathname === location.pathname))
    return undefined
  if (['mailto:', 'tel:'].includes(url.protocol)) return url.href
  if (!['http:', 'https:'].includes(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  return url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
}

function urlOf(address: string): URL | undefined {
  return address !== '' && URL.canParse(address, location.href)
    ? new URL(address, location.href)
    : undefined
}
