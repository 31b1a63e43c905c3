// What the server tells the page about the site; written into every HTML page, read once at start.

export type SiteSettings = {
  siteName: string
  projectId: string
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
  /** Mail goes out, if only to a folder: what needs it is offered. */
  hasMail: boolean
  /** Google sign-in is set up. */
  hasGoogle: boolean
  isRegistrationOpen: boolean
  /** Where the sign-in provider says who somebody is. The content security policy lets /verifyOAuth alone ask there. */
  googleUserinfoUrl: string
  /** The request for this page carried a valid session. Only then is `GET /account` worth asking. */
  isSignedIn: boolean
  /** Of the request for this page, when an error came of it: leads to the server's log. */
  requestId?: string
}

/** Id of the element that holds the settings as JSON. */
export const SETTINGS_ELEMENT_ID = 'site-settings'

/** Id of the element that holds the loaders' answers of a page rendered by the server. */
export const PAGE_DATA_ELEMENT_ID = 'page-data'
