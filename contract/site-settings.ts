// Values that operators set, and the settings that the server writes into every HTML page. Nothing
// secret: every browser gets them.
import type { SiteLink } from './blog-links.ts'
import type { AccountRole } from './permissions.ts'

/** Mails go to a mail server, stay in the outbox folder of the server, or are off. */
export type MailDelivery = 'sent' | 'kept' | 'off'

/** Who may read the lists of posts: signed-in people only, or everyone. */
export const READINGS = ['members', 'everyone'] as const
export type Reading = (typeof READINGS)[number]

/** Whether everybody may sign up, only people with an invitation, or nobody. */
export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const
export type Registration = (typeof REGISTRATIONS)[number]

export const ON_OFF = ['on', 'off'] as const
type OnOff = (typeof ON_OFF)[number]

/** Values that operators set in the browser, unless the environment sets them (settings.md). */
export type SiteValues = {
  siteName: string
  /** One line about the blog; never empty. */
  about: string
  reading: Reading
  registration: Registration
  /** The role of new accounts. */
  newRole: Exclude<AccountRole, 'operator'>
  comments: OnOff
  /** Whether the first comments of new accounts wait for approval while registration is open. */
  approveFirst: OnOff
  /** `#rrggbb`, in lower case; accent.ts adapts it to each theme. */
  accent: string
}
export type SiteValueName = keyof SiteValues

export const SITE_NAME_MAX_CHARS = 60
export const ABOUT_MAX_CHARS = 160

/** The logo: limits of an upload, the stored side, and the sides that are served. */
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

/** The rule of each value: maximum length of a line, a list of choices, or a pattern. */
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

/** Setup of a blog: `open` to the caller, with the `code` that the start printed, or `done`. */
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
   * While the blog has no operator: whether the caller needs the setup code (known on the setup
   * page only), and which values the server's own settings fix.
   */
  setup?: { state: Exclude<SetupState, 'done'>; fixed: readonly SiteValueName[] }
  /** Undefined for the default. */
  accent?: string
  /** The version of the logo; undefined for the default, the lamp. */
  logo?: string | undefined
  /** Pages and links in the header and the footer, in order; absent when there are none. */
  links?: SiteLink[]
  /** Reads of posts are counted. */
  hasReadCounts?: boolean
  /**
   * The provider's userinfo endpoint, on /verifyOAuth only; elsewhere empty. The content security
   * policy of that page allows calls to it.
   */
  googleUserinfoUrl: string
  /**
   * The request for this page carried a valid session. Only then is `GET /account` worth a call.
   */
  isSignedIn: boolean
  /** The id of the request for this page, on error pages only: finds it in the server's log. */
  requestId?: string
}
