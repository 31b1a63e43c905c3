// The canonical URL of a page for guests: every other form of it would be rendered and cached
// separately (decision 0082).
import { APP_WORDS } from '#contract/blog-links.ts'
import { isId } from '#contract/ids.ts'
import { readCommentsQuery, writeCommentsQuery } from '#contract/post-url.ts'
import type { SiteSettings } from '#contract/site-settings.ts'

/** The fixed path segments of pages (web/routes.tsx) after the first one. */
const LATER_WORDS = ['deleted', 'versions', 'compare']

/** The only parameters of the query that select another page are those of comments. */
const POST_PAGE = /^\/post\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*)|$)/
/** A page such as "/about". The query of a sign-in link belongs to its address. */
const BLOG_PAGE = /^\/([^/?.]+)(?=$|\?(?!.*\bsecret=))/
/** The public lists: a word alone, or a word and a name. */
const LIST_PAGE = /^\/(?:(post|search)|(author|tag)\/([^/]+))$/

/**
 * Where to redirect a page's URL that has upper case, escapes or superfluous slashes.
 *
 * @param url path and query of a request
 * @returns undefined when the path is canonical or not one of our pages. A redirect leads to the
 *   front page or begins with one of our words, so that it never leads to another site
 */
export function findRedirectUrl(url: string): string | undefined {
  const [path = ''] = url.split('?', 1)
  const query = url.slice(path.length)
  const [first, ...rest] = resolveDots(path).split('/').filter(Boolean)
  if (first === undefined) return path === '/' ? undefined : `/${query}`
  const page = APP_WORDS.find((word) => isWord(first, word))
  if (page === undefined) return undefined
  // The segment after "edit-post" is an id.
  const fixedFrom = { dashboard: 0, 'edit-post': 1 }[page] ?? rest.length
  const others = rest.map((part, index) =>
    index < fixedFrom ? part : (LATER_WORDS.find((word) => isWord(part, word)) ?? part),
  )
  const canonicalPath = `/${[page, ...others].join('/')}`
  return canonicalPath === path ? undefined : canonicalPath + query
}

/** The path with `.` and `..` resolved, as the router will see it. */
function resolveDots(path: string): string {
  return new URL(`http://localhost${path}`).pathname
}

function isWord(part: string, word: string): boolean {
  return decodeOrKeep(part).toLowerCase() === word.toLowerCase()
}

/** @param url path and query of a request, after {@link findRedirectUrl} */
export function canonicalPageUrl(url: string, { reading }: Pick<SiteSettings, 'reading'>): string {
  const [, segment = '', words = '', query = ''] = POST_PAGE.exec(url) ?? []
  const slug = decodeOrKeep(segment)
  if (isId(slug)) {
    const path = words === '' ? '' : `/${encodeURIComponent(decodeOrKeep(words))}`
    return `/post/${slug}${path}${writeCommentsQuery(readCommentsQuery(query))}`
  }
  const page = BLOG_PAGE.exec(url)?.[1]
  if (page && !APP_WORDS.includes(page)) return `/${page}`
  // The guard that sends visitors to the sign-in page needs the whole URL to return them to.
  return reading === 'everyone' ? listUrl(url) : url
}

/**
 * The canonical URL of a page that looks the same to all members, and the id of its post, if any.
 *
 * @param url path and query of a request, after {@link findRedirectUrl}
 * @param userId the member, whose own page as an author is for them alone
 */
export function findSharedPage(url: string, userId: string): SharedPage | undefined {
  const address = canonicalPageUrl(url, { reading: 'everyone' })
  const postId = POST_PAGE.exec(address)?.[1]
  if (postId !== undefined) return { address, postId }
  const path = address.split('?')[0] ?? ''
  const isList = LIST_PAGE.test(path) && path !== `/author/${userId}`
  return isList ? { address } : undefined
}

export type SharedPage = { address: string; postId?: string }

function listUrl(url: string): string {
  const [requestPath = '', ...rest] = url.split('?')
  const [, word, page = word, name] = LIST_PAGE.exec(requestPath) ?? []
  if (page === undefined) return url
  const requested = new URLSearchParams(rest.join('?'))
  const query = new URLSearchParams()
  for (const key of page === 'search' ? ['q', 'page'] : ['after']) {
    const value = requested.get(key)
    if (value) query.set(key, value)
  }
  const path = name === undefined ? `/${page}` : `/${page}/${canonicalSegment(name)}`
  return query.size > 0 ? `${path}?${query}` : path
}

function canonicalSegment(part: string): string {
  const decoded = decodeOrKeep(part)
  // Decoded dots would be resolved as part of the path.
  return /^\.{1,2}$/.test(decoded) ? part : encodeURIComponent(decoded)
}

function decodeOrKeep(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
