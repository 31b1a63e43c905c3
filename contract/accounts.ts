// Shapes of the account and user calls (api.md §2.1, §6, §10.5). Bodies are schemas, which give
// both the type and the check. A field that is missing or has the wrong type is refused as
// `general_argument_invalid`; the comment of a body names the further refusals of its call.
import Type, { type Static } from 'typebox'
import { NAME_MAX_CHARS, REASON_MAX_CHARS } from './limits.ts'
import { ACCOUNT_ROLES } from './permissions.ts'

/** Length of a token that the operator requests. */
const TOKEN_MIN_CHARS = 4
const TOKEN_MAX_CHARS = 128
const MAIL_SECRET_MAX_CHARS = 256
/** Lifetime of a sign-in link made by the operator. */
const SIGN_IN_LINK_MIN_SECONDS = 60
const SIGN_IN_LINK_MAX_SECONDS = 7 * 24 * 60 * 60
/** Labels of a user, of letters and digits. */
const LABELS_MAX = 100
const LABEL_MAX_CHARS = 36

/**
 * Free JSON stored for a user, at most `PREFS_MAX_BYTES`; the app uses the keys below and leaves
 * others alone (product.md §O16).
 */
export type Prefs = {
  /** File id in the avatar bucket. */
  avatar?: string
  /** A line about themselves, which their page shows (`readAboutAuthor` of authors.ts). */
  about?: string
  theme?: 'dark' | 'light' | 'system'
  bottomBar?: 'shown' | 'hidden'
  /** The language that dates are written in (BCP 47); missing or `""` for the browser's own. */
  dateLanguage?: string
  /** The bars above the text in the editor; `both` when missing. */
  editorBars?: 'both' | 'toolbar'
  /** How pasted Markdown is inserted; `formatted` when missing. */
  markdownPaste?: 'formatted' | 'typed'
  /** The view of a post's form that was used last. */
  writingView?: 'form' | 'writing'
  /** Menus and toolbar of the writing view. */
  fullToolbar?: 'on' | 'off'
  /** Typed quotes become those of the page's language, in the writing view. */
  smartQuotes?: 'on' | 'off'
  [key: string]: unknown
}

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const anyBoolean = Type.Boolean({ description: 'Value must be a valid boolean' })

/**
 * An account as its own user sees it. All times are `wireTime` texts, `""` for never.
 * @source api.md §2.1
 */
export const Account = Type.Object(
  {
    $id: text(),
    $createdAt: text(),
    $updatedAt: text(),
    name: text('Plain text; may be ""'),
    registration: text('The same moment as $createdAt'),
    status: Type.Boolean({ description: 'False while the account is blocked' }),
    labels: Type.Array(text(), { description: 'Set by operators; one of them may be a role' }),
    passwordUpdate: text('"" for an account that never had a password'),
    email: text('In lower case'),
    phone: text('Always ""'),
    emailVerification: Type.Boolean({ description: 'The user has received mail at `email`' }),
    phoneVerification: Type.Boolean({ description: 'Always false' }),
    prefs: Type.Unsafe<Prefs>({ type: 'object', description: 'Free JSON' }),
    accessedAt: text('Each sign-in, otherwise at most one update a day'),
  },
  { $id: 'Account' },
)
export type Account = Static<typeof Account>

/** The device and program of a session, read from the user agent; `""` when unknown. */
export const Device = Type.Object({
  osCode: text(),
  osName: text(),
  osVersion: text(),
  clientType: text(),
  clientCode: text(),
  clientName: text(),
  clientVersion: text(),
  clientEngine: text(),
  clientEngineVersion: text(),
  deviceName: text(),
  deviceBrand: text(),
  deviceModel: text(),
})
export type Device = Static<typeof Device>
const Country = Type.Object({
  countryCode: text('Always --: addresses are not looked up'),
  countryName: text('Always Unknown'),
})

