// The one spelling of a page's address for guests: every other one would be a page of its own to be
// rendered and cached (decision 0082).
import { isId } from '#contract/ids.ts'
import { readCommentsQuery, writeCommentsQuery } from '#contract/post-url.ts'
import type { SiteSettings } from '#contract/site-settings.ts'

/** The fixed words of pages' addresses (web/routes.tsx): first ones, and those behind them. */
const FIRST_WORDS = [
  'post',
  'posts',
  'tag',
  'author',
  'search',
  'add-post',
  'edit-post',
  'dashboard',
  'settings',
  'login',
  'signup',
  'forgot',
  'dispatch',
  'invitation',
  'setup',
  'admin',
  'notifications',
  'verification',
  'verifyOAuth',
  'verifyUserEmailLink',
]
const LATER_WORDS = ['deleted', 'versions', 'compare']

/** Of its query, only other comments make it another page. */
const POST_PAGE = /^\/post\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*)|$)/
/** The lists that everybody may read, by a word alone or with a name behind it. */
const LIST_PAGE = /^\/(?:(post|search)|(author|tag)\/([^/]+))$/

/**
 * Where a page is asked for in another spelling, in upper case, escaped or with slashes too many.
 *
 * @param url path and query of a request
 * @returns undefined when the spelling is right, or the page is none of ours: what is returned
 *   begins with a word of ours, or is the front page, so that it never leads to another site
 */
export function findRedirectUrl(url: string): string | undefined {
  const [path = ''] = url.split('?', 1)
  const query = url.slice(path.length)
  const [first, ...rest] = resolved(path).split('/').filter(Boolean)
  if (first === undefined) return path === '/' ? undefined : `/${query}`
  const page = FIRST_WORDS.find((word) => isWord(first, word))
  if (page === undefined) return undefined
  // What stands directly behind "edit-post" is an id.
  const fixedFrom = { dashboard: 0, 'edit-post': 1 }[page] ?? rest.length
  const others = rest.map((part, index) =>
    index < fixedFrom ? part : (LATER_WORDS.find((word) => isWord(part, word)) ?? part),
  )
  const better = `/${[page, ...others].join('/')}`
  return better === path ? undefined : better + query
}

/** Without dots to be gone through, as the router will see it. */
function resolved(path: string): string {
  return new URL(`http://localhost${path}`).pathname
}

function isWord(part: string, word: string): boolean {
  return decodeOrKeep(part).toLowerCase() === word.toLowerCase()
}

/** @param url path and query of a request, in their {@link findRedirectUrl} */
export function canonicalPageUrl(url: string, { reading }: Pick<SiteSettings, 'reading'>): string {
  const [, sent = '', words = '', asked = ''] = POST_PAGE.exec(url) ?? []
  const slug = decodeOrKeep(sent)
  if (isId(slug)) {
    const path = words === '' ? '' : `/${encodeURIComponent(decodeOrKeep(words))}`
    return `/post/${slug}${path}${writeCommentsQuery(readCommentsQuery(asked))}`
  }
  // A guard that sends visitors to sign in needs the address as it was asked for.
  return reading === 'everyone' ? listAddress(url) : url
}

/**
 * Of a page that looks the same to all members, its address and the post that it shows, if any.
 *
 * @param url path and query of a request, in their {@link findRedirectUrl}
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

function listAddress(url: string): string {
  const [sent = '', ...rest] = url.split('?')
  const [, alone, page = alone, name] = LIST_PAGE.exec(sent) ?? []
  if (page === undefined) return url
  const asked = new URLSearchParams(rest.join('?'))
  const kept = new URLSearchParams()
  for (const key of page === 'search' ? ['q', 'page'] : ['after']) {
    const value = asked.get(key)
    if (value) kept.set(key, value)
  }
  const path = name === undefined ? `/${page}` : `/${page}/${oneSpelling(name)}`
  return kept.size > 0 ? `${path}?${kept}` : path
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
