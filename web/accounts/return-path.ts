// The page that was asked for before signing in: carried in the history state, accepted only if it
// is on this site.

const PATH_MAX_CHARS = 2000
const BASE = 'https://base.invalid'

/** What a guard puts into the history state of /login. */
export type ReturnState = {
  from: string
  /** The post that was read before, for the way back without signing in. */
  back?: string | undefined
  /** The session ended there: signing in leads straight back. */
  hasSessionEnded?: boolean | undefined
}

/**
 * @param state the history state of a location, of any shape
 * @returns a path of this site with its query, never another site, never a page that is part of
 *   signing in, nor the place one goes to anyway
 * @source product.md §O3
 */
export function returnPathIn(state: unknown): string | undefined {
  const path = requestedPathIn(state)
  return path && pageOf(path) !== 'dashboard' ? path : undefined
}

/** The same with the dashboard, which one may ask for as well. */
export function requestedPathIn(state: unknown): string | undefined {
  return pathIn(state, 'from')
}

/** The post to go back to without signing in. */
export function backPathIn(state: unknown): string | undefined {
  const path = pathIn(state, 'back')
  return path && isPost(path) ? path : undefined
}

/**
 * Whether signing in leads there at once: the page on which the session ended, or a visitor's step
 * on the way, which the sign-in form promises to come back to. Any other page is offered on the
 * dashboard.
 */
export function returnsDirectly({ from, hasSessionEnded = false }: ReturnState): boolean {
  return hasSessionEnded || READ_PAGES.includes(pageOf(from))
}

/** Lists of posts, and posts: a visitor came there by a link of a page that everybody sees. */
const READ_PAGES = ['post', 'author', 'tag', 'search']

/** Whether it is the page of one post. */
export function isPost(path: string): boolean {
  return /^\/post\/[^/?]+/.test(path)
}

/** The first part of a path of this site. */
export function pageOf(path: string): string {
  return /^\/([^/?]*)/.exec(path)?.[1] ?? ''
}

/** Whether the session ended on the page that was asked for. */
export function hasSessionEndedIn(state: unknown): boolean {
  return Reflect.get(Object(state), 'hasSessionEnded') === true
}

function pathIn(state: unknown, name: 'from' | 'back'): string | undefined {
  const path: unknown = Reflect.get(Object(state), name)
  if (typeof path !== 'string' || path.length > PATH_MAX_CHARS) return undefined
  // Parsed as a browser parses it: a path that starts with one slash may still name another host
  // (backslashes, removed tabs, dots).
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
 * The history state for the next step of signing in: from the state so far, else from `?next=` of
 * the address.
 */
export function returnStateOf(location: { state: unknown; search: string }): ReturnState | null {
  const again = hasSessionEndedIn(location.state) ? requestedPathIn(location.state) : undefined
  if (again) return { from: again, hasSessionEnded: true }
  const from = returnPathIn(location.state) ?? returnPathIn(nextIn(location.search))
  return from ? { from } : null
}

/** What a person wanted when they were led to sign in. */
export function requestedPathOf(location: { state: unknown; search: string }): string | undefined {
  return requestedPathIn(location.state) ?? requestedPathIn(nextIn(location.search))
}

function nextIn(search: string): { from: string | null } {
  return { from: new URLSearchParams(search).get('next') }
}

/**
 * The same as a query for an address that leaves the app and comes back: "" when there is nowhere
 * to return to.
 */
export function nextQueryOf(location: { state: unknown; search: string }): string {
  const state = returnStateOf(location)
  return state ? `?next=${encodeURIComponent(state.from)}` : ''
}

/** Where the server sends a visitor who asks for a page of signed-in people. */
export function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  const asked = requestedPathOf({ state: { from: pathname + search }, search })
  return asked ? `/login?next=${encodeURIComponent(asked)}` : '/login'
}

/** For signing in again from the settings. */
export const SETTINGS_NEXT = nextQueryOf({ state: { from: '/settings' }, search: '' })

let lastReadPost: string | undefined

/** Call with every page that is shown. */
export function rememberReadPost(pathname: string, options: { isSignedIn: boolean }): void {
  if (options.isSignedIn) lastReadPost = undefined
  else if (isPost(pathname)) lastReadPost = pathname
}

/** A post whose page loaded no app is known by the address that led here. */
export function findLastReadPost(): string | undefined {
  if (lastReadPost || typeof document === 'undefined' || !document.referrer) return lastReadPost
  const { origin, pathname } = new URL(document.referrer)
  return origin === window.location.origin && isPost(pathname) ? pathname : undefined
}
