// The one spelling of a page's address for guests: every other one would be a page of its own to be
// rendered and kept (decision 0024).
import { isId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/site-settings.ts'

/** Whatever stands behind the question mark, it is the same page. */
const POST_PAGE = /^\/post\/([^/?]+)(?:\/([^/?]+))?(\/?)(?:\?|$)/i
/** The lists that everybody may read, and what of their query counts. */
const LIST_PAGES: readonly { path: RegExp; counts: readonly string[] }[] = [
  { path: /^\/(post)\/?$/i, counts: ['after'] },
  { path: /^\/(author)\/([^/]+)\/?$/i, counts: ['after'] },
  // With a slash at its end it is redirected.
  { path: /^\/(tag)\/([^/]+)$/i, counts: ['after'] },
  { path: /^\/(search)\/?$/i, counts: ['q', 'page'] },
]

/** @param url path and query of a request */
export function pageAddress(url: string, { reading }: Pick<SiteSettings, 'reading'>): string {
  const [, sent = '', words = '', slash = ''] = POST_PAGE.exec(url) ?? []
  const slug = decodeOrKeep(sent)
  if (isId(slug))
    return words === ''
      ? `/post/${slug}`
      : `/post/${slug}/${encodeURIComponent(decodeOrKeep(words))}${slash}`
  // A guard that sends visitors to sign in needs the address as it was asked for.
  return reading === 'everyone' ? listAddress(url) : url
}

function listAddress(url: string): string {
  const [sent = '', ...rest] = url.split('?')
  for (const { path, counts } of LIST_PAGES) {
    const [, page, name] = path.exec(sent) ?? []
    if (page === undefined) continue
    const parts = [page.toLowerCase(), ...(name === undefined ? [] : [oneSpelling(name)])]
    const asked = new URLSearchParams(rest.join('?'))
    const kept = counts.flatMap((key) => {
      const value = asked.get(key)
      return value ? [[key, value]] : []
    })
    const query = kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''
    return `/${parts.join('/')}${query}`
  }
  return url
}

function oneSpelling(part: string): string {
  const decoded = decodeOrKeep(part)
  // A path would be gone through by its dots.
  return /^\.{1,2}$/.test(decoded) ? part : encodeURIComponent(decoded)
}

function decodeOrKeep(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
