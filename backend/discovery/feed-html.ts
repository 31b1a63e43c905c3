// The HTML of a post as programs that follow feeds can show it: every address in full, players of
// other sites as links, nothing that only makes sense on our own pages. The server has cleaned it,
// so that tags are well-formed and text is escaped: string replacement is enough.

export type FeedHtmlNeeds = { publicUrl: string; projectId: string }

const TAG = /<[a-z][^<>]*>/gi
const FRAME = /<iframe\b([^<>]*)>[^<]*(?:<\/iframe\s*>)?/gi
const ATTRIBUTE = /\s([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi
const ADDRESSES = new Set(['href', 'src', 'poster', 'cite'])
/** Made for our pages: colours and sizes that fit no other ground, and new windows. */
const OURS = new Set(['style', 'target', 'class', 'loading', 'decoding'])
const CODE_LANGUAGE = /^language-\S+$/
const OWN_FILE = /^\/v1\/storage\/buckets\//
const YOUTUBE = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([\w-]+)/
const VIMEO = /^https:\/\/player\.vimeo\.com\/video\/(\d+)/

/** @param postUrl the full address of the post's page, for links within the text */
export function feedHtml(needs: FeedHtmlNeeds, html: string, postUrl: string): string {
  return html
    .replace(FRAME, (_all, attributes: string) => toLink(attributes))
    .replace(TAG, (tag) =>
      tag.replace(ATTRIBUTE, (all, name: string, value = '') => {
        if (ADDRESSES.has(name)) return ` ${name}="${toFullAddress(needs, value, postUrl)}"`
        const isLanguage = name === 'class' && CODE_LANGUAGE.test(value)
        return OURS.has(name) && !isLanguage ? '' : all
      }),
    )
}

/** Escaped, as it stood. */
function toFullAddress(needs: FeedHtmlNeeds, address: string, postUrl: string): string {
  if (address.startsWith('#')) return postUrl + address
  if (!address.startsWith('/')) return address
  const full = needs.publicUrl + address
  // Without the project the API answers nobody.
  if (!OWN_FILE.test(address) || /[?;&]project=/.test(address)) return full
  return `${full}${address.includes('?') ? '&amp;' : '?'}project=${needs.projectId}`
}

function toLink(attributes: string): string {
  const player = readValue(attributes, 'src')
  const youtube = YOUTUBE.exec(player)?.[1]
  const vimeo = VIMEO.exec(player)?.[1]
  const page = youtube
    ? `https://www.youtube.com/watch?v=${youtube}`
    : vimeo
      ? `https://vimeo.com/${vimeo}`
      : player
  if (!/^https?:/i.test(page)) return ''
  return `<a href="${page}">${readValue(attributes, 'title') || page}</a>`
}

/** Escaped for an attribute, so for text as well. */
function readValue(attributes: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(attributes)?.[1] ?? ''
}
