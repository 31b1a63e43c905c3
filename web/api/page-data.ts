// The elements of a page that hold data from the server, and the types of that data.

import type { Account } from '#contract/accounts.ts'

export { VIEWER_DATA_ELEMENT_ID, type ViewerData } from '#contract/pages.ts'
export type { SiteSettings } from '#contract/site-settings.ts'

/** Id of the element that holds the settings as JSON. */
export const SETTINGS_ELEMENT_ID = 'site-settings'

/** Metadata of a post's body, for the head of the page and the text's attributes. */
export type BodyMetadata = {
  /** The text's direction; undefined for a body without words. */
  direction: 'ltr' | 'rtl' | undefined
  minutes: number
  description: string
}

/**
 * Data for the app in the browser. `loaderData` is missing when something failed: then the loaders
 * run again. `account` is the viewer's; a visitor's page has none.
 */
export type PageData = {
  loaderData?: Record<string, unknown>
  account?: Account
  /** The page is for all members of an audience; {@link ViewerData} is in an element of its own. */
  isShared?: true
  /** When the server sent a signed-in user's page. */
  sentAtMs?: number
  /** Metadata of the post whose body is only in the markup, not in this data. */
  bodyMetadata?: BodyMetadata
  /** The server refused the request with this status: the page says only that. */
  refusal?: 400 | 405
}

/** Id of the element that holds {@link PageData} as JSON. */
export const PAGE_DATA_ELEMENT_ID = 'page-data'
