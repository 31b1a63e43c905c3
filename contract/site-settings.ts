// What an operator sets of the blog, and what the server tells the page about it: written into
// every HTML page. Nothing secret: every browser gets it.
import type { AccountRole } from './permissions.ts'

/** Mails go to a mail server, or stay in a folder of the server, or there are none. */
export type MailDelivery = 'sent' | 'kept' | 'off'

/** Who may read the list of posts and what leads to them: signed-in people, or visitors, too. */
export const READINGS = ['members', 'everyone'] as const
export type Reading = (typeof READINGS)[number]

/** Whether people add accounts by themselves, only with an invitation, or not at all. */
export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const
export type Registration = (typeof REGISTRATIONS)[number]

export const ON_OFF = ['on', 'off'] as const
type OnOff = (typeof ON_OFF)[number]

/** What operators set in the browser, unless the environment does (settings.md). */
export type SiteValues = {
  siteName: string
  /** One line about the blog; never empty. */
  about: string
  reading: Reading
  registration: Registration
  /** What a new account is. */
  newRole: Exclude<AccountRole, 'operator'>
  comments: OnOff
  /** Whether the first comments of new accounts wait for approval while registration is open. */
  approveFirst: OnOff
  /** `#rrggbb`, in small letters; themes show it as it can be read (accent.ts). */
  accent: string
}
export type SiteValueName = keyof SiteValues

export const SITE_NAME_MAX_CHARS = 60
export const ABOUT_MAX_CHARS = 160

/** Of the logo: what may be sent, how it is kept, and the sides in which it is served. */
export const LOGO = {
  maxBytes: 1024 * 1024,
  minPixels: 256,
  maxPixels: 4096,
  side: 512,
  sides: [64, 128, 180, 192, 512],
} as const

/** @param logo its version; @param side one of `LOGO.sides` */
export function logoPath(logo: string, side: (typeof LOGO.sides)[number]): string {
  return `/logo/${logo}/${side}.png`
}

export const ACCENT_PATTERN = /^#[\da-f]{6}$/

/** What each value may be: the characters of a line at most, one of some words, or of a form. */
export const SITE_VALUE_RULES: Readonly<
  Record<SiteValueName, number | readonly string[] | RegExp>
> = {
  siteName: SITE_NAME_MAX_CHARS,
  about: ABOUT_MAX_CHARS,
  reading: READINGS,
  registration: REGISTRATIONS,
  newRole: ['author', 'reader'],
  comments: ON_OFF,
  approveFirst: ON_OFF,
  accent: ACCENT_PATTERN,
}

/** How a blog without an operator is set up: here, with the code that the start printed, or not. */
export type SetupState = 'open' | 'code' | 'done'

export type SiteSettings = Pick<SiteValues, 'siteName' | 'about' | 'reading'> & {
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
  /**
   * While the blog has no operator: whether who asks needs the code of the start, which is told on
   * the page of the setup alone, and which values the server's own settings decide.
   */
  setup?: { state: Exclude<SetupState, 'done'>; fixed: readonly SiteValueName[] }
  /** Where it is not the usual one. */
  accent?: string
  /** The version of the logo, where it is not the lamp. */
  logo?: string | undefined
  /** How often posts are read is counted. */
  hasReadCounts?: boolean
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
