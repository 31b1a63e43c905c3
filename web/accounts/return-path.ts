// The page that a user requested before signing in: stored in the history state, and accepted only
// if it is on this site.

const PATH_MAX_CHARS = 2000
const BASE = 'https://base.invalid'

/** The history state of /login, which guards set. */
export type ReturnState = {
  from: string
  /** The post that the visitor was reading, to go back to without signing in. */
  back?: string | undefined
  /** The session ended on the page `from`: signing in returns there directly. */
  hasSessionEnded?: boolean | undefined
}

/**
 * @param state the history state of a location, of any shape
 * @returns a path of this site with its query; never another site, a page that is part of signing
 *   in, or the dashboard, which is the default
 * @source product.md §O3
 */
export function returnPathIn(state: unknown): string | undefined {
  const path = requestedPathIn(state)
  return path && pageOf(path) !== 'dashboard' ? path : undefined
}

/** Like `returnPathIn`, but also returns the dashboard. */
export function requestedPathIn(state: unknown): string | undefined {
  return pathIn(state, 'from')
}

/** The post to go back to without signing in. */
export function backPathIn(state: unknown): string | undefined {
  const path = pathIn(state, 'back')
  return path && isPost(path) ? path : undefined
}

/**
 * Whether signing in leads directly back to the page. This is so for the page on which the session
 * ended, and for pages for reading, as the sign-in form promises; the dashboard offers a link to
 * any other page.
 */
export function returnsDirectly({ from, hasSessionEnded = false }: ReturnState): boolean {
  return hasSessionEnded || READ_PAGES.includes(pageOf(from))
}

/** Lists of posts, and posts: visitors follow links to them from pages that everybody sees. */
const READ_PAGES = ['post', 'author', 'tag', 'search']

/** Whether the path is the page of one post. */
export function isPost(path: string): boolean {
  return /^\/post\/[^/?]+/.test(path)
}

/** The first part of a path of this site. */
export function pageOf(path: string): string {
  return /^\/([^/?]*)/.exec(path)?.[1] ?? ''
}

/** Whether the session ended on the requested page. */
export function hasSessionEndedIn(state: unknown): boolean {
  return Reflect.get(Object(state), 'hasSessionEnded') === true
}

function pathIn(state: unknown, name: 'from' | 'back'): string | undefined {
  const path: unknown = Reflect.get(Object(state), name)
  if (typeof path !== 'string' || path.length > PATH_MAX_CHARS) return undefined
  // Parsed as browsers do: a path that starts with a single slash may still name another host, by
  // backslashes, by tabs that browsers remove, or by dots.
  if (!path.startsWith('/')) return undefined
  const { pathname, search, hash, origin } = new URL(path, BASE)
  if (
    origin !== BASE ||
    pathname.startsWith('//') ||
    /^\/(login|signup|dispatch)?\/?$/.test(pathname)
  )
    return undefined
  return pathname + search + hash
}

/**
 * The history state for the next step of signing in, taken from the current state, else from
 * `?next=` in the address.
 */
export function returnStateOf(location: { state: unknown; search: string }): ReturnState | null {
  const endedAt = hasSessionEndedIn(location.state) ? requestedPathIn(location.state) : undefined
  if (endedAt) return { from: endedAt, hasSessionEnded: true }
  const from = returnPathIn(location.state) ?? returnPathIn(nextIn(location.search))
  return from ? { from } : null
}

/** The page that a user requested when a guard redirected them to sign in. */
export function requestedPathOf(location: { state: unknown; search: string }): string | undefined {
  return requestedPathIn(location.state) ?? requestedPathIn(nextIn(location.search))
}

function nextIn(search: string): { from: string | null } {
  return { from: new URLSearchParams(search).get('next') }
}

/**
 * The return path as a query, for addresses that lead out of the app and back; "" if there is no
 * return path.
 */
export function nextQueryOf(location: { state: unknown; search: string }): string {
  const state = returnStateOf(location)
  return state ? `?next=${encodeURIComponent(state.from)}` : ''
}

/** The address to which the server redirects a visitor who requests a guarded page. */
export function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  const path = requestedPathOf({ state: { from: pathname + search }, search })
  return path ? `/login?next=${encodeURIComponent(path)}` : '/login'
}

let lastReadPost: string | undefined

/** Remembers the post that a guest read last. Call this whenever a page is shown. */
export function rememberReadPost(pathname: string, options: { isSignedIn: boolean }): void {
  if (options.isSignedIn) lastReadPost = undefined
  else if (isPost(pathname)) lastReadPost = pathname
}

/** The post that a guest read last; if an earlier document showed it, the referrer names it. */
export function findLastReadPost(): string | undefined {
  if (lastReadPost || typeof document === 'undefined' || !document.referrer) return lastReadPost
  const { origin, pathname } = new URL(document.referrer)
  return origin === window.location.origin && isPost(pathname) ? pathname : undefined
}
