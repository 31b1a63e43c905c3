// The page that was asked for before signing in: carried in the history state, accepted only if it
// is on this site.

const PATH_MAX_CHARS = 2000
const BASE = 'https://base.invalid'

/** What a guard puts into the history state of /login. */
export type ReturnState = { from: string }

/**
 * @param state the history state of a location, whatever it holds
 * @returns a path of this site with its query, never another site, never a page that is part of
 *   signing in
 * @source product.md §O3
 */
export function returnPathIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  const { from } = state
  if (typeof from !== 'string' || from.length > PATH_MAX_CHARS) return undefined
  // Parsed as a browser parses it: a path that starts with one slash may still name another host
  // (backslashes, removed tabs, dots).
  if (!from.startsWith('/')) return undefined
  const { pathname, search, origin } = new URL(from, BASE)
  if (
    origin !== BASE ||
    pathname.startsWith('//') ||
    /^\/(login|signup|dispatch|dashboard)?\/?$/.test(pathname)
  )
    return undefined
  return pathname + search
}

/**
 * The history state for the next step of signing in: from the state so far, else from `?next=` of
 * the address.
 */
export function returnStateOf(location: { state: unknown; search: string }): ReturnState | null {
  const from =
    returnPathIn(location.state) ??
    returnPathIn({ from: new URLSearchParams(location.search).get('next') })
  return from ? { from } : null
}

/**
 * The same as a query for an address that leaves the app and comes back: "" when there is nowhere
 * to return to.
 */
export function nextQueryOf(location: { state: unknown; search: string }): string {
  const state = returnStateOf(location)
  return state ? `?next=${encodeURIComponent(state.from)}` : ''
}

/** For signing in again from the settings. */
export const SETTINGS_NEXT = nextQueryOf({ state: { from: '/settings' }, search: '' })
