// What the server tells the page about the site; written into every HTML page, read once at start.
// Nothing secret: every browser gets it.

/** Mails go to a mail server, or stay in a folder of the server, or there are none. */
export type MailDelivery = 'sent' | 'kept' | 'off'

/** Who may read the list of posts and what leads to them: signed-in people, or visitors, too. */
export const READINGS = ['members', 'everyone'] as const
export type Reading = (typeof READINGS)[number]

export type SiteSettings = {
  siteName: string
  /** One line about the blog; never empty. */
  about: string
  reading: Reading
  projectId: string
  databaseId: string
  collectionId: string
  contentBucketId: string
  avatarBucketId: string
  /** When it is `off`, nothing that needs mail is offered. */
  mail: MailDelivery
  /** Google sign-in is set up. */
  hasGoogle: boolean
  isRegistrationOpen: boolean
  /** How often posts are read is counted. */
  hasReadCounts?: boolean
  /** The words of `status` that mean a public post, where it is not `active` alone. */
  publicStatuses?: readonly string[]
  /** Bodies of posts are text, not HTML. */
  hasTextBodies?: boolean
  /**
   * The provider's userinfo endpoint, on /verifyOAuth only; elsewhere empty. The content security
   * policy of that page allows calls to it.
   */
  googleUserinfoUrl: string
  /**
   * The request for this page carried a valid session. Only then is `GET /account` worth asking.
   */
  isSignedIn: boolean
  /** The id of the request for this page, on error pages only: finds it in the server's log. */
  requestId?: string
}
