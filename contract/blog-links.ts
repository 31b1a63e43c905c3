// Pages of the blog, such as "About", and links to other places: operators put them into the header
// and the footer, in one order (api.md §15.21).

/** Pages and links together. */
export const BLOG_LINKS_MAX = 6
export const HEADER_LINKS_MAX = 3
/** In letters as people count them. */
export const LINK_NAME_MAX_CHARS = 24
export const LINK_ADDRESS_MAX_CHARS = 2000

/** A link as every page has it: `to` is a path of the blog, or the URL of another site. */
export type SiteLink = { name: string; to: string; inHeader: boolean; inFooter: boolean }

/** A page or a link as operators see it. Readers see those that are active. */
export type BlogLink = SiteLink & {
  /** The id of the page; for a link, its address. */
  $id: string
  isPage: boolean
  status: 'active' | 'inactive' | 'hidden'
}

/** `GET /operator/links` */
export type BlogLinks = {
  /** Changes with every change of the arrangement. */
  version: string
  list: BlogLink[]
}

/** The first segments of the paths of the app (web/routes.tsx). */
export const APP_WORDS: readonly string[] = [
  'post',
  'posts',
  'preview',
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

/** The same of everything else that the server answers; names with a dot are no addresses. */
const SERVER_WORDS = ['v1', 'assets', 'logo', 'embed', 'oembed', 'healthz', 'metrics']

/** Whether a page may not have this address, because the blog itself uses it. */
export function isAppAddress(address: string): boolean {
  return [...APP_WORDS, ...SERVER_WORDS].some((word) => word.toLowerCase() === address)
}
