// Images and recordings of other sites: a post shows none (threat-model.md §8), so they become
// links as soon as they come into the text, as they would on saving. Runs in the browser only.

const MAY_LOAD = /<(?:img|video|audio)\b/i

/**
 * The same HTML with a link in place of each image or recording that is not of this site;
 * untouched when there is none.
 */
export function linkForeignMedia(html: string): string {
  if (!MAY_LOAD.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const foreign = [...body.querySelectorAll('img, video, audio')].filter(
    (media) => findForeign(media) !== undefined,
  )
  if (foreign.length === 0) return html
  for (const media of foreign) media.replaceWith(linkTo(media, findForeign(media) ?? ''))
  return body.innerHTML
}

function findForeign(media: Element): string | undefined {
  const addresses = [media, ...media.querySelectorAll('source')].map(
    (one) => one.getAttribute('src') ?? '',
  )
  return addresses.find(
    (address) =>
      /^(?:https?:)?\/\//i.test(address.trim()) &&
      URL.canParse(address, location.href) &&
      new URL(address, location.href).origin !== location.origin,
  )
}

/**
 * A link to an image or recording. Inside a link the text is enough: it leads somewhere already.
 */
export function linkTo(media: Element, address: string): Node {
  const text = media.getAttribute('alt')?.trim() || media.getAttribute('title')?.trim() || address
  if (media.closest('a')) return document.createTextNode(text)
  const link = document.createElement('a')
  link.href = address
  link.textContent = text
  return link
}