/** A session as its own user sees it. @source api.md §2.1 */
export const Session = Type.Object(
  {
    $id: text(),
    $createdAt: text(),
    userId: text(),
    expire: text('When it ends at the latest; after 14 days without use it ends earlier'),
    provider: text('email (password or code), magic-url, server (started by the key) or google'),
    providerUid: text(
      "The email address for `email`, Google's id of the user for `google`, else empty",
    ),
    providerAccessToken: text('Only in the answers about the current session, read by its owner'),
    providerAccessTokenExpiry: text(),
    providerRefreshToken: text('Always ""'),
    ip: text('The address from which the session was started'),
    ...Device.properties,
    ...Country.properties,
    current: Type.Boolean({ description: 'Whether it is the session of this request' }),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

/** A sign-in as its own user sees it; the device as in a session. @source api.md §2.1 */
export const SignInLog = Type.Object(
  {
    event: text('Always session.create'),
    userId: text(),
    userEmail: text('The current address'),
    userName: text('The current name'),
    mode: text('Always default'),
    ip: text(),
    time: text(),
    ...Device.properties,
    ...Country.properties,
  },
  { $id: 'Log' },
)
export type SignInLog = Static<typeof SignInLog>

/** A linked way to sign in, as its own user sees it. */
export const Identity = Type.Object(
  {
    $id: text(),
    $createdAt: text('When it was linked'),
    $updatedAt: text('The last sign-in with it'),
    userId: text(),
    provider: text('google'),
    providerUid: text("The provider's id of the user"),
    providerEmail: text('As the provider named it at the last sign-in; "" when unknown'),
    providerAccessToken: text('Always ""'),
    providerAccessTokenExpiry: text('Always ""'),
    providerRefreshToken: text('Always ""'),
  },
  { $id: 'Identity' },
)
export type Identity = Static<typeof Identity>

/** A single-use token that was sent by mail. @source api.md §2.1, §2.3 */
export const Token = Type.Object(
  {
    $id: text(),
    $createdAt: text(),
    userId: text('Random in the answer to a recovery'),
    secret: text('"" for everybody but the API key'),
    expire: text(),
  },
  { $id: 'Token' },
)
export type Token = Static<typeof Token>

/** An invitation as the API key sees it (api.md §6.2). */
export const Invitation = Type.Object(
  {
    $id: text(),
    $createdAt: text(),
    email: text(),
    name: text('Name of the inviter; "" when not given'),
    expire: text(),
    mailed: Type.Boolean({ description: 'The link was handed to a mail server' }),
    url: text('The link, only in the answer that made it and when it was not mailed; else ""'),
    role: text('The role of the account; "" for that of all new accounts'),
  },
  { $id: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

/** An invitation as the holder of its link sees it. */
export const OwnInvitation = Type.Pick(Invitation, ['email', 'name', 'expire'], {
  $id: 'OwnInvitation',
})
export type OwnInvitation = Static<typeof OwnInvitation>

/** A user as the API key sees it; hash fields are always empty (api.md §6). */
export const User = Type.Object(
  {
    ...Account.properties,
    password: text('Always ""'),
    hash: text('Always ""'),
    hashOptions: Type.Object({}),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

/** The public part of a user (api.md §10.5). */
export const PublicUser = Type.Pick(Account, ['$id', 'name'], { $id: 'PublicUser' })
export type PublicUser = Static<typeof PublicUser>

const name = Type.String({
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string and no longer than ${NAME_MAX_CHARS} chars`,
})
const nonEmptyName = Type.String({
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${NAME_MAX_CHARS} chars`,
})
const mailSecret = Type.String({
  minLength: 1,
  maxLength: MAIL_SECRET_MAX_CHARS,
  description: `Value must be a valid string of 1 to ${MAIL_SECRET_MAX_CHARS} chars`,
})
const role = Type.Union(
  ACCOUNT_ROLES.map((accountRole) => Type.Literal(accountRole)),
  { description: `Value must be one of (${ACCOUNT_ROLES.join(', ')})` },
)
const anyText = Type.String({ description: 'Value must be a valid string' })

/**
 * Signing up. The schema checks types only; the rules of `backend/accounts` check ids, addresses
 * and passwords. The order of fields is the order of checks. `userId` is an id or
 * `unique()`.
 *
 * Refused as `user_count_exceeded`, `user_invalid_token`, `password_personal_data`,
 * `user_already_exists`.
 */
export const NewAccount = Type.Object({
  userId: anyText,
  email: anyText,
  password: anyText,
  name: Type.Optional(name),
  /** The secret of an invitation, whose id is `userId`. */
  secret: Type.Optional(mailSecret),
})
export type NewAccount = Static<typeof NewAccount>

/**
 * The operator invites an address; `name` replaces the operator's own name in the mail.
 * Refused as `user_already_exists`.
 */
export const NewInvitation = Type.Object({
  email: anyText,
  name: Type.Optional(name),
  role: Type.Optional(role),
})
export type NewInvitation = Static<typeof NewInvitation>
/** The parameters of an invitation link. Refused as `user_invalid_token`. */
export const InvitationProof = Type.Object({ userId: anyText, secret: mailSecret })
export type InvitationProof = Static<typeof InvitationProof>

/** Signing in. Refused as `user_invalid_credentials` for every fault, or `user_blocked`. */
export const NewEmailSession = Type.Object({ email: anyText, password: anyText })
export type NewEmailSession = Static<typeof NewEmailSession>

/**
 * Deleting one's own account. The password is needed if the account has one; otherwise the session
 * must be at most `REAUTHENTICATION_MAX_AGE_SECONDS` old. Refused as `user_invalid_credentials`,
 * `user_unauthorized` (api.md §15.1).
 */
export const AccountDeletion = Type.Object({ password: Type.Optional(anyText) })

/** Replaces all prefs. */
export const UpdatedPrefs = Type.Object({
  prefs: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Value must be a valid JSON object',
  }),
})
export type UpdatedPrefs = Static<typeof UpdatedPrefs>

/** Requesting a recovery. `url` is the target of the mailed link: a URL of a listed origin. */
export const NewRecovery = Type.Object({ email: anyText, url: anyText })
/**
 * A new password with the secret of the mail. Only client 13.0.2 sends `passwordAgain` (api.md
 * §12). Refused as `user_invalid_token`, `user_password_mismatch`, `password_personal_data`.
 */
export const RecoveryCompletion = Type.Object({
  userId: anyText,
  secret: mailSecret,
  password: anyText,
  passwordAgain: Type.Optional(anyText),
})
export type RecoveryCompletion = Static<typeof RecoveryCompletion>

/** Requesting a verification. Refused as `user_email_alread_verified` (api.md §9). */
export const NewVerification = Type.Object({ url: anyText })
/** The parameters of a verification or sign-in link. Refused as `user_invalid_token`. */
export const MailedSecret = Type.Object({ userId: anyText, secret: mailSecret })
export type MailedSecret = Static<typeof MailedSecret>

/**
 * Requesting a sign-in link. `userId` is the id that an unknown address gets; without `url` the
 * link leads to this blog.
 */
export const NewMagicUrl = Type.Object({
  userId: anyText,
  email: anyText,
  url: Type.Optional(anyText),
})
export type NewMagicUrl = Static<typeof NewMagicUrl>
/** Requesting a code; fields as for a link. */
export const NewEmailCode = Type.Object({
  userId: anyText,
  email: anyText,
  /** Whether the answer and the mail contain the same two words, for the person to compare. */
  phrase: Type.Optional(anyBoolean),
})
export type NewEmailCode = Static<typeof NewEmailCode>

export const UpdatedName = Type.Object({ name: nonEmptyName })
/**
 * `password` is the current one; for an account without a password it becomes the first, if the
 * session is at most `REAUTHENTICATION_MAX_AGE_SECONDS` old. Refused as `user_invalid_credentials`,
 * `user_unauthorized`, `user_email_already_exists`.
 */
export const UpdatedEmail = Type.Object({ email: anyText, password: anyText })
export type UpdatedEmail = Static<typeof UpdatedEmail>
/**
 * `oldPassword` is needed if there is one; otherwise the session must be at most
 * `REAUTHENTICATION_MAX_AGE_SECONDS` old. Refused as `user_invalid_credentials`,
 * `user_unauthorized`.
 */
export const UpdatedPassword = Type.Object({
  password: anyText,
  oldPassword: Type.Optional(anyText),
})
export type UpdatedPassword = Static<typeof UpdatedPassword>

/** The API key's calls (api.md §6); refused as when users send the same fields. */
export const NewUser = Type.Object({
  userId: anyText,
  email: anyText,
  /** Without it the user signs in by links or with Google. */
  password: Type.Optional(anyText),
  name: Type.Optional(name),
})
export type NewUser = Static<typeof NewUser>
export const SetEmail = Type.Object({ email: anyText })
export const SetPassword = Type.Object({ password: anyText })
/** Why a person is blocked, or content hidden, for Activity. */
export const Reason = Type.Optional(
  Type.String({
    maxLength: REASON_MAX_CHARS,
    // PostgreSQL stores no U+0000.
    pattern: '^[^\\u0000]*$',
    description: `Value must be a valid string and no longer than ${REASON_MAX_CHARS} chars`,
  }),
)
/** False blocks the user: all sessions end. */
export const SetStatus = Type.Object({ status: anyBoolean, reason: Reason })
/** Refused as `user_last_operator`. */
export const SetRole = Type.Object({ role })
export const SetVerification = Type.Object({
  emailVerification: anyBoolean,
})
/** Replaces all labels. */
export const SetLabels = Type.Object({
  labels: Type.Array(Type.String({ pattern: `^[A-Za-z0-9]{1,${LABEL_MAX_CHARS}}$` }), {
    maxItems: LABELS_MAX,
    description: `Value must be a list of at most ${LABELS_MAX} labels of 1 to ${LABEL_MAX_CHARS} letters and digits`,
  }),
})
/** `expire` is the lifetime in seconds, a quarter of an hour when it is missing. */
export const NewSignInLink = Type.Object({
  /** Length of the secret; that of an emailed link when missing. */
  length: Type.Optional(
    Type.Integer({
      minimum: TOKEN_MIN_CHARS,
      maximum: TOKEN_MAX_CHARS,
      description: `Value must be a valid range between ${TOKEN_MIN_CHARS} and ${TOKEN_MAX_CHARS}`,
    }),
  ),
  expire: Type.Optional(
    Type.Integer({
      minimum: SIGN_IN_LINK_MIN_SECONDS,
      maximum: SIGN_IN_LINK_MAX_SECONDS,
      description: `Value must be a valid range between ${SIGN_IN_LINK_MIN_SECONDS} and ${SIGN_IN_LINK_MAX_SECONDS}`,
    }),
  ),
})
export type NewSignInLink = Static<typeof NewSignInLink>
