// What the server tells the page about the site; written into every HTML page, read once at start.
// Nothing secret: every browser gets it.

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
  /**
   * Where the sign-in provider says who somebody is. The content security policy lets /verifyOAuth
   * alone ask there.
   */
  googleUserinfoUrl: string
  /**
   * The request for this page carried a valid session. Only then is `GET /account` worth asking.
   */
  isSignedIn: boolean
  /** Of the request for this page, when an error came of it: leads to the server's log. */
  requestId?: string
}
