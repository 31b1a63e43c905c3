// The elements of a page that hold data from the server.

export type { SiteSettings } from '#contract/site-settings.ts'

/** Id of the element that holds the settings as JSON. */
export const SETTINGS_ELEMENT_ID = 'site-settings'

/** Id of the element that holds the loaders' answers of a page rendered by the server. */
export const PAGE_DATA_ELEMENT_ID = 'page-data'
